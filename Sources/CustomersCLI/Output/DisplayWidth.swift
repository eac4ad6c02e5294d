/// How many columns of a terminal a text takes.
func displayWidth(_ text: String) -> Int { text.reduce(0) { $0 + displayWidth($1) } }

/// As much of the text as fits `width` columns; what is cut off is shown by an ellipsis.
func cut(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  var kept = ""
  var used = 1
  for character in text {
    used += displayWidth(character)
    if used > width { break }
    kept.append(character)
  }
  return width > 0 ? kept + "…" : ""
}

/// The text, filled with blanks to `width` columns.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}

private func displayWidth(_ character: Character) -> Int {
  let scalars = character.unicodeScalars
  guard let first = scalars.first else { return 0 }
  switch first.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  let isEmoji = first.properties.isEmojiPresentation || scalars.contains { $0.value == 0xfe0f }
  return isEmoji || isWide(first) ? 2 : 1
}

/// East Asian Width W and F (https://www.unicode.org/reports/tr11/), by blocks.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
    0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
    0xff01...0xff60, 0xffe0...0xffe6, 0x17000...0x18cff, 0x1b000...0x1b2ff, 0x20000...0x3fffd:
    true
  default: false
  }
}
