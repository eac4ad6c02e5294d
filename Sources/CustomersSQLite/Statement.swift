internal import CSQLite

/// A running prepared statement, which returns rows one after another.
///
/// Not a `Sequence`: reading a row can fail, and an iterator has no way to say so.
@safe public struct Statement: ~Copyable {
  /// SQLite's handle; nil if the statement runs over a network.
  let handle: OpaquePointer?
  /// The statement that runs over a network; nil if there is a handle.
  private let remote: RemoteStatement!

  init(handle: OpaquePointer) { unsafe (self.handle, remote) = (handle, nil) }

  init(_ remote: RemoteStatement) { unsafe (handle, self.remote) = (nil, remote) }

  /// Steps to the next row.
  ///
  /// - Returns: whether there is one.
  public borrowing func step() throws(SQLiteError) -> Bool {
    guard let handle = unsafe handle else { return try remote.step() }
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  /// Whether column `index` (0-based) of the current row is `NULL`.
  public borrowing func isNull(_ index: Int32) -> Bool {
    guard let handle = unsafe handle else { return remote.isNull(index) }
    return unsafe sqlite3_column_type(handle, index) == SQLITE_NULL
  }

  /// Column `index` (0-based) of the current row as a whole number.
  public borrowing func integer(_ index: Int32) -> Int64 {
    guard let handle = unsafe handle else { return remote.integer(index) }
    return unsafe sqlite3_column_int64(handle, index)
  }

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
  /// Invalid UTF-8 is shown as U+FFFD; a text that is too long is shown by its beginning and its length.
  /// `isText` says whether the text is intact.
  public borrowing func text(_ index: Int32) -> String {
    guard let handle = unsafe handle else { return remote.text(index) }
    guard let start = unsafe sqlite3_column_text(handle, index) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(handle, index))
    guard count <= Self.longestText else {
      let beginning = unsafe UnsafeBufferPointer(start: start, count: 1000)
      return unsafe String(decoding: beginning, as: UTF8.self) + "… (\(count) bytes)"
    }
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Whether column `index` (0-based) of the current row is a UTF-8 text that `text` returns unchanged.
  public borrowing func isText(_ index: Int32) -> Bool {
    guard let handle = unsafe handle else { return remote.isText(index) }
    guard unsafe sqlite3_column_type(handle, index) == SQLITE_TEXT,
      let start = unsafe sqlite3_column_text(handle, index)
    else { return false }
    let bytes = unsafe UnsafeBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, index)))
    guard bytes.count <= Self.longestText else { return false }
    return unsafe String(validating: bytes, as: UTF8.self) != nil
  }

  /// How many columns the rows have.
  public var columnCount: Int32 {
    guard let handle = unsafe handle else { return remote.columnCount }
    return unsafe sqlite3_column_count(handle)
  }

  /// Column `index` (0-based) of the current row; nil if it is neither UTF-8 text, nor a whole number, nor
  /// `NULL`.
  public borrowing func value(_ index: Int32) -> SQLiteValue? {
    if isNull(index) { return .null }
    if isText(index) { return .text(text(index)) }
    return isInteger(index) ? .integer(integer(index)) : nil
  }

  private borrowing func isInteger(_ index: Int32) -> Bool {
    guard let handle = unsafe handle else { return remote.isInteger(index) }
    return unsafe sqlite3_column_type(handle, index) == SQLITE_INTEGER
  }

  borrowing func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    let size = values.reduce(0) { size, value in
      if case .text(let text) = value { size + text.utf8.count } else { size }
    }
    guard size <= Self.longestText else {
      throw SQLiteError(code: .tooBig, message: "a text is too long", sql: sql)
    }
    guard let handle = unsafe handle else { return remote.values = values }
    let wanted = unsafe Int(sqlite3_bind_parameter_count(handle))
    precondition(wanted == values.count, "the statement has \(wanted) parameters, not \(values.count)")
    var index: Int32 = 1
    for value in values {
      let code =
        switch value {
        case .null: unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
        case .text(let text): bind(text, index)
        }
      guard code == SQLITE_OK else { throw error(code) }
      index += 1
    }
  }

  /// Binds an integer to a parameter (1-based).
  public borrowing func bind(_ number: Int64, at index: Int32) throws(SQLiteError) {
    guard let handle = unsafe handle else { return remote.bind(.integer(number), at: index) }
    let code = unsafe sqlite3_bind_int64(handle, index, number)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Binds a text to a parameter (1-based).
  public borrowing func bind(_ text: String, at index: Int32) throws(SQLiteError) {
    guard unsafe handle != nil else { return remote.bind(.text(text), at: index) }
    let code = bind(text, index)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Binds a value to a parameter (1-based).
  public borrowing func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
    switch value {
    case .integer(let number): try bind(number, at: index)
    case .text(let text): try bind(text, at: index)
    case .null:
      guard let handle = unsafe handle else { return remote.bind(.null, at: index) }
      let code = unsafe sqlite3_bind_null(handle, index)
      guard code == SQLITE_OK else { throw error(code) }
    }
  }

  /// Resets to the start; the values stay bound.
  borrowing func rewind() { unsafe sqlite3_reset(handle) }

  private borrowing func bind(_ text: String, _ index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      // A null pointer would be NULL, not an empty text.
      guard let start = bytes.baseAddress, bytes.count > 0 else {
        return unsafe csqlite_bind_empty_text(handle, index)
      }
      return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
        unsafe sqlite3_bind_text64(
          handle, index, start, UInt64(bytes.count), CSQLITE_TRANSIENT, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Resets the statement and clears its values.
  borrowing func reset() {
    guard let handle = unsafe handle else { return remote.reset() }
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  private borrowing func error(_ code: Int32) -> SQLiteError {
    unsafe SQLiteError(code, of: sqlite3_db_handle(handle), sql: sql)
  }

  private var sql: String {
    guard let handle = unsafe handle else { return remote.sql }
    return unsafe String(cString: sqlite3_sql(handle))
  }

  /// The bound values of a statement that runs over a network.
  borrowing func remoteValues() -> [SQLiteValue] { remote.values }
}
