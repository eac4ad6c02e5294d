internal import CSQLite

extension LocalFile {
  /// Writes the whole file again from what is in its tables, so that nothing else is left in it.
  ///
  /// - Throws: what SQLite says; the file is as it was. Room is needed for two more copies.
  public func vacuum() throws {
    // It attaches a database for the copy, and that need not fit into memory.
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 1)
    try connection.executeScript("PRAGMA temp_store = FILE")
    defer {
      unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
      try? connection.executeScript("PRAGMA temp_store = MEMORY")
    }
    try connection.executeScript("VACUUM")
  }
}
