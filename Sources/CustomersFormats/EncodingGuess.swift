/// Recognizes encodings by the bytes of a string in a Western language.
public enum EncodingGuess {
  /// The order of the bytes of a unit of UTF-16.
  enum ByteOrder {
    case big, little
  }

  /// The order of UTF-16 without a mark; nil if the text is not UTF-16: its ASCII characters show, each with a
  /// zero byte.
  static func utf16Order(_ bytes: [UInt8]) -> ByteOrder? {
    let start = bytes.prefix(4096)
    let pairs = start.count / 2
    var zeros = [0, 0]
    for (index, byte) in start.enumerated() where byte == 0 { zeros[index % 2] += 1 }
    let (most, least) = (max(zeros[0], zeros[1]), min(zeros[0], zeros[1]))
    // A table has separators and line ends, whatever the script of its names.
    guard most >= 8, most * 5 > pairs, least * 8 < most else { return nil }
    return zeros[0] == most ? .big : .little
  }

  /// The one-byte encoding of a file; nil if it is ASCII, UTF-8, or UTF-8 with mistakes.
  ///
  /// - Throws: `ParseError` if it has cards that name another encoding, which is unknown.
  static func oneByte(in bytes: [UInt8]) throws -> TextEncoding? {
    guard let guess = legacy(bytes) else { return nil }
    guard FileContent.isVCard(bytes) else { return guess }
    var named: TextEncoding?
    var line = 1
    for text in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
      if text.contains(where: { $0 >= 0x80 }), let name = TextEncoding.named(in: text) {
        guard let encoding = TextEncoding(charset: name) else {
          throw ParseError(
            line: line,
            message: "text in an encoding that can't be read; convert the file to UTF-8 with iconv")
        }
        if encoding != .utf8 { named = named ?? encoding }
      }
      line += 1
    }
    return named ?? guess
  }

  /// The one-byte encoding of a string; nil if it is ASCII, UTF-8, or UTF-8 with mistakes.
  ///
  /// - Parameter bytes: the text, which may end within a character.
  /// - Returns: the encoding.
  public static func legacy(_ bytes: [UInt8]) -> TextEncoding? {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
    var checker = UTF8Checker()
    var (right, wrong) = (0, 0)
    for byte in bytes {
      let wasBetween = checker.isBetweenCharacters
      if checker.accepts(byte) {
        if !wasBetween, checker.isBetweenCharacters { right += 1 }
      } else {
        wrong += 1
        checker = UTF8Checker()
        _ = checker.accepts(byte)
      }
    }
    // Other encodings seldom have a character of UTF-8 by chance, as `’É` of Mac Roman.
    return wrong > 4 * right ? oneByte(bytes) : nil
  }

  /// The encoding of a string that is not UTF-8.
  private static func oneByte(_ bytes: [UInt8]) -> TextEncoding {
    var (windows, mac) = (0, 0)
    for index in bytes.indices {
      // The letters with accents of Mac Roman are punctuation in Windows 1252, which is not inside a word; but
      // the apostrophe is.
      switch bytes[index] {
      case 0xc0...0xff: windows += 1
      case 0x92: break
      case 0x80...0x9f, 0xa7, 0xbe, 0xbf:
        if isLetter(bytes, index - 1) || isLetter(bytes, index + 1) { mac += 1 }
      default: break
      }
    }
    if mac > windows { return .macRoman }
    return bytes.contains { [0x81, 0x8d, 0x8f, 0x90, 0x9d].contains($0) } ? .latin1 : .windows1252
  }

  private static func isLetter(_ bytes: [UInt8], _ index: Int) -> Bool {
    bytes.indices.contains(index) && (0x61...0x7a).contains(bytes[index] | 0x20)
  }
}
