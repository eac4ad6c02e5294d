/// How long a call waits for the file, and who may end the wait.
struct WaitPolicy: Sendable {
  let timeout: Duration
  /// Whether it waits for its turn, too, while other calls of the same store run.
  var takesTurns = true
  /// Called while it waits, instead of the store's.
  let whileWaiting: CustomerStore.Options.WhileWaiting?
  let begin: @Sendable () throws -> Void
  let isCancelled: @Sendable () -> Bool

  init(
    _ timeout: Duration, _ whileWaiting: CustomerStore.Options.WhileWaiting? = nil,
    begin: @escaping @Sendable () throws -> Void = {},
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.timeout = timeout
    self.whileWaiting = whileWaiting
    self.begin = begin
    self.isCancelled = isCancelled
  }
}

extension WaitPolicy {
  /// For a main thread: waits neither for the file nor for other calls of the same store.
  static let none = {
    var waitPolicy = WaitPolicy(.zero)
    waitPolicy.takesTurns = false
    return waitPolicy
  }()

  init<Value>(
    _ timeout: Duration, _ call: PendingCall<Value>, _ whileWaiting: CustomerStore.Options.WhileWaiting? = nil
  ) {
    self.init(timeout, whileWaiting, begin: { try call.begin() }, isCancelled: { call.isCancelled })
  }
}
