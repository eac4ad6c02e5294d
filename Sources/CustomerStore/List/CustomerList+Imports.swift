internal import CustomersSQLite

extension CustomerList {
  /// Records in the history which file the step of this transaction was imported from.
  ///
  /// Without an edit there is no step, and nothing to record.
  ///
  /// - Parameter digest: the SHA-256 of the file.
  /// - Throws: `StoreError`.
  package mutating func recordImport(digest: String) throws {
    try connection.execute(
      "UPDATE history_step SET digest = ? WHERE id = (SELECT max(id) FROM history_step) AND is_open",
      [.text(digest)])
  }

  /// Whether the history has an import that is not undone.
  package func hasImports() throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM history_step WHERE digest IS NOT NULL AND state = 'done')"
    return try connection.fetchOne(sql) { $0.bool(0) } ?? false
  }

  /// The last import of a file that was not undone; nil if the history has none.
  package func lastImport(ofDigest digest: String) throws -> HistoryStep? {
    try connection.fetchOne(
      "\(HistoryStep.query) WHERE digest = ? AND state = 'done' ORDER BY step.id DESC LIMIT 1",
      [.text(digest)]
    ) { HistoryStep($0) }
  }
}
