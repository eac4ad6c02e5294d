internal import CustomersSystem

/// An error in COMMIT, after which only the file shows whether the transaction was committed.
///
/// The connection can no longer be used: its memory may differ from the file.
package struct CommitFailure: Error {
  /// SQLite's error.
  package let reason: SQLiteError
}

extension Connection {
  /// Runs `body` in a write transaction: all of it happens, or nothing.
  ///
  /// The transaction starts with the write lock (`BEGIN IMMEDIATE`). One that read first and asked for the
  /// lock later would fail at once, whatever its timeout, if another process were faster.
  ///
  /// - Throws: what `body` throws, after a rollback; `CommitFailure` if the outcome must be looked up;
  ///   otherwise an `SQLiteError`, and nothing has happened.
  package func immediateTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try busyHandler.beginWriting(to: guardedPath) { try execute("BEGIN IMMEDIATE") }
    return try transaction {
      let result = try body()
      try checkCancellation()
      return result
    }
  }

  /// Runs `body` so that all its reads see one state of the file.
  package func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN DEFERRED")
    var read: Result?
    do {
      return try transaction {
        let result = try body()
        read = result
        return result
      }
    } catch let failure as CommitFailure {
      // Nothing was written. After SQLite has found damage, it can't even end a transaction without an error.
      guard let read, !isRemote else { throw failure.reason }
      return read
    }
  }

  /// Runs the last statement of a transaction: now, or over a network together with the COMMIT, which saves a
  /// round trip.
  package func executeLast(_ sql: String, _ values: [SQLiteValue]) throws {
    if isRemote { statementWithCommit = (sql, values) } else { try execute(sql, values) }
  }

  /// Runs `body` inside the open transaction; if it throws, only what it did is rolled back.
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
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

  /// Runs `body` in the transaction that has just begun and ends it.
  private func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    defer { statementWithCommit = nil }
    progressHandler.isActive = true
    rolledBackBy = nil
    do {
      let result = try body()
      progressHandler.isActive = false
      try commit()
      return result
    } catch {
      progressHandler.isActive = false
      // Some errors, such as a full disk, have rolled back already. Report the first error.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// A COMMIT that fails because of a reader or a constraint leaves the transaction open; it is rolled back.
  private func commit() throws {
    waitForCommit()
    errno = 0
    do {
      if let (sql, values) = statementWithCommit {
        try execute("\(sql); COMMIT", values)
      } else {
        try execute("COMMIT")
      }
    } catch let error as SQLiteError {
      let isRefused = [.busy, .constraint].contains(error.code.primary) && isInTransaction
      guard isRefused else { throw CommitFailure(reason: error) }
      throw error
    }
  }
}

extension Connection {
  /// Sets how many changed bytes a transaction keeps in memory; beyond that, SQLite writes to the file before
  /// the commit, and from then on no other connection can read
  /// (https://sqlite.org/pragma.html#pragma_cache_spill).
  ///
  /// - Parameter bytes: the limit, from 1 KB to 2 TB; SQLite's default is the size of its cache, 2 MB.
  /// - Throws: SQLite's error.
  package func keepChangesInMemory(upTo bytes: Int) throws {
    try executeScript("PRAGMA cache_spill = -\(kilobytes(bytes))")
  }

  /// Sets how many bytes of the file stay in memory for the next readings
  /// (https://sqlite.org/pragma.html#pragma_cache_size).
  ///
  /// - Parameter bytes: the limit, from 1 KB to 2 TB; SQLite's default is 2 MB.
  /// - Throws: SQLite's error.
  package func keepPagesInMemory(upTo bytes: Int) throws {
    try executeScript("PRAGMA cache_size = -\(kilobytes(bytes))")
  }

  // 0 would mean no limit.
  private func kilobytes(_ bytes: Int) -> Int { min(max(bytes / 1024, 1), Int(Int32.max)) }
}
