internal import CSQLite
internal import CustomersSystem

extension LocalFile {
  /// Copies the database into the one of another connection, which must be empty or may be overwritten
  /// (https://sqlite.org/c3ref/backup_finish.html).
  ///
  /// Inside a read transaction, the copy has the state of that transaction; outside, each write by another
  /// connection makes it start over. The copy has no write-ahead log, and no one has waited until it is on the disk: who
  /// keeps it syncs it, when the transaction has ended. `proceed` is called every thousand pages; if it throws, the copy
  /// is abandoned.
  package func copy(to other: Connection, _ proceed: () throws -> Void) throws {
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
  package var temporaryFolder: String {
    var name: UnsafeMutablePointer<CChar>?
    let code = unsafe sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_TEMPFILENAME, &name)
    guard code == SQLITE_OK, let name = unsafe name else { return TemporaryFile.folder }
    defer { unsafe sqlite3_free(name) }
    return Folder(ofFile: unsafe String(cString: name)).path
  }
}

/// Overwrites the database of one connection, which programs may have open, with that of another
/// (https://sqlite.org/c3ref/backup_finish.html).
///
/// SQLite copies page by page in one transaction of the target: until it commits, the old pages are in the
/// journal and every program sees the old database; afterward every program sees the new one.
@safe package struct Overwriting: ~Copyable {
  private let backup: OpaquePointer
  private let source: Connection
  private let target: Connection

  /// Prepares to write to a target that has no open transaction.
  package init(_ target: Connection, from source: Connection) throws {
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
  package borrowing func lock() throws { try step(pages: 0) }

  /// Copies everything and commits.
  ///
  /// - Parameter proceed: called every thousand pages; if it throws, the target is left unchanged.
  /// - Throws: `SQLiteError` or what `proceed` throws.
  package borrowing func run(_ proceed: () throws -> Void) throws {
    while try !step(pages: 1000) { try proceed() }
  }

  /// - Returns: whether the copy is complete.
  @discardableResult
  private borrowing func step(pages: Int32) throws -> Bool {
    let code = unsafe sqlite3_backup_step(backup, pages)
    if code == SQLITE_DONE { return true }
    guard code == SQLITE_OK else {
      if code == SQLITE_READONLY, target.localFile.hasDamagedHeader { throw SQLiteError.damagedHeader }
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
  package var pagesVersion: UInt32 {
    var version: UInt32 = 0
    unsafe sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}

extension LocalFile {
  /// The bytes of the database as a file.
  package func image() throws -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = unsafe sqlite3_serialize(connection.handle, "main", &size, 0) else {
      throw connection.lastError(SQLITE_NOMEM, sql: "sqlite3_serialize")
    }
    defer { unsafe sqlite3_free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }
}

extension Connection {
  /// Opens an image of a database in memory, for reading.
  package convenience init(image: [UInt8]) throws {
    try self.init(path: ":memory:")
    let size = sqlite3_int64(image.count)
    // SQLite frees it, even if it rejects the image.
    guard let copy = unsafe sqlite3_malloc64(UInt64(size))?.assumingMemoryBound(to: UInt8.self) else {
      throw lastError(SQLITE_NOMEM, sql: "sqlite3_malloc64")
    }
    unsafe copy.initialize(from: image, count: image.count)
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    let code = unsafe sqlite3_deserialize(handle, "main", copy, size, size, flags)
    guard code == SQLITE_OK else { throw lastError(code, sql: "sqlite3_deserialize") }
  }
}
