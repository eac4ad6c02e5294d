internal import CSQLite

/// How a connection guards against damaged and hostile files (https://sqlite.org/security.html).
extension Connection {
  /// Sets the limits and switches that every connection of ours has, before the first statement.
  public func harden() throws {
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 16_000_000)
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 1_000_000)
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 20)
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    // Off, because `ORDER BY "ordr"` would be a text, and rows would come unsorted without a word.
    try configure(SQLITE_DBCONFIG_DQS_DML, false)
    try configure(SQLITE_DBCONFIG_DQS_DDL, false)
    // secure_delete: what was deleted is overwritten, not only forgotten.
    try executeScript(
      """
      PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
      PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
      """)
  }

  private func configure(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    let code = unsafe csqlite_db_config(handle, option, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw lastError(code, sql: "sqlite3_db_config(\(option))") }
  }
}

/// How what is committed gets to the disk.
public enum JournalMode: Sendable {
  /// A rollback journal that is deleted, and its folder synced, at each commit (`DELETE`, `EXTRA`):
  /// of the modes tried under simulated power cuts the one that lost nothing, and one file at rest.
  case rollback
  /// A write-ahead log, synced at each commit (`WAL`, `FULL`).
  case writeAheadLog
}

extension Connection {
  /// Whether this SQLite library can keep a write-ahead log that is never corrupted by two
  /// connections which write and checkpoint at one moment (https://sqlite.org/wal.html#walresetbug).
  public static var hasSafeWriteAheadLog: Bool {
    let version = libraryVersion
    return version >= 3_051_003 || (3_050_007..<3_051_000).contains(version)
      || (3_044_006..<3_045_000).contains(version)
  }

  /// Sets the journal mode, if no other connection stands in the way, and the syncing that goes with
  /// the mode the file is in.
  ///
  /// - Returns: the mode that the file is in now.
  public func setJournalMode(_ mode: JournalMode) throws -> JournalMode {
    var found = try fetchOne("PRAGMA journal_mode") { $0.text(0) } ?? ""
    let wanted = mode == .rollback ? "delete" : "wal"
    if found != wanted, found != "memory", !isReadOnly {
      do {
        found = try fetchOne("PRAGMA journal_mode = \(wanted)") { $0.text(0) } ?? ""
      } catch let error as SQLiteError where error.code.primary == .busy {}
    }
    try executeScript("PRAGMA synchronous = \(found == "wal" ? "FULL" : "EXTRA")")
    return found == "wal" ? .writeAheadLog : .rollback
  }
}
