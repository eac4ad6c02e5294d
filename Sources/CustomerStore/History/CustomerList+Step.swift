internal import SQLite
internal import Synchronization

/// The transaction as a step of the history. The history is told who makes it with the first edit, so
/// that a transaction without edits writes nothing.
extension CustomerList {
  mutating func beginStep(program: String, action: String) {
    author = (program, action)
    isStepOpen.store(false, ordering: .relaxed)
  }

  func endStep() throws {
    try writePlan()
    guard isStepOpen.load(ordering: .relaxed) else { return }
    try connection.execute("INSERT INTO close_step VALUES (1)")
    try clearStepContext()
  }

  /// Tells the history who makes the edits that follow.
  ///
  /// - Returns: whether it was not told yet.
  func openStepIfNeeded() throws -> Bool {
    guard !isStepOpen.exchange(true, ordering: .relaxed) else { return false }
    try connection.execute(
      "UPDATE history_state SET program = ?, action = ?", [.text(author.program), .text(author.action)])
    return true
  }

  func clearStepContext() throws {
    isStepOpen.store(false, ordering: .relaxed)
    try connection.execute("UPDATE history_state SET program = NULL, action = NULL")
  }
}
