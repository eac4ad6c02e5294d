internal import CSQLite

/// A statement of SQLite in this process.
@safe final class LocalStatement: StatementBackend {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe sqlite3_finalize(handle) }

  var sql: String { unsafe String(cString: sqlite3_sql(handle)) }

  var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  func isNull(_ index: Int32) -> Bool { unsafe sqlite3_column_type(handle, index) == SQLITE_NULL }

  func isInteger(_ index: Int32) -> Bool { unsafe sqlite3_column_type(handle, index) == SQLITE_INTEGER }

  func isText(_ index: Int32) -> Bool {
    guard unsafe sqlite3_column_type(handle, index) == SQLITE_TEXT,
      let start = unsafe sqlite3_column_text(handle, index)
    else { return false }
    let count = unsafe Int(sqlite3_column_bytes(handle, index))
    guard count > 0 else { return true }
    guard count <= Statement.longestText else { return false }
    do {
      _ = try unsafe UTF8Span(validating: UnsafeBufferPointer(start: start, count: count).span)
      return true
    } catch {
      return false
    }
  }

  func integer(_ index: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, index) }

  func text(_ index: Int32) -> String {
    guard let start = unsafe sqlite3_column_text(handle, index) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(handle, index))
    guard count > 0 else { return "" }
    guard count <= Statement.longestText else {
      let beginning = unsafe UnsafeBufferPointer(start: start, count: 1000)
      return unsafe String(decoding: beginning, as: UTF8.self) + "… (\(count) bytes)"
    }
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    let wanted = unsafe Int(sqlite3_bind_parameter_count(handle))
    precondition(wanted == values.count, "the statement has \(wanted) parameters, not \(values.count)")
    var index: Int32 = 1
    for value in values {
      try bind(value, at: index)
      index += 1
    }
  }

  func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
    let code =
      switch value {
      case .null: unsafe sqlite3_bind_null(handle, index)
      case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
      case .text(let text): bind(text, index)
      }
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Binds a value as it was stored.
  func bind(_ value: StoredValue, at index: Int32) throws(SQLiteError) {
    let code =
      switch value {
      case .null: unsafe sqlite3_bind_null(handle, index)
      case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
      case .real(let number): unsafe sqlite3_bind_double(handle, index, number)
      case .text(let bytes): unsafe bytes.withUnsafeBufferPointer { unsafe bind($0, index) }
      case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(handle, index, 0)
      case .blob(let bytes):
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), CSQLITE_TRANSIENT)
        }
      }
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func bind(_ text: String, _ index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in unsafe bind(bytes, index) }
  }

  private func bind(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) -> Int32 {
    // A null pointer would be NULL, not an empty text.
    guard let start = text.baseAddress, text.count > 0 else {
      return unsafe csqlite_bind_empty_text(handle, index)
    }
    return unsafe start.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
      unsafe sqlite3_bind_text64(
        handle, index, start, UInt64(text.count), CSQLITE_TRANSIENT, UInt8(SQLITE_UTF8))
    }
  }

  func rewind() { unsafe sqlite3_reset(handle) }

  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  private func error(_ code: Int32) -> SQLiteError {
    unsafe SQLiteError(code, of: sqlite3_db_handle(handle), sql: sql)
  }
}
