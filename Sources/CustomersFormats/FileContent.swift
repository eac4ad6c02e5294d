/// The format of a file, if its first bytes leave no doubt.
public enum FileContent: Equatable, Sendable {
  /// Text of any kind; a table may be anything.
  case text
  /// An array or objects of JSON.
  case json
  /// A vCard.
  case vcard
  /// A format without a reader: a spreadsheet, a database, a compressed file.
  case foreign(String)

  /// A database, which may be a customers file.
  public static let database = FileContent.foreign("an SQLite database")

  /// Examines bytes as they are in the file.
  public init(bytes: some Collection<UInt8>) {
    let foreign = FileContent.marks.first { bytes.starts(with: $0.mark) }
    self = foreign.map { .foreign($0.name) } ?? .text
  }

  /// Examines the start of a text in UTF-8.
  public init(text: some Collection<UInt8>) {
    let tokens = text.lazy.filter { $0 > 0x20 }.prefix(2)
    switch (tokens.first, tokens.dropFirst().first) {
    case (UInt8(ascii: "["), UInt8(ascii: "{")), (UInt8(ascii: "["), UInt8(ascii: "]")),
      (UInt8(ascii: "{"), UInt8(ascii: "\"")), (UInt8(ascii: "{"), UInt8(ascii: "}")):
      self = .json
    default:
      let start = text.drop { $0 <= 0x20 }.prefix(FileContent.card.count)
      self = start.map { $0 & 0xdf } == FileContent.card.map { $0 & 0xdf } ? .vcard : .text
    }
  }

  private static let card = Array("BEGIN:VCARD".utf8)

  /// The first bytes of some formats.
  private static let marks: [(mark: [UInt8], name: String)] = [
    (Array("SQLite format 3\0".utf8), "an SQLite database"),
    ([0x50, 0x4b, 0x03, 0x04], "a spreadsheet or another zip file"),
    ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "an old Office file"),
    ([0x1f, 0x8b], "compressed with gzip"), (Array("%PDF-".utf8), "a PDF"),
    (Array("<?xml".utf8), "XML"), (Array("<!DOCTYPE".utf8), "HTML"), (Array("<html".utf8), "HTML"),
  ]
}
