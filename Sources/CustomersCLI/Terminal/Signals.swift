internal import CustomersPlatform

/// Signals that are blocked, checked, or reset to their default action.
struct SignalSet: Sendable {
  let signals: [Int32]

  /// Those by which a person or the system ends a program.
  static let ending = SignalSet([SIGINT, SIGTERM, SIGHUP])

  init(_ signals: [Int32]) { self.signals = signals }

  /// The set for C.
  var set: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    return set
  }

  /// Whether one of them is pending.
  var isPending: Bool {
    var waiting = sigset_t()
    unsafe sigpending(&waiting)
    return signals.contains { unsafe sigismember(&waiting, $0) == 1 }
  }

  /// Waits until one of them arrives or the time is over; they must be blocked.
  ///
  /// - Returns: whether one arrived.
  func wait(for duration: Duration) -> Bool { nextSignal(set, for: duration) != nil }

  /// Waits until one of them arrives; they must be blocked.
  ///
  /// - Returns: which one.
  func next() -> Int32 {
    while true { if let signal = nextSignal(set, for: .seconds(3600)) { return signal } }
  }

  /// Those that the program was not started to ignore, as `nohup` lets it ignore SIGHUP.
  var heeded: SignalSet { SignalSet(signals.filter { csystem_is_ignored($0) == 0 }) }

  /// Discards the pending ones, so that they have no effect when unblocked.
  func take() { while isPending, wait(for: .zero) {} }

  /// Unblocks them in this thread, where those that are pending take effect.
  func release() {
    var set = set
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Runs `body`; signals that arrive while it runs are delivered afterward.
  func held<Result>(_ body: () throws -> Result) rethrows -> Result {
    var before = sigset_t()
    var set = set
    unsafe pthread_sigmask(SIG_BLOCK, &set, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }
}

/// While `body` runs, the interrupt keys go to a child that has the terminal.
func leavingInterruptsToChild<Result>(_ body: () throws -> Result) rethrows -> Result {
  let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
  defer {
    signal(SIGINT, before.0)
    signal(SIGQUIT, before.1)
  }
  return try body()
}

/// Ends the program as if by the interrupt key.
func endInterrupted() -> Never {
  signal(SIGINT, SIG_DFL)
  raise(SIGINT)
  exit(128 + SIGINT)
}
