/// A prepared statement of one engine; `Statement` is the same for all of them.
protocol StatementBackend: AnyObject {
  var sql: String { get }
  var columnCount: Int32 { get }

  /// Steps to the next row; returns whether there is one.
  func step() throws(SQLiteError) -> Bool

  func isNull(_ index: Int32) -> Bool
  func isInteger(_ index: Int32) -> Bool
  /// Whether a column is UTF-8 text that `text` returns unchanged.
  func isText(_ index: Int32) -> Bool
  func integer(_ index: Int32) -> Int64
  /// A column as text; of one that is longer than `Statement.longestText`, its beginning and its length.
  func text(_ index: Int32) -> String

  /// Binds all parameters.
  func bind(_ values: [SQLiteValue]) throws(SQLiteError)
  /// Binds a parameter (1-based).
  func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError)

  /// Resets to the start; the values stay bound.
  func rewind()
  /// Resets to the start and clears the values.
  func reset()
}
