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
