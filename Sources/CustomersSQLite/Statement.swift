/// A running prepared statement, which returns rows one after another.
///
/// Not a `Sequence`: reading a row can fail, and an iterator has no way to say so.
public struct Statement: ~Copyable {
  /// The statement of the engine that prepared it.
  let backend: any StatementBackend

  init(_ backend: any StatementBackend) { self.backend = backend }

  /// Steps to the next row.
  ///
  /// - Returns: whether there is one.
  public borrowing func step() throws(SQLiteError) -> Bool { try backend.step() }

  /// Whether column `index` (0-based) of the current row is `NULL`.
  public borrowing func isNull(_ index: Int32) -> Bool { backend.isNull(index) }

  /// Column `index` (0-based) of the current row as a whole number.
  public borrowing func integer(_ index: Int32) -> Int64 { backend.integer(index) }

  /// Column `index` (0-based) of the current row as an `Int` to count with.
  ///
  /// Only a damaged file has numbers beyond ±2^53; they are clamped, so that adding one does not trap.
  public borrowing func int(_ index: Int32) -> Int {
    let limit: Int64 = 1 << 53
    return Int(min(max(integer(index), -limit), limit))
  }

  /// Column `index` (0-based) of the current row as true or false.
  public borrowing func bool(_ index: Int32) -> Bool { integer(index) != 0 }

  /// The maximum number of bytes of all values of one statement, and of one text that is read.
  public static var longestText: Int { 16_000_000 }

  /// Column `index` (0-based) of the current row as text.
  ///
  /// Invalid UTF-8 is shown as U+FFFD; a string that is too long is shown by its beginning and its length.
  /// `isText` says whether the text is intact.
  public borrowing func text(_ index: Int32) -> String { backend.text(index) }

  /// Whether column `index` (0-based) of the current row is a UTF-8 text that `text` returns unchanged.
  public borrowing func isText(_ index: Int32) -> Bool { backend.isText(index) }

  /// How many columns the rows have.
  public var columnCount: Int32 { backend.columnCount }

  /// Column `index` (0-based) of the current row; nil if it is neither UTF-8 text, nor a whole number, nor
  /// `NULL`.
  public borrowing func value(_ index: Int32) -> SQLiteValue? {
    if isNull(index) { return .null }
    if isText(index) { return .text(text(index)) }
    return backend.isInteger(index) ? .integer(integer(index)) : nil
  }

  borrowing func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    let size = values.reduce(0) { size, value in
      if case .text(let text) = value { size + text.utf8.count } else { size }
    }
    guard size <= Self.longestText else {
      throw SQLiteError(code: .tooBig, message: "a value is too long", sql: backend.sql)
    }
    try backend.bind(values)
  }

  /// Binds a value to a parameter (1-based).
  public borrowing func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
    try backend.bind(value, at: index)
  }

  /// Binds an integer to a parameter (1-based).
  public borrowing func bind(_ number: Int64, at index: Int32) throws(SQLiteError) {
    try bind(.integer(number), at: index)
  }

  /// Binds a string to a parameter (1-based).
  public borrowing func bind(_ text: String, at index: Int32) throws(SQLiteError) {
    try bind(.text(text), at: index)
  }
}

/// A value bound to a parameter of a statement.
public enum SQLiteValue: Equatable, Sendable {
  /// `NULL`.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A string; its length is counted in bytes, so it may contain NULs.
  case text(String)

  /// A whole number.
  public static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
  /// 0 or 1.
  public static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}
