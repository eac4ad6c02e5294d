internal import CSQLite

/// How a connection guards against damaged and hostile files (https://sqlite.org/security.html).
extension LocalFile {
  /// Sets the limits and switches of every connection, before the first statement.
  public func harden() throws {
    // What another client has stored must be readable to be reported; `Statement.bind` accepts less.
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 1_000_000_000)
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_SQL_LENGTH, 1_000_000)
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_TRIGGER_DEPTH, 20)
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    // Off, because otherwise `ORDER BY "ordr"` would be a string, and rows would silently come unsorted.
    try configure(SQLITE_DBCONFIG_DQS_DML, false)
    try configure(SQLITE_DBCONFIG_DQS_DDL, false)
    // foreign_keys: our tables have none; those of another program's tables must not stop an edit of the list.
    // secure_delete: deleted content is overwritten.
    try connection.executeScript(
      """
      PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
      PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON;
      """)
    try synchronizeFully()
  }

  /// Has SQLite empty the drive's cache at each commit, too, where `fsync` alone does not
  /// (https://sqlite.org/pragma.html#pragma_fullfsync).
  private func synchronizeFully() throws {
    #if canImport(Darwin)
      try connection.executeScript("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;")
    #endif
  }

  private func configure(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
    let code = unsafe csqlite_db_config(connection.handle, option, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw connection.lastError(code, sql: "sqlite3_db_config(\(option))") }
  }
}
