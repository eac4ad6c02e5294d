extension Connection {
  /// Sets how much of what a transaction changes is kept in memory; beyond that SQLite writes into the
  /// file before the commit, and from then on no other connection can read
  /// (https://sqlite.org/pragma.html#pragma_cache_spill).
  ///
  /// - Parameter bytes: the limit; SQLite's own is the size of its cache, 2 MB.
  /// - Throws: what SQLite says.
  public func keepChangesInMemory(upTo bytes: Int) throws {
    try executeScript("PRAGMA cache_spill = -\(bytes / 1024)")
  }
}
