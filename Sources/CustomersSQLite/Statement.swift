internal import CSQLite

/// A running prepared statement, which returns rows one after another.
///
/// Not a `Sequence`: reading a row can fail, and an iterator has no way to say so.
package struct Statement: ~Copyable {
  /// The statement of the engine that prepared it.
  let backend: any StatementBackend

  init(_ backend: any StatementBackend) { self.backend = backend }

  /// Steps to the next row.
  ///
  /// - Returns: whether there is one.
  package borrowing func step() throws(SQLiteError) -> Bool { try backend.step() }

  /// Whether column `index` (0-based) of the current row is `NULL`.
  package borrowing func isNull(_ index: Int32) -> Bool { backend.isNull(index) }

  /// Whether column `index` (0-based) of the current row is a whole number.
  package borrowing func isInteger(_ index: Int32) -> Bool { backend.isInteger(index) }

  /// Column `index` (0-based) of the current row as a whole number.
  package borrowing func integer(_ index: Int32) -> Int64 { backend.integer(index) }

  /// Column `index` (0-based) of the current row as an `Int` to count with.
  ///
  /// Only a damaged file has numbers beyond ±2^53; they are clamped, so that adding one does not trap.
  package borrowing func int(_ index: Int32) -> Int {
    let limit: Int64 = 1 << 53
    return Int(min(max(integer(index), -limit), limit))
  }

  /// Column `index` (0-based) of the current row as true or false.
  package borrowing func bool(_ index: Int32) -> Bool { integer(index) != 0 }

  /// The maximum number of bytes of all values of one statement, and of one text that is read.
  package static var longestText: Int { 16_000_000 }

  /// Column `index` (0-based) of the current row as text.
  ///
  /// Invalid UTF-8 is shown as U+FFFD; a string that is too long is shown by its beginning and its length.
  /// `isText` says whether the text is intact.
  package borrowing func text(_ index: Int32) -> String { backend.text(index) }

  /// Whether column `index` (0-based) of the current row is a UTF-8 text that `text` returns unchanged.
  package borrowing func isText(_ index: Int32) -> Bool { backend.isText(index) }

  /// How many columns the rows have.
  package var columnCount: Int32 { backend.columnCount }

  /// Column `index` (0-based) of the current row; nil if it is neither UTF-8 text, nor a whole number, nor
  /// `NULL`.
  package borrowing func value(_ index: Int32) -> SQLiteValue? {
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
  package borrowing func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
    try backend.bind(value, at: index)
  }

  /// Binds an integer to a parameter (1-based).
  package borrowing func bind(_ number: Int64, at index: Int32) throws(SQLiteError) {
    try bind(.integer(number), at: index)
  }

  /// Binds a string to a parameter (1-based).
  package borrowing func bind(_ text: String, at index: Int32) throws(SQLiteError) {
    try bind(.text(text), at: index)
  }
}

/// A value bound to a parameter of a statement.
package enum SQLiteValue: Equatable, Sendable {
  /// `NULL`.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A string; its length is counted in bytes, so it may contain NULs.
  case text(String)

  /// A whole number.
  package static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
  /// 0 or 1.
  package static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}

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

/// The prepared statements of a connection, by their SQL; the least recently used one is dropped when there are
/// too many.
struct StatementCache {
  private struct Entry {
    /// Nil while it runs.
    var spare: (any StatementBackend)?
    var lastUse: UInt64
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  /// Takes a statement while it runs, so that the same SQL can be run again until it ends.
  ///
  /// Its entry stays: removing it would hash the SQL of others, too.
  mutating func checkOut(_ sql: String) -> Statement? { entries[sql]?.spare.take().map { Statement($0) } }

  mutating func checkIn(_ statement: borrowing Statement, _ sql: String) {
    statement.backend.reset()
    uses += 1
    entries[sql] = Entry(spare: statement.backend, lastUse: uses)
    guard entries.count > capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    entries[oldest.key] = nil
  }

  mutating func removeAll() { entries = [:] }
}

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

  /// The numbers that `integers(number, …)` gathered.
  func integers(_ index: Int32) -> [Int64] {
    let bytes = unsafe UnsafeRawBufferPointer(
      start: sqlite3_column_blob(handle, index), count: Int(sqlite3_column_bytes(handle, index)))
    return unsafe [Int64](unsafeUninitializedCapacity: bytes.count / 8) { numbers, count in
      unsafe UnsafeMutableRawBufferPointer(numbers).copyMemory(from: bytes)
      count = bytes.count / 8
    }
  }

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

/// Inspects the text of a statement before it is sent over a network.
package enum SQLText {
  /// The first word, in uppercase.
  package static func keyword(_ sql: String) -> String {
    let start = sql.utf8.drop { !isLetter($0) }
    return String(decoding: start.prefix(while: isLetter).map { $0 & 0xdf }, as: UTF8.self)
  }

  /// Whether one of our statements returns rows; those that write never do.
  static func returnsRows(_ sql: String) -> Bool {
    switch keyword(sql) {
    case "SELECT", "WITH", "VALUES": true
    case "PRAGMA": !sql.utf8.contains(UInt8(ascii: "="))
    default: false
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
