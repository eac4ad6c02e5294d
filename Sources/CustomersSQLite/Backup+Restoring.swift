internal import CSQLite

/// Overwrites the database of one connection, which programs may have open, with that of another
/// (https://sqlite.org/c3ref/backup_finish.html).
///
/// SQLite copies page by page in one transaction of the target: until it commits, the old pages are in the
/// journal and every program sees the old database; afterward every program sees the new one.
@safe public struct Overwriting: ~Copyable {
  private let backup: OpaquePointer
  private let source: Connection
  private let target: Connection

  /// Prepares to write to a target that has no open transaction.
  public init(_ target: Connection, from source: Connection) throws {
    guard let backup = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw unsafe target.lastError(sqlite3_errcode(target.handle), sql: "sqlite3_backup_init")
    }
    unsafe self.backup = backup
    self.source = source
    self.target = target
  }

  deinit { unsafe sqlite3_backup_finish(backup) }

  /// Locks the target against all other connections.
  ///
  /// Nothing is written yet.
  ///
  /// - Throws: `SQLiteError`, busy if another program does not release its lock in time.
  public borrowing func lock() throws { try step(pages: 0) }

  /// Copies everything and commits.
  ///
  /// - Parameter proceed: called every thousand pages; if it throws, the target is left unchanged.
  /// - Throws: `SQLiteError` or what `proceed` throws.
  public borrowing func run(_ proceed: () throws -> Void) throws {
    while try !step(pages: 1000) { try proceed() }
  }

  /// - Returns: whether the copy is complete.
  @discardableResult
  private borrowing func step(pages: Int32) throws -> Bool {
    let code = unsafe sqlite3_backup_step(backup, pages)
    if code == SQLITE_DONE { return true }
    guard code == SQLITE_OK else {
      throw SQLiteError(
        code: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errstr(code)),
        sql: "sqlite3_backup_step")
    }
    return false
  }
}

extension LocalFile {
  /// A number that changes when another connection changes what this one has read.
  ///
  /// It can be read while a transaction is open
  /// (https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion).
  public var pagesVersion: UInt32 {
    var version: UInt32 = 0
    unsafe sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
