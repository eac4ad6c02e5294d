/// How a table of values is written: what separates its fields, and how a field can contain the separator.
public enum TableDialect: Equatable, Sendable {
  /// RFC 4180 with any ASCII character between fields. A field in quotes may contain everything but NUL.
  case separated(by: Character)
  /// Tabs between fields and one line per row: a tab, line feed, carriage return, or backslash in a field
  /// is written `\t`, `\n`, `\r` or `\\`.
  ///
  /// So programs that know nothing about quotes can split the rows. Quoted fields, as spreadsheets write
  /// them, can be read, too; only a field that starts with a quote is written in quotes.
  case tsv

  /// Commas between fields.
  public static let csv = TableDialect.separated(by: ",")

  /// The byte between fields.
  var separator: UInt8 {
    switch self {
    case .separated(let character): character.asciiValue ?? 0x2c
    case .tsv: 0x09
    }
  }

  /// Whether a backslash starts an escape.
  var hasEscapes: Bool { self == .tsv }
}

/// The escapes of TSV.
enum TSVEscape {
  static let backslash: UInt8 = 0x5c

  /// The letter after the backslash for a byte that must be escaped.
  static func letter(for byte: UInt8) -> UInt8? {
    switch byte {
    case 0x09: UInt8(ascii: "t")
    case 0x0a: UInt8(ascii: "n")
    case 0x0d: UInt8(ascii: "r")
    case backslash: backslash
    default: nil
    }
  }

  /// The byte for a letter after the backslash; nil if there is none.
  static func byte(for letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case backslash: backslash
    default: nil
    }
  }
}
