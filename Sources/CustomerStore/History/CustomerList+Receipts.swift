internal import SQLite

extension CustomerList {
  /// Looks up whether a transaction was committed, by its token.
  ///
  /// A file keeps the receipts of the latest 10,000 transactions, whatever the history forgets. An older
  /// token is `unknown`, which the clocks of the programs decide. O(10,000)
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
  /// A text that is another one after any edit, and the same in a backup.
  public func revision() throws -> String {
    let receipt = try connection.fetchOne("SELECT id, token FROM receipt ORDER BY id DESC LIMIT 1") {
      "\($0.integer(0)) \($0.text(1))"
    }
    return "\(try lastEdit()) \(receipt ?? "")"
  }
}

extension CustomerStore {
  /// Looks up whether a transaction was committed; one that was not never will be.
  ///
  /// For the outcome of a change whose program was lost and may still be at work: it gets an error from
  /// `CustomerList.refuseIfSettled`, because both leave a receipt in the file, one after the other. O(10,000)
  ///
  /// - Throws: `StoreError`; then nothing is known.
  public func settle(_ token: TransactionToken) throws -> TransactionOutcome {
    try write(token: token.settlement) { list in
      let outcome = try list.outcome(of: token)
      if outcome == .notCommitted { try list.leaveReceipt() }
      return outcome
    }
  }
}

extension CustomerList {
  /// Expects that nobody has settled a transaction, which begins now.
  ///
  /// - Throws: `CancellationError` if `CustomerStore.settle` has said that it was not committed.
  public func refuseIfSettled(_ token: TransactionToken) throws {
    if try outcome(of: token.settlement) == .committed { throw CancellationError() }
  }

  /// Leaves the receipt of a transaction that makes no edit.
  fileprivate func leaveReceipt() throws { _ = try recorder.open(connection) }
}
