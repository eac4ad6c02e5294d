/// How many columns of a terminal a string takes.
///
/// As most terminals have it; of letters whose width is ambiguous it is one.
package func displayWidth(_ text: String) -> Int {
  plainWidth(text) ?? text.reduce(0) { $0 + displayWidth($1) }
}

/// How many columns a string takes of which every character is visible ASCII or a space; nil for any other text.
///
/// Most strings are so and are shown as they are.
package func plainWidth(_ text: String) -> Int? {
  let bytes = text.utf8.span
  for index in bytes.indices where bytes[index] < 0x20 || bytes[index] >= 0x7f { return nil }
  return bytes.count
}

/// As much of the text as fits `width` columns; what is cut off is shown by an ellipsis.
package func cut(_ text: String, to width: Int) -> String {
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
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}

/// The sum of what its scalars take, but what makes one picture together counts once.
///
/// Differs from the sum in emoji: joined by U+200D, with a skin tone, flags of two letters, and those
/// whose color or text form is asked for by U+FE0F or U+FE0E (https://www.unicode.org/reports/tr51/).
package func displayWidth(_ character: Character) -> Int {
  var sum = 0
  var base: (scalar: Unicode.Scalar, width: Int) = ("\0", 0)
  var isJoined = false
  for scalar in character.unicodeScalars {
    let properties = base.scalar.properties
    var width = displayWidth(scalar)
    switch scalar.value {
    case 0x200d: isJoined = properties.isEmoji
    case 0xfe0f where base.width == 1 && properties.isEmoji: sum += 1
    case 0xfe0e where base.width == 2 && properties.isEmojiPresentation && base.scalar.value < 0x10000:
      sum -= 1
    case 0x1f3fb...0x1f3ff where properties.isEmoji && !base.scalar.isASCII: continue
    case _ where base.width > 0 && scalar.properties.generalCategory == .spacingMark: width = 1
    case _ where isJoined && scalar.properties.isEmoji: width = 0
    case 0x1f1e6...0x1f1ff where base.width > 0: width = 0
    default: break
    }
    // Letters that are joined take two columns at most.
    if width != 1 || sum < 2 { sum += width }
    if width > 0 { base = (scalar, width) }
  }
  return sum
}

private func displayWidth(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.value {
  case 0x20..<0x7f: return 1
  // A soft hyphen and signs that stand around numbers: Cf, but seen.
  case 0xad, 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2: return 1
  // Vowels and finals of Hangul, which are drawn into the syllable.
  case 0x1160...0x11ff, 0xd7b0...0xd7ff, 0xffa0: return 0
  default: break
  }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .spacingMark, .format, .lineSeparator, .paragraphSeparator: return 0
  default: return scalar.properties.isEmojiPresentation || isWide(scalar) ? 2 : 1
  }
}

/// East Asian Width W and F (https://www.unicode.org/reports/tr11/), by blocks.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e, 0x3041...0x3247,
    0x3250...0x4dff, 0x4e00...0x9fff,
    0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f,
    0xff01...0xff60, 0xffe0...0xffe6, 0x17000...0x18cff, 0x1b000...0x1b2ff, 0x1d300...0x1d356,
    0x1d360...0x1d376,
    0x1f200...0x1f202, 0x1f210...0x1f23b, 0x1f240...0x1f248, 0x1f250...0x1f251, 0x1f260...0x1f265,
    0x20000...0x3fffd:
    true
  default: false
  }
}
