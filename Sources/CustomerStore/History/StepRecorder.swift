internal import SQLite

/// A transaction as a step of the history.
///
/// The history gets to know who makes it with the first edit, so that a transaction without edits writes
/// nothing.
final class StepRecorder {
  /// Who makes this transaction.
  private(set) var program = ""
  /// What the transaction is called in the history.
  private var action = ""
  /// Whether the history knows.
  var isOpen = false

  func begin(program: String, action: String) {
    (self.program, self.action) = (program, action)
    isOpen = false
  }

  /// Tells the history who makes the edits that follow.
  ///
  /// - Returns: whether it did not know yet.
  func open(_ connection: Connection) throws -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    try connection.execute(
      "UPDATE history_state SET program = ?, action = ?", [.text(program), .text(action)])
    return true
  }

  func close(_ connection: Connection) throws {
    guard isOpen else { return }
    try connection.execute("INSERT INTO close_step VALUES (1)")
    try clear(connection)
  }

  func clear(_ connection: Connection) throws {
    isOpen = false
    try connection.execute("UPDATE history_state SET program = NULL, action = NULL")
  }
}

extension CustomerList {
  func endStep() throws { try recorder.close(connection) }
}
