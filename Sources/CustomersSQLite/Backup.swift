internal import CSQLite

extension LocalFile {
  /// Copies the database into the one of another connection, which must be empty or may be overwritten
  /// (https://sqlite.org/c3ref/backup_finish.html).
  ///
  /// Inside a read transaction, the copy has the state of that transaction; outside, each write by another
  /// connection makes it start over. The copy is on disk afterward and has no write-ahead log. `proceed` is
  /// called every thousand pages; if it throws, the copy is abandoned.
  public func copy(to other: Connection, _ proceed: () throws -> Void) throws {
    // A transaction gets its state when something is read in it. Until then, each step would have a state of its own.
    if connection.isInTransaction { _ = try connection.fetchOne("PRAGMA schema_version") { $0.integer(0) } }
    // In memory, so that a killed copy leaves no journal; there is nothing to roll back to.
    try other.executeScript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL;")
    guard let backup = unsafe sqlite3_backup_init(other.handle, "main", connection.handle, "main") else {
      throw unsafe other.lastError(sqlite3_errcode(other.handle), sql: "sqlite3_backup_init")
    }
    do {
      while true {
        let code = unsafe sqlite3_backup_step(backup, 1000)
        if code == SQLITE_DONE { break }
        guard code == SQLITE_OK else { throw error(code) }
        try proceed()
      }
    } catch {
      unsafe sqlite3_backup_finish(backup)
      throw error
    }
    let code = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw error(code) }
    try other.executeScript("PRAGMA journal_mode = DELETE")
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(
      code: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errstr(code)),
      sql: "sqlite3_backup_step")
  }
}
