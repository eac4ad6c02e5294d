/// The author of a transaction, and its name in the history.
struct StepAuthor: Sendable {
  var program = ""
  var user = ""
  var host = ""
  var action = ""
  var token = TransactionToken()

  /// Nobody.
  init() {}

  /// A program with these options, and the action that it was asked for.
  init(_ options: CustomerStore.Options, action: String, token: TransactionToken = TransactionToken()) {
    (program, user, host) = (options.program, options.user, options.host)
    (self.action, self.token) = (action, token)
  }
}
