internal import CustomersSQLite

extension CustomerList {
  /// Looks up whether a transaction was committed, by its token.
  ///
  /// A file keeps the receipts of the latest 10,000 transactions, even if the history forgets them. A token
  /// older than those is `unknown`; its age is judged by the clocks of the programs. O(10,000)
  public func outcome(of token: TransactionToken) throws -> TransactionOutcome {
    let found = try connection.fetchOne(
      "SELECT 1 FROM receipt WHERE token = ?", [.text(token.rawValue)]
    ) { _ in true }
    if found == true { return .committed }
    let oldest = try connection.fetchOne(
      "SELECT id, CAST((julianday(at) - 2440587.5) * 86400000 AS INTEGER) FROM receipt ORDER BY id LIMIT 1"
    ) { (id: $0.integer(0), milliseconds: $0.integer(1)) }
    guard let oldest, oldest.id > 1 else { return .notCommitted }
    guard let made = token.milliseconds, made > oldest.milliseconds else { return .unknown }
    return .notCommitted
  }
}

extension CustomerList {
  /// The random id of the history: another one once the list was restored or repaired, or its history forgotten.
  ///
  /// The numbers of edits and steps say nothing about a list with another history.
  package func historyID() throws -> String {
    try connection.fetchOne("SELECT history_id FROM list_identity") { $0.text(0) } ?? ""
  }

  /// The token of the last transaction that left a receipt; nil if another program wrote all of the list.
  func lastReceipt() throws -> TransactionToken? {
    try connection.fetchOne("SELECT token FROM receipt ORDER BY id DESC LIMIT 1") {
      TransactionToken(rawValue: $0.text(0))
    }
  }
}

extension CustomerStore {
  /// Looks up whether a transaction was committed, and prevents it from being committed later.
  ///
  /// Use it when the connection to a `customers` that makes the change was lost: it may still be running. It
  /// gives up, because this call has left a receipt in the file. O(10,000)
  ///
  /// - Throws: `StoreError`; the outcome is then unknown.
  public func settle(_ token: TransactionToken) throws -> TransactionOutcome {
    try write(token: token.settlement) { list in try list.settle(token) }
  }

  /// The same, for tasks: it suspends instead of blocking a thread.
  ///
  /// - Throws: `StoreError`, `CancellationError`; the outcome is then unknown.
  package func settle(_ token: TransactionToken, busyTimeout: Duration) async throws -> TransactionOutcome {
    try await write(action: "", token: token.settlement, busyTimeout: busyTimeout) { list in
      try list.settle(token)
    }
  }
}

extension CustomerList {
  /// Refuses to continue with a transaction that `CustomerStore.settle` has reported as not committed.
  ///
  /// Call it at the beginning of the transaction.
  ///
  /// - Throws: `CancellationError` if the transaction was settled.
  package func refuseIfSettled(_ token: TransactionToken) throws {
    if try outcome(of: token.settlement) == .committed { throw CancellationError() }
  }

  /// Looks up whether a transaction was committed; if it was not, leaves a receipt in the file, although this
  /// transaction has no edits.
  fileprivate func settle(_ token: TransactionToken) throws -> TransactionOutcome {
    let outcome = try outcome(of: token)
    if outcome == .notCommitted { _ = try recorder.open(connection) }
    return outcome
  }
}
