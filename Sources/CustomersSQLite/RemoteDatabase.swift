/// A database of an engine that is reached over a network and understands SQLite's SQL.
public protocol RemoteDatabase: AnyObject {
  /// Runs a statement that returns rows.
  ///
  /// - Throws: the engine's error. After `.busy`, nothing has happened, and the statement can be run again.
  func query(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> any RemoteRows
  /// Runs statements that return no rows; `values` are the parameters of the first one.
  func execute(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError)
  /// The id of the last inserted row.
  var lastInsertedID: Int64 { get }
  /// Whether a transaction is open.
  var isInTransaction: Bool { get }
  /// The maximum number of parameters of a statement.
  var mostValues: Int { get }
  /// Sets how long the statements that follow try to reach the engine and whether they keep trying.
  func wait(_ timeout: Duration, while shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool)
}

/// The rows of a query, which arrive over a network in batches.
public protocol RemoteRows: AnyObject {
  /// The next batch; nil at the end.
  func next() throws(SQLiteError) -> RemoteBatch?
  /// Discards the rows that have not been read.
  func discard()
}

/// A batch of rows as it arrived over a network: its bytes and the positions of the values in them.
public struct RemoteBatch {
  /// One value.
  public enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    /// The range of a UTF-8 text.
    case text(Range<Int>)
    /// The range of a blob.
    case blob(Range<Int>)
  }

  let bytes: [UInt8]
  let columnCount: Int
  /// The values of all rows, row by row.
  let cells: [Cell]

  /// Creates a batch of rows with `columnCount` values each; their ranges must be within `bytes`.
  public init(bytes: [UInt8], columnCount: Int, cells: [Cell]) {
    precondition(columnCount > 0 && cells.count % columnCount == 0, "each row needs a value for every column")
    (self.bytes, self.columnCount, self.cells) = (bytes, columnCount, cells)
  }

  var rowCount: Int { cells.count / columnCount }
}
