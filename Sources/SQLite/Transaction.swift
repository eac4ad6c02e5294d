internal import Platform

/// An error in COMMIT, after which only the file knows whether the transaction is in it.
///
/// The connection is of no more use: what it has in memory need not be what is in the file.
public struct CommitFailure: Error {
  /// What SQLite answered.
  public let reason: SQLiteError
}

extension Connection {
  /// Runs `body` in a transaction that may write; all of it happens, or nothing.
  ///
  /// The transaction begins with the write lock (`BEGIN IMMEDIATE`): one that reads first and asks
  /// for the lock afterwards fails at once when another process was quicker, however long it may wait.
  ///
  /// - Throws: what `body` throws, after everything is rolled back; `CommitFailure` if the outcome is to be
  ///   looked up; otherwise an `SQLiteError`, and nothing has happened.
  public func immediateTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// Runs `body` so that all its reads see one state of the file.
  public func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try transaction("BEGIN DEFERRED", body)
    } catch let failure as CommitFailure where isRemote {
      throw failure.reason
    }
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

  /// A COMMIT that meets a reader, or a promise of a table, leaves the transaction open, to be rolled back.
  private func commit() throws {
    waitForCommit()
    errno = 0
    do {
      try execute("COMMIT")
    } catch let error as SQLiteError {
      let isRefused = [.busy, .constraint].contains(error.code.primary) && isInTransaction
      guard isRefused else { throw CommitFailure(reason: error) }
      throw error
    }
  }
}
