internal import CustomerStore
internal import CustomersFormats

/// How a file is read, and what happens to its columns and to customers that are already in the list.
public struct ImportOptions: Sendable {
  /// What happens to a customer that is already in the list.
  public enum DuplicateHandling: String, CaseIterable, Sendable {
    /// It is added again.
    case add
    /// The list keeps what it has.
    case skip
    /// What the file states replaces what the customer has in the same field, or with the same label; cards add to it.
    case update
  }

  /// The format of the file.
  public var format: FileFormat
  /// The encoding of the file; nil to recognize it: UTF-8 unless a byte order mark or the first bytes say
  /// otherwise.
  public var encoding: FileEncoding?
  /// The character between the fields of a table; nil to detect it.
  public var delimiter: Character?
  /// Whether the first line of a table names the columns; otherwise they are called `1`, `2`, ….
  public var hasHeader = true
  /// Whether a row may have fewer values than there are columns: the last ones are then empty.
  public var fillsShortRows = false
  /// The values that mean "no value", such as NULL.
  public var nullTexts: [String] = []
  /// What happens to customers that are already in the list.
  public var duplicates = DuplicateHandling.add
  /// The columns by which customers in the list are recognized: all values must be the same; none for any of the
  /// e-mail addresses.
  public var keys: [String] = []
  /// Whether an import fails that would add customers which the list has already, by name and e-mail address or phone.
  public var refusesKnown = false
  /// Whether such customers are only counted.
  package var countsKnown = false
  /// The side that wins where the list and a returned file were both changed; nil to refuse the import.
  public var conflictWinner: ConflictSide?
  /// Whether rows that have another place in a returned file are moved there.
  public var takesOrder = false
  /// Whether customers that are missing in a returned file are deleted.
  public var deletesMissing = false
  /// Whether rows that can't be imported are left out; otherwise one of them prevents the import.
  public var skipsRejectedRows = false
  /// Whether a file is imported even if none of its columns matches a field; a table with a header needs a name that
  /// is known, or a mapping, because its first line may be a customer.
  public var acceptsUnmatchedColumns = false
  /// The targets of columns that are not matched by name; see `map(_:to:)`.
  public private(set) var mapping: [ImportedColumn] = []

  /// Creates the options of a format.
  public init(format: FileFormat = .csv) { self.format = format }

  /// Sets the target of a column; without a target, columns are matched to fields by name and synonym.
  ///
  /// - Parameters:
  ///   - column: its name in the file; case, spaces, `-`, and `_` are ignored if no column has exactly it.
  ///   - target: what it is imported as.
  /// - Throws: `TransferError` if the column or the target has been used already.
  public mutating func map(_ column: String, to target: ColumnTarget) throws {
    guard !mapping.contains(where: { $0.name == column }) else {
      throw TransferError.columnMappedTwice(column)
    }
    guard !mapping.contains(where: { $0.target.writesOver(target) }) else {
      throw TransferError.targetMappedTwice(target)
    }
    mapping.append(ImportedColumn(name: column, target: target))
  }

  /// Whether a character can be the delimiter: an ASCII character other than a line end or a quote.
  public static func isDelimiter(_ character: Character) -> Bool {
    character.utf8.count == 1 && !"\"\n\r".contains(character)
  }
}

/// A side of a conflict.
public enum ConflictSide: String, CaseIterable, Sendable {
  /// The list.
  case ours
  /// The file.
  case theirs
}

/// How the characters of a file are written as bytes.
public enum FileEncoding: String, CaseIterable, Sendable {
  /// UTF-8.
  case utf8 = "utf-8"
  /// UTF-16, in the byte order given by the mark at the start or shown by its ASCII characters.
  case utf16 = "utf-16"
  /// ISO 8859-1.
  case latin1
  /// Windows 1252.
  case windows1252 = "windows-1252"
  /// Mac OS Roman.
  case macRoman = "mac-roman"
  /// Windows 1250, for the languages of Central Europe.
  case windows1250 = "windows-1250"
  /// Windows 1251, for Cyrillic.
  case windows1251 = "windows-1251"
  /// Windows 1253, for Greek.
  case windows1253 = "windows-1253"
  /// Windows 1254, for Turkish.
  case windows1254 = "windows-1254"
  /// ISO 8859-2, for the languages of Central Europe.
  case iso8859Part2 = "iso-8859-2"
  /// ISO 8859-5, for Cyrillic.
  case iso8859Part5 = "iso-8859-5"
  /// ISO 8859-7, for Greek.
  case iso8859Part7 = "iso-8859-7"
  /// ISO 8859-9, for Turkish.
  case iso8859Part9 = "iso-8859-9"
  /// ISO 8859-15: Latin 1 with the euro sign.
  case iso8859Part15 = "iso-8859-15"
  /// KOI8-R, for Russian.
  case koi8R = "koi8-r"

  /// The encoding of a decoder.
  init(_ encoding: TextEncoding) { self = FileEncoding(rawValue: encoding.rawValue) ?? .utf8 }

  /// The encoding for a decoder.
  var textEncoding: TextEncoding { TextEncoding(rawValue: rawValue) ?? .utf8 }
}
