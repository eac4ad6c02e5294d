public import CustomerStore

/// A column of a file, and what it is imported as.
public struct ImportedColumn: Hashable, Sendable {
  /// The name in the file.
  public var name: String
  /// What it is imported as.
  public var target: ColumnTarget

  /// Creates a column.
  public init(name: String, target: ColumnTarget) {
    self.name = name
    self.target = target
  }
}

/// What an import did, or as a preview what it would do.
public struct ImportSummary: Hashable, Sendable {
  /// The columns of the file.
  public var columns: [ImportedColumn] = []
  /// Extra columns that are the same but for case, accents, spaces, `-` and `_`, if the file has one of them
  /// that is new to the list: both are kept, and each is reached by its exact name.
  public var similarColumns: [[String]] = []
  /// The character between the fields, if it was detected.
  public var delimiter: Character?
  /// The first customer of the file, as it is imported; nil if no row can be imported.
  public var first: NewCustomer?
  /// How many customers were added to the list.
  public var added = 0
  /// How many customers of the list were changed.
  public var updated = 0
  /// How many customers of the file were in the list already and changed nothing.
  public var skipped = 0
  /// How many rows can't be imported.
  public var rejected = 0
}

/// A row of a table that can't be imported.
public struct RejectedRow: Hashable, Sendable {
  /// Where the row is, or what is wrong in it.
  public var place: FilePlace
  /// What is wrong, without a value of the file.
  public var reason: String
  /// The row as it is in the file, with its line end.
  public var bytes: [UInt8]
  /// The bytes of the file before its rows: a byte order mark and the names of the columns, if there are any.
  public var header: [UInt8]
  /// The row in UTF-8.
  package var text: [UInt8]
}
