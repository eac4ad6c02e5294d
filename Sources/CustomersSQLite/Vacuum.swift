internal import CSQLite

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
