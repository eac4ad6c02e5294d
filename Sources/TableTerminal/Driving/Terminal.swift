internal import Files
internal import Platform

/// The terminal of this process as a table needs it: keys one by one, and a screen of its own.
///
/// However the program ends, the terminal is left as it was found: by `leave`, by a signal, by a crash, by
/// `exit`. Only SIGKILL and SIGSTOP can't be helped. While the screen is in use, standard error goes to a
/// file, and comes out afterwards.
///
/// A process has one, on the thread that made it.
public final class Terminal {
  let signals: SignalPipe
  private let output: Int32
  private let errorFile: TemporaryFile?
  private var usesMouse: Bool
  /// Whether nothing is on the screen, as it was just taken.
  var isBlank = true
  /// Whether the terminal can't be read or written any more: the line is dead, or the window is closed.
  private(set) var isGone = false
  /// What the terminal has not taken yet.
  private var waiting: ArraySlice<UInt8> = []

  /// Why no table can be shown on a terminal of a kind; nil if it can.
  ///
  /// Terminals that know no ANSI sequences are few, and old: everything else is taken as it is, whether the
  /// machine knows its name or not.
  ///
  /// - Parameter kind: what `$TERM` says.
  /// - Returns: one line.
  public static func refusal(of kind: String?) -> String? {
    let kind = kind ?? ""
    let others = [
      "dumb", "emacs", "vt52", "adm3a", "wyse", "wy50", "wy60", "tvi", "hazeltine", "tty33", "glasstty",
    ]
    guard others.contains(where: { kind == $0 || kind.hasPrefix($0 + "-") }) else { return nil }
    return "a terminal of the kind \"\(kind)\" can't show a table"
  }

  /// Takes the terminal, and shows an empty screen.
  ///
  /// - Parameter usesMouse: whether the mouse is reported.
  /// - Throws: `TerminalError` if standard input or output is not a terminal.
  public init(usesMouse: Bool) throws {
    self.usesMouse = usesMouse
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw TerminalError(action: "use the terminal")
    }
    // Opened once more so that writing never waits, as `O_NONBLOCK` would be set for the shell too.
    let twin = unsafe open("/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
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

  /// The columns and rows.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the terminal, also again after it was left.
  func enter() {
    guard TerminalLease.begin() else { return isGone = true }
    (waiting, isBlank) = ([], true)
    write(ScreenModes.begin + (usesMouse ? ScreenModes.mouseOn : []))
  }

  /// Leaves the terminal as it was found.
  public func leave() { TerminalLease.end() }

  /// Stops the program as the key of the shell does, until it is continued.
  ///
  /// - Parameter byKey: whether everything that was started together with it is to stop too.
  func stop(byKey: Bool) {
    lend { SignalPipe.deliver(SIGTSTP, toGroup: byKey) }
  }

  /// Leaves the terminal while something else uses it, and takes it again.
  ///
  /// Signals do in the meantime what they usually do.
  ///
  /// - Throws: what `body` throws.
  public func lend(_ body: () throws -> Void) rethrows {
    leave()
    try SignalPipe.paused {
      defer { enter() }
      try body()
    }
  }

  /// Has the mouse reported, or no longer.
  func setMouse(_ isOn: Bool) {
    usesMouse = isOn
    write(isOn ? ScreenModes.mouseOn : ScreenModes.mouseOff)
  }
}

/// Reading and writing.
extension Terminal {
  /// Whether the terminal has taken everything that was written.
  var isIdle: Bool { waiting.isEmpty }

  /// What has come.
  struct News {
    var bytes: [UInt8] = []
    var signals: [Int32] = []
  }

  /// Waits for keys and signals, and in the meantime writes what waits to be written.
  func wait(milliseconds: Int32) -> News {
    let keys = Int16(POLLIN)
    var polled = [
      pollfd(fd: STDIN_FILENO, events: keys, revents: 0),
      pollfd(fd: signals.descriptor, events: keys, revents: 0),
      pollfd(fd: isIdle ? -1 : output, events: Int16(POLLOUT), revents: 0),
    ]
    guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return News() }
    if !isIdle { write([]) }
    var news = News()
    if polled[1].revents != 0 { news.signals = signals.read() }
    if polled[0].revents != 0 { news.bytes = read() }
    return news
  }

  private func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe Platform.read(STDIN_FILENO, &bytes, bytes.count)
    if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { isGone = true }
    return Array(bytes.prefix(max(0, count)))
  }

  /// Writes what the terminal takes, and keeps the rest.
  func write(_ bytes: [UInt8]) {
    waiting += bytes
    while !waiting.isEmpty {
      let count = unsafe waiting.withUnsafeBytes {
        unsafe Platform.write(output, $0.baseAddress, $0.count)
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
