internal import CustomersSystem
internal import Synchronization

/// Delivers signals to the loop that reads keys: a handler writes their numbers to a pipe, and the loop polls
/// the pipe together with the keyboard.
struct SignalPipe {
  /// The signals delivered through the pipe.
  static let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT]

  /// The signals that end the process at once: crashes and requests such as SIGQUIT.
  private static let fatal = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
  ]

  private static let writingEnd = Atomic<Int32>(-1)

  /// The reading end of the pipe; readable when a signal has arrived.
  let descriptor: Int32

  /// Installs the signal handlers, which stay for the rest of the process.
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
    // The parent may have blocked signals, as threads that run tests do.
    var all = signalSet(SignalPipe.signals)
    unsafe pthread_sigmask(SIG_UNBLOCK, &all, nil)
  }

  /// Returns the signals that have arrived since the last call.
  func read() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe CustomersSystem.read(descriptor, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).map(Int32.init)
  }

  /// Runs `body` with the default action for each signal, which stops or ends this process.
  static func paused<Result>(_ body: () throws -> Result) rethrows -> Result {
    for number in signals { signal(number, SIG_DFL) }
    defer { listen(signals) }
    return try body()
  }

  /// Sends a signal to this process with its default action.
  ///
  /// - Parameters:
  ///   - number: the signal.
  ///   - toGroup: whether to send it to the whole process group.
  static func deliver(_ number: Int32, toGroup: Bool = false) {
    signal(number, SIG_DFL)
    if toGroup { kill(0, number) } else { raise(number) }
  }

  private static func listen(_ signals: [Int32]) {
    for number in signals {
      handleSignal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // If the pipe is full, the loop wakes up anyway.
        _ = unsafe write(SignalPipe.writingEnd.load(ordering: .relaxed), &byte, 1)
        errno = before
      }
    }
  }

  /// Installs handlers that restore the terminal themselves, because the loop does not run again after a
  /// fatal signal.
  private static func handleFatalSignals() {
    var stack = unsafe stack_t()
    unsafe stack.ss_size = 1 << 16
    unsafe stack.ss_sp = malloc(1 << 16)
    // After a stack overflow, a handler needs another stack.
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
}
