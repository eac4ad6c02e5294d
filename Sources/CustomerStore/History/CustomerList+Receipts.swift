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
