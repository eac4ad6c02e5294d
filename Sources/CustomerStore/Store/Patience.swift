/// How long a call waits for the file, and who may end the wait.
struct Patience: Sendable {
  let timeout: Duration
  let begin: @Sendable () throws -> Void
  let isCancelled: @Sendable () -> Bool

  init(
    _ timeout: Duration, begin: @escaping @Sendable () throws -> Void = {},
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.timeout = timeout
    self.begin = begin
    self.isCancelled = isCancelled
  }
}

extension Patience {
  init<Value>(_ timeout: Duration, _ call: PendingCall<Value>) {
    self.init(timeout, begin: { try call.begin() }, isCancelled: { call.isCancelled })
  }
}
