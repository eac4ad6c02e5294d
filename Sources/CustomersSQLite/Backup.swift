internal import CSQLite
internal import CustomersFiles
internal import CustomersPlatform

extension LocalFile {
  /// Copies the database into the one of another connection, which must be empty or may be overwritten
  /// (https://sqlite.org/c3ref/backup_finish.html).
  ///
  /// Inside a read transaction, the copy has the state of that transaction; outside, each write by another
  /// connection makes it start over. The copy has no write-ahead log, and no one has waited until it is on the disk: who
  /// keeps it syncs it, when the transaction has ended. `proceed` is called every thousand pages; if it throws, the copy
  /// is abandoned.
  public func copy(to other: Connection, _ proceed: () throws -> Void) throws {
    // A transaction gets its state when something is read in it. Until then, each step would have a state of its own.
    if connection.isInTransaction { _ = try connection.fetchOne("PRAGMA schema_version") { $0.integer(0) } }
    // In memory, so that a killed copy leaves no journal; there is nothing to roll back to.
    try other.executeScript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;")
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
    var error = SQLiteError(
      code: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errstr(code)),
      sql: "sqlite3_backup_step")
    if error.code.primary == .inputOutput { error.systemCode = errno }
    return error
  }
}

extension LocalFile {
  /// The folder in which SQLite keeps temporary files: `$SQLITE_TMPDIR`, else `$TMPDIR`, else one of the system's.
  public var temporaryFolder: String {
    var name: UnsafeMutablePointer<CChar>?
    let code = unsafe sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_TEMPFILENAME, &name)
    guard code == SQLITE_OK, let name = unsafe name else { return TemporaryFile.folder }
    defer { unsafe sqlite3_free(name) }
    return Folder(ofFile: unsafe String(cString: name)).path
  }
}
