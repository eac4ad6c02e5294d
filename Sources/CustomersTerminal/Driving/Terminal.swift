internal import CustomersSystem
internal import Synchronization

/// The terminal of this process in raw mode, with the alternate screen.
///
/// The terminal is restored however the program ends: by `leave`, a signal, a crash, or `exit`. Only SIGKILL
/// and SIGSTOP prevent that. While the screen is in use, standard error goes to a temporary file; `leave`
/// prints it.
///
/// Create only one per process, and use it only on the thread that created it.
package final class Terminal {
  let signals: SignalPipe
  /// The keys, for a command that a key may stop.
  package let keyboard = Keyboard(STDIN_FILENO)
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
  package static func refusal(of kind: String?) -> String? {
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
  package init(usesMouse: Bool) throws {
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
  package var size: (columns: Int, rows: Int) {
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
  package func leave() { TerminalLease.end() }

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
  package func suspend(_ body: () throws -> Void) rethrows {
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
        unsafe CustomersSystem.write(output, $0.baseAddress, $0.count)
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

/// The escape sequences that switch terminal modes on for the table and off again.
///
/// None of them is a query: waiting for a terminal that does not reply would delay the start.
enum ScreenModes {
  /// Switches to the alternate screen, hides the cursor, disables line wrapping, and enables bracketed paste.
  static let begin = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h".utf8)

  /// Reports buttons, wheel, and drags of the mouse, with coordinates of any size (SGR mode).
  static let mouseOn = Array("\u{1B}[?1002h\u{1B}[?1006h".utf8)
  static let mouseOff = Array("\u{1B}[?1006l\u{1B}[?1002l".utf8)

  /// Restores the terminal: ends an unfinished frame and clears the screen of a terminal that has no
  /// alternate screen.
  static let end =
    Array("\u{1B}[?2026l\u{1B}[m\u{1B}[r".utf8) + mouseOff
    + Array("\u{1B}[?2004l\u{1B}[H\u{1B}[2J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

  /// Returns the sequence that copies a string to the user's clipboard, even over ssh (OSC 52).
  static func copy(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;".utf8) + Array(Base64.encode(Array(text.utf8)).utf8) + [0x07]
  }
}

/// The error of a terminal that can't be used.
package struct TerminalError: Error, CustomStringConvertible {
  let action: String
  let code: Int32

  init(action: String) { (self.action, code) = (action, errno) }

  /// The message, in one line.
  package var description: String { "can't \(action): \(unsafe String(cString: strerror(code)))" }
}

/// The state needed to restore a terminal, in memory that a signal handler can read.
///
/// All functions are safe in a signal handler: they allocate nothing and take no locks.
struct TerminalLease {
  /// The descriptors for the terminal's modes and for its screen.
  var terminal: Int32
  var output: Int32
  /// The original modes of the terminal.
  var modes = termios()
  /// The original standard error, and the file that replaces it while the screen is in use; -1 for none.
  var errors: Int32 = -1
  var keptErrors: Int32 = -1
  /// Whether the screen is in use.
  var isUp = false

  /// The address of this process's lease; a process has one terminal.
  private static let address = Atomic<UInt>(0)

  private static var current: UnsafeMutablePointer<TerminalLease>? {
    unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
  }

  /// Sets the lease of the process.
  func register() {
    _ = TerminalLease.endingBytes
    let memory = UnsafeMutablePointer<TerminalLease>.allocate(capacity: 1)
    unsafe memory.initialize(to: self)
    TerminalLease.address.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// Enters raw mode and redirects standard error to the file.
  ///
  /// A background process stops here until it is brought to the foreground.
  ///
  /// - Returns: whether it succeeded.
  static func begin() -> Bool {
    guard let lease = unsafe current else { return false }
    // A shell that stopped and continued this process may have changed the modes since.
    if unsafe !lease.pointee.isUp, unsafe tcgetattr(lease.pointee.terminal, &lease.pointee.modes) != 0 {
      return false
    }
    var modes = unsafe lease.pointee.modes
    unsafe cfmakeraw(&modes)
    unsafe lease.pointee.isUp = true
    while unsafe tcsetattr(lease.pointee.terminal, TCSANOW, &modes) != 0 {
      guard errno == EINTR else { return false }
    }
    if unsafe lease.pointee.keptErrors >= 0 { unsafe dup2(lease.pointee.keptErrors, STDERR_FILENO) }
    return true
  }

  /// Restores the screen, the modes, and standard error; if one step fails, goes on with the next.
  ///
  /// Does nothing if the screen is not in use.
  static func end() {
    guard let lease = unsafe current, unsafe lease.pointee.isUp else { return }
    unsafe lease.pointee.isUp = false
    // Without this, a write may stop a process in the background.
    var stopping = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&stopping)
    unsafe sigaddset(&stopping, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &stopping, &before)
    unsafe endingBytes.withUnsafeBufferPointer { unsafe write($0, to: lease.pointee.output) }
    // In the background, the modes belong to the shell.
    if unsafe tcgetpgrp(lease.pointee.terminal) == getpgrp() {
      unsafe tcsetattr(lease.pointee.terminal, TCSANOW, &lease.pointee.modes)
    }
    unsafe releaseErrors(lease)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Initialized by `register`, before a signal can arrive.
  private static let endingBytes = ScreenModes.end

  /// Restores standard error and prints the contents of the file.
  private static func releaseErrors(_ lease: UnsafeMutablePointer<TerminalLease>) {
    let kept = unsafe lease.pointee.keptErrors
    guard kept >= 0 else { return }
    unsafe dup2(lease.pointee.errors, STDERR_FILENO)
    var offset: off_t = 0
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { buffer in
      while case let count = unsafe pread(kept, buffer.baseAddress, buffer.count, offset), count > 0 {
        unsafe write(UnsafeBufferPointer(rebasing: buffer[..<count]), to: STDERR_FILENO)
        offset += off_t(count)
      }
    }
    ftruncate(kept, 0)
    lseek(kept, 0, SEEK_SET)
  }

  /// Writes bytes; gives up if the terminal accepts none for a second.
  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
    var rest = unsafe bytes[...]
    while let start = unsafe UnsafeBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
      let count = unsafe CustomersSystem.write(descriptor, start, rest.count)
      if count > 0 {
        unsafe rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&waiting, 1, 1000) > 0 else { return }
      } else if errno != EINTR {
        return
      }
    }
  }
}
