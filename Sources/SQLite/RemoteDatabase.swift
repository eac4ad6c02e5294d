/// A database of another engine, which is reached over a network and speaks SQLite's SQL.
public protocol RemoteDatabase: AnyObject {
  /// Runs a statement that gives rows.
  ///
  /// - Throws: what the engine says. Of `.busy` nothing has happened, and the statement may be run again.
  func query(_ sql: String, _ values: [Value]) throws(SQLiteError) -> any RemoteRows
  /// Runs statements for what they do; the values are those of the first one.
  func execute(_ sql: String, _ values: [Value]) throws(SQLiteError)
  /// The id of the row inserted last.
  var lastInsertedID: Int64 { get }
  /// Whether a transaction is open.
  var isInTransaction: Bool { get }
  /// The most values that a statement can have.
  var mostValues: Int { get }
  /// Sets how long the following statements look for the engine, and whether they go on looking.
  func wait(_ timeout: Duration, while goesOn: @escaping @Sendable (_ pause: Duration) -> Bool)
}

/// The rows of a query, which come over a network some at a time.
public protocol RemoteRows: AnyObject {
  /// The next rows; nil at the end.
  func next() throws(SQLiteError) -> RemoteBatch?
  /// Forgets the rows that have not been read.
  func discard()
}

/// Some rows of a query as they came over a network: their bytes, and where the values are in them.
public struct RemoteBatch {
  /// One value.
  public enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    /// A text of UTF-8, and where it is.
    case text(Range<Int>)
    /// A blob, and where it is.
    case blob(Range<Int>)
  }

  let bytes: [UInt8]
  let columnCount: Int
  /// The values of all rows, one row after another.
  let cells: [Cell]

  /// Takes rows of `columnCount` values; the ranges in them must be inside `bytes`.
  public init(bytes: [UInt8], columnCount: Int, cells: [Cell]) {
    precondition(columnCount > 0 && cells.count % columnCount == 0, "rows have values for all columns")
    (self.bytes, self.columnCount, self.cells) = (bytes, columnCount, cells)
  }

  var rowCount: Int { cells.count / columnCount }
}
