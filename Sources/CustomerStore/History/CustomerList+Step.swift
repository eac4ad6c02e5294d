internal import SQLite
internal import Synchronization

/// The transaction as a step of the history. The file is told who makes it with the first edit, so that a
/// transaction without edits writes nothing.
extension CustomerList {
  mutating func beginStep(by author: StepAuthor) {
    self.author = author
    isStepOpen.store(false, ordering: .relaxed)
  }

  func endStep() throws {
    try writePlan()
    guard isStepOpen.load(ordering: .relaxed) else { return }
    try clearStepContext()
  }

  /// Says in the file who makes the edits that follow, and leaves the receipt of the transaction.
  ///
  /// - Returns: whether this was the first time.
  func openStepIfNeeded() throws -> Bool {
    guard !isStepOpen.exchange(true, ordering: .relaxed) else { return false }
    try connection.beginTransaction(by: author)
    return true
  }

  /// Takes `openStepIfNeeded` back: the edit was refused, and there may be no other.
  func abandonStep() throws {
    isStepOpen.store(false, ordering: .relaxed)
    try connection.execute("DELETE FROM receipt WHERE id = (SELECT max(id) FROM receipt)")
  }

  func clearStepContext() throws {
    isStepOpen.store(false, ordering: .relaxed)
    try connection.endTransaction(by: author)
  }
}

extension Connection {
  /// Leaves the receipt of a transaction.
  func beginTransaction(by author: StepAuthor) throws {
    try execute(
      "INSERT INTO begin_transaction VALUES (?, ?, ?, ?, ?)",
      [
        .text(author.token.rawValue), .text(author.program), .text(author.user), .text(author.host),
        .text(author.action),
      ])
  }

  /// Closes the step of a transaction.
  func endTransaction(by author: StepAuthor) throws {
    try execute("INSERT INTO end_transaction VALUES (?)", [.text(author.token.rawValue)])
  }
}
