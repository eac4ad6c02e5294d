internal import CustomersText

/// Recognizes encodings by the bytes of a string in a Western language.
package enum EncodingGuess {
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
  static func oneByte(in bytes: [UInt8]) throws -> FileEncoding? {
    guard let guess = legacy(bytes) else { return nil }
    guard FileContent.isVCard(bytes) else {
      guard !isShiftJIS(bytes) else {
        let start = bytes.firstIndex { $0 >= 0x80 } ?? 0
        throw ParseError(
          line: bytes[..<start].count { $0 == 0x0a } + 1,
          message: "text in Shift_JIS, which can't be read; convert the file with iconv -f CP932 -t UTF-8")
      }
      return guess
    }
    var named: FileEncoding?
    var line = 1
    for text in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
      if text.contains(where: { $0 >= 0x80 }), let name = FileEncoding.named(in: text) {
        guard let encoding = FileEncoding(charset: name) else {
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
  package static func legacy(_ bytes: [UInt8]) -> FileEncoding? {
    guard (try? UTF8Span(validating: bytes.span)) == nil else { return nil }
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

  /// Whether a string is in the encoding of Japanese spreadsheets: most of its characters of two bytes follow one another.
  ///
  /// - Parameter bytes: the text, which may end within a character.
  /// - Returns: whether it is.
  package static func isShiftJIS(_ bytes: [UInt8]) -> Bool {
    var (index, last, count, following) = (0, -1, 0, 0)
    while index < bytes.count {
      switch bytes[index] {
      case 0x81...0x9f, 0xe0...0xfc:
        guard index + 1 < bytes.count else { index += 1; continue }
        guard (0x40...0xfc).contains(bytes[index + 1]), bytes[index + 1] != 0x7f else { return false }
        count += 1
        if last == index { following += 1 }
        index += 2
        last = index
      case 0x80, 0xa0, 0xfd...0xff: return false
      default: index += 1
      }
    }
    return following > 1 && following * 2 > count
  }

  /// The encoding of a string that is not UTF-8.
  private static func oneByte(_ bytes: [UInt8]) -> FileEncoding {
    var (windows, mac) = (0, 0)
    // What the last „ of the line has added to `mac`, until “ ends the quotation.
    var quoted: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      // The letters with accents of Mac Roman are punctuation in Windows 1252, which is not inside a word; but
      // the apostrophe is.
      switch byte {
      case 0x0a, 0x0d: quoted = nil
      case 0xc0...0xff: windows += 1
      case 0x92: break
      case 0x80...0x9f, 0xa7, 0xbe, 0xbf:
        let (before, after) = (isLetter(bytes, index - 1), isLetter(bytes, index + 1))
        // As Ñ and ì, both may be letters of a word, but not of one language.
        if byte == 0x93, !after, let count = quoted {
          (windows, mac, quoted) = (windows + 1, mac - count, nil)
          continue
        }
        let isPunctuation = isPunctuation(bytes, index, before: before, after: after)
        if isPunctuation { windows += 1 }
        let count = (before || after) && !isPunctuation ? 1 : 0
        mac += count
        if byte == 0x84, !before { quoted = count }
      default: break
      }
    }
    if mac > windows { return .macRoman }
    return bytes.contains { [0x81, 0x8d, 0x8f, 0x90, 0x9d].contains($0) } ? .latin1 : .windows1252
  }

  /// Whether a byte is beside a letter, before or after it, as punctuation of Windows 1252 is, and not as a letter of Mac
  /// Roman.
  private static func isPunctuation(_ bytes: [UInt8], _ index: Int, before: Bool, after: Bool) -> Bool {
    // Núñez and informação have two such letters, one after the other.
    func isASCII(_ index: Int) -> Bool { !bytes.indices.contains(index) || bytes[index] < 0x80 }
    return switch (before, after) {
    case (false, false): false
    // Words don't begin with ã ë ì ï ñ, which are ‹ ‘ “ • –.
    case (false, true):
      bytes[index] == 0x93 || [0x8b, 0x91, 0x95, 0x96].contains(bytes[index]) && isASCII(index - 1)
    // Words don't end with î ñ õ, which are ” – ›, nor with an uppercase letter after a lowercase one, as € … † are.
    case (true, false):
      bytes[index] == 0x94 || [0x96, 0x9b].contains(bytes[index]) && isASCII(index + 1)
        || (0x80...0x86).contains(bytes[index]) && isLowercase(bytes[index - 1])
    // Mon–Fri
    case (true, true): isLowercase(bytes[index - 1]) && !isLowercase(bytes[index + 1])
    }
  }

  private static func isLowercase(_ letter: UInt8) -> Bool { (0x61...0x7a).contains(letter) }

  private static func isLetter(_ bytes: [UInt8], _ index: Int) -> Bool {
    bytes.indices.contains(index) && (0x61...0x7a).contains(bytes[index] | 0x20)
  }
}

/// What the first bytes of a file say about its format, if they leave no doubt.
package enum FileContent {
  /// Whether a string in UTF-8 starts like an array or objects of JSON.
  package static func isJSON(_ text: [UInt8]) -> Bool {
    let tokens = text.lazy.filter { $0 > 0x20 }.prefix(2)
    return switch (tokens.first, tokens.dropFirst().first) {
    case (UInt8(ascii: "["), UInt8(ascii: "{")), (UInt8(ascii: "["), UInt8(ascii: "]")),
      (UInt8(ascii: "{"), UInt8(ascii: "\"")), (UInt8(ascii: "{"), UInt8(ascii: "}")):
      true
    default: false
    }
  }

  /// Whether a string in UTF-8 starts like a vCard.
  package static func isVCard(_ text: [UInt8]) -> Bool {
    let start = text.drop { $0 <= 0x20 }.prefix(card.count)
    return start.map { $0 & 0xdf } == card.map { $0 & 0xdf }
  }

  /// Whether a string in UTF-8 starts like LDIF: with its version or the name of an entry.
  package static func isLDIF(_ text: [UInt8]) -> Bool {
    let lines = text.prefix(4096).split { $0 == 0x0a || $0 == 0x0d }
    let first = lines.first { $0.first != UInt8(ascii: "#") }?.prefix(9)
    let start = String(decoding: first ?? [], as: UTF8.self).lowercased()
    return start.hasPrefix("version:") || start.hasPrefix("dn:")
  }

  private static let card = Array("BEGIN:VCARD".utf8)

  /// A format without a reader, as in "the file is a PDF": a spreadsheet, a database, a compressed file.
  ///
  /// - Parameter bytes: the first bytes, as in the file.
  /// - Returns: the name of the format; nil for any other file.
  package static func foreignKind(_ bytes: [UInt8]) -> String? {
    marks.first { bytes.starts(with: $0.mark) }?.name
  }

  /// The kind of a database, which may be a customers file.
  package static let database = "an SQLite database"

  /// The kind of a zip file, which may be a spreadsheet.
  package static let zip = "a spreadsheet or another zip file"

  /// The first bytes of some formats.
  private static let marks: [(mark: [UInt8], name: String)] = [
    (Array("SQLite format 3\0".utf8), database),
    ([0x50, 0x4b, 0x03, 0x04], zip),
    ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "an old Office file"),
    ([0x1f, 0x8b], "compressed with gzip"), (Array("%PDF-".utf8), "a PDF"),
    (Array("<?xml".utf8), "XML"), (Array("<!DOCTYPE".utf8), "HTML"), (Array("<html".utf8), "HTML"),
  ]
}
