extension Connection {
  /// Runs `body` in a transaction that may write; all of it happens, or nothing.
  ///
  /// The transaction begins with the write lock (`BEGIN IMMEDIATE`): one that reads first and asks
  /// for the lock afterwards fails at once when another process was quicker, however long it may wait.
  ///
  /// - Throws: what `body` throws, after everything is rolled back; otherwise an `SQLiteError`.
  public func immediateTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// Runs `body` so that all its reads see one state of the file.
  public func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN DEFERRED", body)
  }

  /// Runs `body` inside the open transaction; if it throws, only what it did is taken back.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT inner")
    do {
      let result = try body()
      try execute("RELEASE inner")
      return result
    } catch {
      if isInTransaction {
        try execute("ROLLBACK TO inner")
        try execute("RELEASE inner")
      }
      throw error
    }
  }

  private func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    try execute(begin)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // Some errors (a full disk, say) have rolled back already. The first error is the one to tell.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// A COMMIT that meets a reader leaves the transaction open, and may be tried again.
  private func commit() throws {
    do {
      try execute("COMMIT")
    } catch let error as SQLiteError where error.code.primary == .busy && isInTransaction {
      try execute("COMMIT")
    }
  }
}
