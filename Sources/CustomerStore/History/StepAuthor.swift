/// Who makes a transaction, and what it is called in the history.
struct StepAuthor: Sendable {
  var program = ""
  var user = ""
  var host = ""
  var action = ""
  var token = TransactionToken()

  /// Nobody.
  init() {}

  /// A program with these options, asked to do something.
  init(_ options: CustomerStore.Options, action: String, token: TransactionToken = TransactionToken()) {
    (program, user, host) = (options.program, options.user, options.host)
    (self.action, self.token) = (action, token)
  }
}
