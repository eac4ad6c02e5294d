internal import Platform
internal import Synchronization

/// The signals that a program with a screen hears of between two keys: a handler writes them into a pipe,
/// which is waited for together with the keyboard.
struct SignalPipe {
  /// Those that are heard.
  static let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT]

  /// Those that end a program at once, by its own fault or by somebody's wish.
  private static let fatal = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
  ]

  private static let writingEnd = Atomic<Int32>(-1)

  /// Readable when a signal has come.
  let descriptor: Int32

  /// Begins to hear signals, for the rest of the process.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw TerminalError(action: "make a pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    SignalPipe.writingEnd.store(ends[1], ordering: .releasing)
    SignalPipe.handleFatalSignals()
    SignalPipe.listen(SignalPipe.signals)
    // Who started this program may hold signals back, such as threads that run tests.
    var all = SignalPipe.set(SignalPipe.signals)
    unsafe pthread_sigmask(SIG_UNBLOCK, &all, nil)
  }

  /// The signals that have come.
  func read() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe Platform.read(descriptor, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).map(Int32.init)
  }

  /// Runs `body` while signals do what they usually do: stop this process, or end it.
  static func paused<Result>(_ body: () throws -> Result) rethrows -> Result {
    for number in signals { signal(number, SIG_DFL) }
    defer { listen(signals) }
    return try body()
  }

  /// Lets a signal stop or end this process.
  ///
  /// - Parameters:
  ///   - number: the signal.
  ///   - toGroup: whether everything that was started together with it gets the signal too.
  static func deliver(_ number: Int32, toGroup: Bool = false) {
    signal(number, SIG_DFL)
    if toGroup { kill(0, number) } else { raise(number) }
  }

  private static func listen(_ signals: [Int32]) {
    for number in signals {
      handleSignal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe has news enough.
        _ = unsafe write(SignalPipe.writingEnd.load(ordering: .relaxed), &byte, 1)
        errno = before
      }
    }
  }

  /// After one of these nobody reads a pipe any more: the terminal is given back in the handler.
  private static func handleFatalSignals() {
    var stack = unsafe stack_t()
    unsafe stack.ss_size = 1 << 16
    unsafe stack.ss_sp = malloc(1 << 16)
    // A stack that is full has no room for a handler.
    unsafe sigaltstack(&stack, nil)
    for number in fatal {
      handleSignal(number) { number in
        TerminalLease.end()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    atexit { TerminalLease.end() }
  }

  private static func set(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    return set
  }
}
