/// Text from the data as it may go to a terminal.
///
/// What could steer the terminal or reorder the line (controls C0 and C1, delete, bidi, and line
/// separators), and what no one could see, is shown as a visible escape.
package func printable(_ text: String) -> String {
  guard plainWidth(text) == nil else { return text }
  guard text.unicodeScalars.contains(where: { isUnsafe($0) || isInvisible($0) }) else { return text }
  return text.escaping(escape) { scalars, index in
    isUnsafe(scalars[index]) || isInvisible(scalars[index]) && !hasEffect(index, scalars)
  }
}

/// Printable text in quotation marks.
package func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

/// Printable text that keeps its line breaks.
package func printableLines(_ text: String) -> String {
  let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.enumerated().map { index, line in
    let end = line.last == "\r" && index < lines.count - 1 ? "\r" : ""
    return printable(String(end.isEmpty ? line : line.dropLast())) + end
  }.joined(separator: "\n")
}

private func escape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}

extension String {
  /// Replaces what could control a terminal or reorder its line.
  ///
  /// These are the C0 and C1 controls, delete, bidi controls, and line separators.
  ///
  /// - Parameter escape: returns the replacement for such a scalar.
  /// - Returns: the text without them.
  package func escapingUnsafe(_ escape: (Unicode.Scalar) -> String) -> String {
    guard utf8.contains(where: mayBeginUnsafe), unicodeScalars.contains(where: isUnsafe) else { return self }
    return escaping(escape) { scalars, index in isUnsafe(scalars[index]) }
  }

  /// Replaces the scalars for which `isReplaced` returns true, given all scalars and the index.
  func escaping(
    _ escape: (Unicode.Scalar) -> String, where isReplaced: ([Unicode.Scalar], Int) -> Bool
  ) -> String {
    let scalars = Array(unicodeScalars)
    var escaped = ""
    for (index, scalar) in scalars.enumerated() {
      if isReplaced(scalars, index) {
        escaped += escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  // Most scalars, without the calls that matching a range takes in a debug build.
  if scalar.value >= 0x20, scalar.value < 0x7f { return false }
  return switch scalar.value {
  case 0..<0x20, 0x7f..<0xa0: true
  case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
  default: false
  }
}

/// Whether the UTF-8 of an unsafe scalar can begin with a byte, which is much faster to find out.
func mayBeginUnsafe(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte > 0x7e && (byte == 0x7f || byte == 0xc2 || byte == 0xd8 || byte == 0xe2 || byte == 0xef)
}

/// Whether a scalar takes no room and shows nothing, as zero-width spaces, tags, and fillers do.
///
/// These are the default ignorable code points (https://www.unicode.org/reports/tr44/) but the soft hyphen,
/// which is seen, and the controls of annotations.
func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x34f: false
  case 0x34f, 0x61c, 0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f, 0x200b...0x200f, 0x202a...0x202e,
    0x2060...0x206f, 0x3164, 0xfe00...0xfe0f, 0xfeff, 0xffa0, 0xfff0...0xfffb, 0x1bca0...0x1bca3,
    0x1d173...0x1d17a, 0xe0000...0xe0fff:
    true
  default: false
  }
}

/// Whether such a scalar changes how its neighbors look: a joiner in emoji and in words of scripts that join
/// their letters, a variation selector after what has variants, a tag of a flag.
func hasEffect(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
  // The consonant of a Hangul syllable that has none.
  if scalars[index].value == 0x115f {
    return index + 1 < scalars.count && (0x1160...0x11a7).contains(scalars[index + 1].value)
  }
  guard index > 0 else { return false }
  let before = scalars[index - 1]
  switch scalars[index].value {
  case 0x200c: return Joining.separates(index, scalars)
  case 0x200d: return joinsEmoji(index, scalars) || Joining.isAfterVirama(index, scalars)
  // The vowel of one that has none.
  case 0x1160: return (0x1100...0x115f).contains(before.value)
  case 0x180b...0x180d, 0x180f: return (0x1820...0x18aa).contains(before.value)
  case 0xfe0e...0xfe0f: return before.properties.isEmoji
  case 0xfe00...0xfe0d:
    return before.properties.isIdeographic || before.properties.generalCategory == .mathSymbol
  case 0xe0020...0xe007f: return isInFlag(index, scalars)
  case 0xe0100...0xe01ef: return before.properties.isIdeographic
  default: return false
  }
}

/// Whether a joiner is between two emoji, of which the first may have a color or a skin tone.
private func joinsEmoji(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
  guard index + 1 < scalars.count, isPicture(scalars[index + 1]) else { return false }
  let before = scalars[index - 1]
  return isPicture(before) || before.value == 0xfe0f && index > 1 && isPicture(scalars[index - 2])
}

/// Whether a scalar is an emoji, and no digit.
private func isPicture(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0xff && scalar.properties.isEmoji }

/// Whether a tag is one of a flag that is shown as one: England, Scotland, or Wales.
///
/// Other regions may be written so too, but are shown as a black flag, and letters could hide in them
/// (https://www.unicode.org/reports/tr51/#valid-emoji-tag-sequences).
private func isInFlag(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
  guard let flag = scalars[max(0, index - 6)..<index].lastIndex(of: "\u{1f3f4}") else { return false }
  let tags = scalars[(flag + 1)...].prefix(6).map { $0.value &- 0xe0000 }
  return ["gbeng", "gbsct", "gbwls"].contains { tags == $0.unicodeScalars.map(\.value) + [0x7f] }
}

/// Where a joiner changes how letters look (RFC 5892, appendix A.1 and A.2).
enum Joining {
  /// Whether the scalar follows a virama, the sign by which letters of India are joined.
  static func isAfterVirama(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    index > 1 && scalars[index - 1].properties.canonicalCombiningClass == .virama
  }

  /// Whether the scalar keeps apart what would be joined: after a virama, or between two letters of Arabic
  /// script, marks left aside.
  static func separates(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    if isAfterVirama(index, scalars) { return true }
    // A letter has one or two marks; text with many more is not a word.
    let before = scalars[max(0, index - 4)..<index].last { !isMark($0) }
    let after = scalars[(index + 1)...].prefix(4).first { !isMark($0) }
    guard let before, let after else { return false }
    return isArabic(before) && !endsJoining(before) && isArabic(after)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
  }

  /// Whether it is a letter that is joined to the one before it.
  private static func isArabic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x620, 0x622...0x63f, 0x641...0x64a, 0x66e...0x673, 0x675...0x6d3, 0x6d5, 0x6ee...0x6ef,
      0x6fa...0x6fc, 0x6ff, 0x750...0x77f, 0x8a0...0x8ac, 0x8ae...0x8c8:
      scalar.properties.isAlphabetic
    default: false
    }
  }

  /// Whether it is a letter that the next one is never joined to (Joining_Type R).
  private static func endsJoining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x622...0x625, 0x627, 0x629, 0x62f...0x632, 0x648, 0x671...0x673, 0x675...0x677, 0x688...0x699,
      0x6c0, 0x6c3...0x6cb, 0x6cd, 0x6cf, 0x6d2...0x6d3, 0x6d5, 0x6ee...0x6ef, 0x759...0x75b,
      0x76b...0x76c, 0x771, 0x773...0x774, 0x778...0x779, 0x8aa...0x8ac, 0x8ae, 0x8b1...0x8b2, 0x8b9:
      true
    default: false
    }
  }
}
