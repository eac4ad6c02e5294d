extension Connection {
  /// Sets how many changed bytes a transaction keeps in memory; beyond that, SQLite writes to the file before
  /// the commit, and from then on no other connection can read
  /// (https://sqlite.org/pragma.html#pragma_cache_spill).
  ///
  /// - Parameter bytes: the limit, from 1 KB to 2 TB; SQLite's default is the size of its cache, 2 MB.
  /// - Throws: SQLite's error.
  public func keepChangesInMemory(upTo bytes: Int) throws {
    // 0 would mean no limit.
    try executeScript("PRAGMA cache_spill = -\(min(max(bytes / 1024, 1), Int(Int32.max)))")
  }
}
