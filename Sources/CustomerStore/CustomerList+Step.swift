internal import SQLite
internal import Synchronization

/// The transaction as a step of the history. The history is told who makes it with the first edit, so
/// that a transaction without edits writes nothing.
extension CustomerList {
  mutating func beginStep(program: String, action: String) {
    author = (program, action)
    isAuthorTold.store(false, ordering: .relaxed)
  }

  func endStep() throws {
    try writePlan()
    guard isAuthorTold.load(ordering: .relaxed) else { return }
    try connection.run("INSERT INTO close_step VALUES (1)")
    try forgetAuthor()
  }

  /// Tells the history who makes the edits that follow.
  ///
  /// - Returns: whether it was not told yet.
  func tellAuthor() throws -> Bool {
    guard !isAuthorTold.exchange(true, ordering: .relaxed) else { return false }
    try connection.run(
      "UPDATE history_state SET program = ?, action = ?", [.text(author.program), .text(author.action)])
    return true
  }

  func forgetAuthor() throws {
    isAuthorTold.store(false, ordering: .relaxed)
    try connection.run("UPDATE history_state SET program = NULL, action = NULL")
  }
}
