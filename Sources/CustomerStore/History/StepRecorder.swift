internal import CustomersSQLite

/// A transaction as a step of the history.
///
/// The author is written with the first edit, so that a transaction without edits writes nothing.
final class StepRecorder {
  /// The author of this transaction.
  private(set) var author = StepAuthor()
  /// Whether the author has been written.
  var isOpen = false

  func begin(by author: StepAuthor) {
    self.author = author
    isOpen = false
  }

  /// Writes the author of the following edits and the receipt of the transaction.
  ///
  /// - Returns: whether this was the first time.
  func open(_ connection: Connection) throws -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    try connection.beginTransaction(by: author)
    return true
  }

  func close(_ connection: Connection) throws {
    guard isOpen else { return }
    isOpen = false
    try connection.endTransaction(by: author)
  }

  /// Reverts `open`: the edit was refused, and there may be no other.
  func abandon(_ connection: Connection) throws {
    isOpen = false
    try connection.execute("DELETE FROM receipt WHERE id = (SELECT max(id) FROM receipt)")
  }
}

extension CustomerList {
  func endStep() throws { try recorder.close(connection) }
}

extension Connection {
  /// Writes the receipt of a transaction.
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
    try executeLast("INSERT INTO end_transaction VALUES (?)", [.text(author.token.rawValue)])
  }
}

/// The author of a transaction and its name in the history.
struct StepAuthor: Sendable {
  var program = ""
  var user = ""
  var host = ""
  var action = ""
  var token = TransactionToken()

  /// An unknown author.
  init() {}

  /// A program with these options, and the action that it was asked for.
  init(_ options: CustomerStore.Options, action: String, token: TransactionToken = TransactionToken()) {
    (program, user, host) = (options.program, options.user, options.host)
    (self.action, self.token) = (action, token)
  }
}
