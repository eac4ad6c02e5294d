internal import CSQLite

/// Operations that need the database to be in a local file or in memory.
///
/// Another engine would do these in its own way, or not at all.
public struct LocalFile {
  let connection: Connection

  /// The path of the file, with links followed; empty for a database in memory.
  public var path: String {
    guard let name = unsafe sqlite3_db_filename(connection.handle, "main") else { return "" }
    return unsafe String(cString: name)
  }

  /// A number that changes when another connection changes the file; changes made by this connection do not
  /// count.
  ///
  /// No transaction is open afterwards (https://sqlite.org/pragma.html#pragma_data_version).
  public func dataVersion() throws -> Int64 {
    try connection.fetchOne("PRAGMA data_version") { $0.integer(0) } ?? 0
  }

  /// The number of pages of the database.
  public func pageCount() throws -> Int { try connection.fetchOne("PRAGMA page_count") { $0.int(0) } ?? 0 }

  /// The problems that SQLite itself finds in the file; empty if there are none. O(size of the file)
  public func findings() throws -> [String] {
    // Its first part is one instruction of SQLite, however long it takes.
    let messages = try unsafe connection.progressHandler.ask(about: connection.handle) {
      try connection.fetchAll("PRAGMA integrity_check") { $0.text(0) }
    }
    let findings = messages.filter { $0 != "ok" }
    // A page that could not be read now may still be intact.
    for finding in findings {
      guard let number = finding.split(separator: "error code=").last, finding.contains("error code=") else {
        continue
      }
      let code = ResultCode(rawValue: Int32(number.prefix { $0.isNumber }) ?? 0)
      if code.primary == .inputOutput { throw SQLiteError(code: code, message: "disk I/O error") }
    }
    return findings
  }
}

extension Connection {
  /// Operations for a local database.
  public var localFile: LocalFile { LocalFile(connection: self) }
}

extension LocalFile {
  /// The number of pages that this connection has written to the file, besides those of the journal
  /// (https://sqlite.org/c3ref/c_dbstatus_options.html#sqlitedbstatuscachewrite).
  public var pagesWritten: Int {
    var (count, peak): (Int32, Int32) = (0, 0)
    unsafe sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &peak, 0)
    return Int(count)
  }
}

extension LocalFile {
  /// Rewrites the whole file from its tables, so that nothing else is left in it.
  ///
  /// - Throws: SQLite's error; the file is unchanged. Needs space for two more copies.
  public func vacuum() throws {
    // It attaches a database for the copy, which need not fit into memory.
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 1)
    try connection.executeScript("PRAGMA temp_store = FILE")
    defer {
      unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
      try? connection.executeScript("PRAGMA temp_store = MEMORY")
    }
    try connection.executeScript("VACUUM")
  }
}
