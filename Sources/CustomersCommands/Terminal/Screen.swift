internal import CustomersSystem
internal import CustomersText

/// The size of a terminal.
struct Screen: Sendable {
  var columns: Int
  var rows: Int

  /// The traditional size, if unknown.
  init(columns: Int = 0, rows: Int = 0) {
    self.columns = columns > 0 ? columns : 80
    self.rows = rows > 0 ? rows : 24
  }

  /// Whether a string may fit the screen, without measuring its lines.
  func mayFit(_ text: [UInt8]) -> Bool {
    text.count < 1 << 16 && text.count { $0 == UInt8(ascii: "\n") } < rows
  }

  /// Whether a whole text fits the screen, with a line left for the prompt.
  func fits(_ text: [UInt8]) -> Bool {
    guard mayFit(text) else { return false }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    let needed = lines.map { line in
      max(1, (displayWidth(withoutStyles(String(decoding: line, as: UTF8.self))) + columns - 1) / columns)
    }
    return needed.reduce(0, +) < rows
  }
}

/// The program that shows output longer than the screen.
struct Pager: Sendable {
  private let child: Child
  /// What the interrupt key did before.
  private let before: sighandler_t?
  /// The descriptor to write to.
  let descriptor: FileDescriptor

  /// The user's choice: `$CUSTOMERS_PAGER`, else `$PAGER`, else `less`; nil for none.
  static func command(_ environment: [String: String]) -> String? {
    let command = environment["CUSTOMERS_PAGER"] ?? environment["PAGER"] ?? "less"
    return ["", "cat"].contains(command) ? nil : command
  }

  /// Starts the pager, which has the terminal and the interrupt key until `end`.
  init(_ command: String) throws {
    let pipe = try Pipe()
    defer { pipe.reading.close() }
    before = signal(SIGINT, SIG_IGN)
    // As in git: colors are shown, and text that fits the screen does not wait. If `less` is missing, the
    // text is simply shown; for a missing program that the user chose, the shell reports it.
    child = try Child(
      """
      trap : INT QUIT; [ -n "${LESS+x}" ] || export LESS=FRX
      if [ "$1" = less ] && ! command -v less > /dev/null; then exec cat; fi
      \(command)
      code=$?; [ $code -ne 127 ] || exec cat; exit $code
      """, [command], input: pipe.reading.rawValue)
    descriptor = pipe.writing
  }

  /// Waits until the user has read enough.
  func end() {
    descriptor.close()
    let code = child.wait()
    signal(SIGINT, before)
    if code == 128 + SIGINT { endInterrupted() }
  }
}

/// Signals that are blocked, checked, or reset to their default action.
struct SignalSet: Sendable {
  let signals: [Int32]

  /// Those by which a person or the system ends a program.
  static let ending = SignalSet([SIGINT, SIGTERM, SIGHUP])

  init(_ signals: [Int32]) { self.signals = signals }

  /// The set for C.
  var set: sigset_t { signalSet(signals) }

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
