internal import CSQLite

extension LocalFile {
  /// The number of pages that this connection has written to the file, besides those of the journal
  /// (https://sqlite.org/c3ref/c_dbstatus_options.html#sqlitedbstatuscachewrite).
  public var pagesWritten: Int {
    var (count, peak): (Int32, Int32) = (0, 0)
    unsafe sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &peak, 0)
    return Int(count)
  }
}
