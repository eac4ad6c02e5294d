/// What the first bytes of a file say about its format, if they leave no doubt.
public enum FileContent {
  /// Whether a string in UTF-8 starts like an array or objects of JSON.
  public static func isJSON(_ text: [UInt8]) -> Bool {
    let tokens = text.lazy.filter { $0 > 0x20 }.prefix(2)
    return switch (tokens.first, tokens.dropFirst().first) {
    case (UInt8(ascii: "["), UInt8(ascii: "{")), (UInt8(ascii: "["), UInt8(ascii: "]")),
      (UInt8(ascii: "{"), UInt8(ascii: "\"")), (UInt8(ascii: "{"), UInt8(ascii: "}")):
      true
    default: false
    }
  }

  /// Whether a string in UTF-8 starts like a vCard.
  public static func isVCard(_ text: [UInt8]) -> Bool {
    let start = text.drop { $0 <= 0x20 }.prefix(card.count)
    return start.map { $0 & 0xdf } == card.map { $0 & 0xdf }
  }

  /// Whether a string in UTF-8 starts like LDIF: with its version or the name of an entry.
  public static func isLDIF(_ text: [UInt8]) -> Bool {
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
  public static func foreignKind(_ bytes: [UInt8]) -> String? {
    marks.first { bytes.starts(with: $0.mark) }?.name
  }

  /// The kind of a database, which may be a customers file.
  public static let database = "an SQLite database"

  /// The first bytes of some formats.
  private static let marks: [(mark: [UInt8], name: String)] = [
    (Array("SQLite format 3\0".utf8), database),
    ([0x50, 0x4b, 0x03, 0x04], "a spreadsheet or another zip file"),
    ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "an old Office file"),
    ([0x1f, 0x8b], "compressed with gzip"), (Array("%PDF-".utf8), "a PDF"),
    (Array("<?xml".utf8), "XML"), (Array("<!DOCTYPE".utf8), "HTML"), (Array("<html".utf8), "HTML"),
  ]
}
