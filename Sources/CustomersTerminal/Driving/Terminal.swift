internal import CustomersFiles
internal import CustomersPlatform

/// The terminal of this process in raw mode, with the alternate screen.
///
/// The terminal is restored however the program ends: by `leave`, a signal, a crash, or `exit`. Only SIGKILL
/// and SIGSTOP prevent that. While the screen is in use, standard error goes to a temporary file; `leave`
/// prints it.
///
/// Create only one per process, and use it only on the thread that created it.
public final class Terminal {
  let signals: SignalPipe
  /// The keys, for a command that a key may stop.
  public let keyboard = Keyboard(STDIN_FILENO)
  private let output: Int32
  private let errorFile: TemporaryFile?
  private var usesMouse: Bool
  /// Whether the screen is still empty after `enter`.
  var isBlank = true
  /// Whether the terminal is gone: the connection is dead, or the window was closed.
  private(set) var isGone = false
  /// The bytes that the terminal has not accepted yet.
  private var waiting: ArraySlice<UInt8> = []

  /// Returns why a kind of terminal can't show a table; nil if it can.
  ///
  /// Only a few old kinds lack ANSI sequences. Every other kind is accepted, whether or not terminfo
  /// describes it.
  ///
  /// - Parameter kind: the value of `$TERM`.
  /// - Returns: the reason, in one line.
  public static func refusal(of kind: String?) -> String? {
    let kind = kind ?? ""
    let others = [
      "dumb", "emacs", "vt52", "adm3a", "wyse", "wy50", "wy60", "tvi", "hazeltine", "tty33", "glasstty",
    ]
    guard others.contains(where: { kind == $0 || kind.hasPrefix($0 + "-") }) else { return nil }
    return "the terminal type \"\(kind)\" can't show a table"
  }

  /// Enters raw mode and shows an empty screen.
  ///
  /// - Parameter usesMouse: whether the terminal reports the mouse.
  /// - Throws: `TerminalError` if standard input or output is not a terminal.
  public init(usesMouse: Bool) throws {
    self.usesMouse = usesMouse
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw TerminalError(action: "use the terminal")
    }
    // Opened again for writes that never block: `O_NONBLOCK` on standard output would affect the shell too.
    let twin = unsafe open(path(ofDescriptor: STDOUT_FILENO), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    output = twin < 0 ? STDOUT_FILENO : twin
    errorFile = isatty(STDERR_FILENO) == 1 ? try? TemporaryFile() : nil
    var lease = TerminalLease(terminal: STDIN_FILENO, output: output)
    if let errorFile {
      lease.errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
      lease.keptErrors = errorFile.descriptor.rawValue
    }
    lease.register()
    signals = try SignalPipe()
    enter()
    if isGone { throw TerminalError(action: "use the terminal") }
  }

  /// The size in columns and rows; 80 × 24 if it is unknown.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Enters raw mode and the alternate screen, for the first time or again after `leave`.
  func enter() {
    guard TerminalLease.begin() else { return isGone = true }
    (waiting, isBlank) = ([], true)
    write(ScreenModes.begin + (usesMouse ? ScreenModes.mouseOn : []))
  }

  /// Restores the terminal; does nothing if the screen is not in use.
  public func leave() { TerminalLease.end() }

  /// Stops the process, like Ctrl-Z in a shell, until it is continued.
  ///
  /// - Parameter byKey: whether to stop the whole process group.
  func stop(byKey: Bool) {
    suspend { SignalPipe.deliver(SIGTSTP, toGroup: byKey) }
  }

  /// Restores the terminal, runs `body`, and enters raw mode again.
  ///
  /// Signals have their default actions while `body` runs.
  ///
  /// - Throws: what `body` throws.
  public func suspend(_ body: () throws -> Void) rethrows {
    leave()
    try SignalPipe.paused {
      defer { enter() }
      try body()
    }
  }

  /// Switches mouse reports on or off.
  func setMouse(_ isOn: Bool) {
    usesMouse = isOn
    write(isOn ? ScreenModes.mouseOn : ScreenModes.mouseOff)
  }
}

/// Reading and writing.
extension Terminal {
  /// Whether the terminal has accepted all bytes written so far.
  var isIdle: Bool { waiting.isEmpty }

  /// The input since the last wait.
  struct News {
    var bytes: [UInt8] = []
    var signals: [Int32] = []
  }

  /// Waits for keys and signals and writes pending output as soon as the terminal accepts it.
  func wait(milliseconds: Int32) -> News {
    let keys = Int16(POLLIN)
    var polled = [
      pollfd(fd: STDIN_FILENO, events: keys, revents: 0),
      pollfd(fd: signals.descriptor, events: keys, revents: 0),
      pollfd(fd: isIdle ? -1 : output, events: Int16(POLLOUT), revents: 0),
    ]
    let hasEarlyKeys = keyboard.hasEarlyKeys
    let count = unsafe poll(&polled, nfds_t(polled.count), hasEarlyKeys ? 0 : milliseconds)
    guard count > 0 || hasEarlyKeys else { return News() }
    if !isIdle { write([]) }
    var news = News()
    if polled[1].revents != 0 { news.signals = signals.read() }
    if polled[0].revents != 0 || hasEarlyKeys {
      let bytes = keyboard.read()
      if bytes == nil { isGone = true }
      news.bytes = bytes ?? []
    }
    return news
  }

  /// Writes as many bytes as the terminal accepts and keeps the rest for `wait`.
  func write(_ bytes: [UInt8]) {
    waiting += bytes
    while !waiting.isEmpty {
      let count = unsafe waiting.withUnsafeBytes {
        unsafe CustomersPlatform.write(output, $0.baseAddress, $0.count)
      }
      if count > 0 {
        waiting = waiting.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        (waiting, isGone) = ([], true)
      }
    }
    waiting = []
  }
}
