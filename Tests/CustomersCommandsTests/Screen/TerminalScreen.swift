import CCustomersVTerm
import CustomersSystem
import CustomersTestSupport

/// A program on its own terminal, with the visible screen and typed input.
final class TerminalScreen {
  /// The visible screen.
  let terminal: VirtualTerminal
  /// The process.
  let process: pid_t
  /// The end of the terminal that the user has; -1 when it is closed.
  private var keyboard: Int32
  /// The program's end, kept open so that its modes can be looked at; -1 when it is closed.
  private var programs: Int32
  private var code: Int32?
  /// The modes of the line before the program started.
  let lineModesBefore: [UInt32]

  /// The error if a terminal or a program can't be started.
  struct Refused: Error {}

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - spawn: what is run; its streams are the terminal.
  ///   - columns: the size of the terminal.
  ///   - rows: the size of the terminal.
  /// - Throws: `Refused` if there is no terminal, or what `Spawn.start` throws.
  init(_ spawn: Spawn, columns: Int, rows: Int) throws {
    terminal = VirtualTerminal(columns: columns, rows: rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    var name = [CChar](repeating: 0, count: 100)
    (keyboard, programs) = (-1, -1)
    guard unsafe openpty(&keyboard, &programs, &name, nil, &size) == 0 else { throw Refused() }
    for end in [keyboard, programs] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    lineModesBefore = TerminalScreen.lineModes(of: programs)
    var spawn = spawn
    spawn.terminal = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    process = try spawn.start()
  }

  deinit {
    if code == nil {
      kill(process, SIGKILL)
      _ = Spawn.wait(process)
    }
    for end in [keyboard, programs] where end >= 0 { close(end) }
  }

  /// Returns a row of the screen.
  func line(_ row: Int) -> String { terminal.line(row) }

  /// All rows.
  var text: String { terminal.lines.joined(separator: "\n") }

  /// A cell.
  func cell(_ row: Int, _ column: Int) -> VirtualTerminal.Cell {
    terminal.cell(row: row, column: column)
  }

  /// Reads the program's output until the screen meets a condition.
  ///
  /// - Returns: whether that has come; a program that does nothing for so long is not waited for.
  func wait(seconds: Int = 30, _ isSeen: () -> Bool) -> Bool {
    var waitPolicy = 10 * seconds
    while !isSeen() {
      guard waitPolicy > 0 else { return false }
      if !read(milliseconds: 100) {
        if code != nil || hasEnded { return isSeen() }
        waitPolicy -= 1
      }
    }
    return true
  }

  /// Reads what there is.
  ///
  /// - Returns: whether there was something.
  @discardableResult
  func read(milliseconds: Int32) -> Bool {
    guard keyboard >= 0 else { return false }
    var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe CustomersSystem.read(keyboard, &bytes, bytes.count)
    guard count > 0 else { return false }
    terminal.feed(Array(bytes.prefix(count)))
    return true
  }

  private var hasEnded: Bool { Spawn.hasEnded(process) }

  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) { _ = unsafe CustomersSystem.write(keyboard, bytes, bytes.count) }

  /// Types a string.
  func type(_ text: String) { send(terminal.typing(text)) }

  /// Presses a key.
  func press(_ key: VTermKey, _ modifiers: VTermModifier = VTERM_MOD_NONE) {
    send(terminal.pressing(key, modifiers: modifiers))
  }

  /// Presses a letter together with Ctrl or Alt.
  func press(_ letter: String, _ modifiers: VTermModifier) {
    send(terminal.typing(letter, modifiers: modifiers))
  }

  /// Moves the mouse and presses or lets go a button.
  func mouse(row: Int, column: Int, button: Int = 1, isDown: Bool? = nil) {
    send(terminal.mouse(row: row, column: column, button: button, isDown: isDown))
  }

  /// Gives the window another size.
  func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(keyboard, UInt(TIOCSWINSZ), &size)
  }

  /// The modes of the line, as `stty` shows them.
  var lineModes: [UInt32] { TerminalScreen.lineModes(of: programs) }

  private static func lineModes(of terminal: Int32) -> [UInt32] {
    var modes = termios()
    unsafe tcgetattr(terminal, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  /// Closes the window.
  func closeWindow() {
    for end in [programs, keyboard] { close(end) }
    (keyboard, programs) = (-1, -1)
  }

  /// Waits for the end of the program and reads its output until then.
  ///
  /// - Returns: its exit code as a shell has it; -1 if it does not end.
  func end() -> Int32 {
    if let code { return code }
    guard keyboard < 0 || wait({ hasEnded }) else { return -1 }
    while read(milliseconds: 0) {}
    let code = Spawn.wait(process)
    self.code = code
    return code
  }
}
