internal import Glibc
internal import Synchronization

/// Standard output, standard error or a file: written in large pieces, and seen as a terminal or not.
final class Stream: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// The pager to start when the text gets longer than the screen.
    var pagerToCome: (command: String, screen: Screen)?
    var pager: Pager?
  }

  private let descriptor: Int32
  private let name: String
  private let state = Mutex(State())
  /// Whether a person is looking.
  let isTerminal: Bool
  private let knownScreen: Screen?

  /// - Parameters:
  ///   - descriptor: where the bytes go.
  ///   - name: what it is called in errors.
  ///   - screen: the size of the terminal that a file stands for.
  init(_ descriptor: Int32, as name: String = "the output", screen: Screen? = nil) {
    self.descriptor = descriptor
    self.name = name
    knownScreen = screen
    isTerminal = screen != nil || isatty(descriptor) == 1
  }

  /// The columns and rows of the terminal.
  var screen: Screen {
    if let knownScreen { return knownScreen }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return Screen() }
    return Screen(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// From now on a text that is longer than the screen goes to a pager.
  func page(_ command: String, _ screen: Screen) {
    state.withLock { $0.pagerToCome = (command, screen) }
  }

  func write(_ text: String) throws { try write { $0.append(contentsOf: text.utf8) } }

  /// Writes what `body` appends.
  func write(_ body: (inout [UInt8]) throws -> Void) throws {
    let isFull = try state.withLock { state in
      try body(&state.buffer)
      guard let screen = state.pagerToCome?.screen else { return state.buffer.count >= 1 << 16 }
      return !screen.mayFit(state.buffer)
    }
    if isFull { try flush() }
  }

  func flush() throws {
    let (bytes, target) = state.withLock { state in
      defer { state.buffer.removeAll(keepingCapacity: true) }
      if let (command, screen) = state.pagerToCome {
        state.pagerToCome = nil
        if !screen.fits(state.buffer) { state.pager = try? Pager(command) }
      }
      return (state.buffer, state.pager?.descriptor ?? descriptor)
    }
    try unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = unsafe Glibc.write(
          target, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count >= 0 {
          written += count
        } else if errno == EPIPE {
          endWithReader()
        } else if errno != EINTR {
          throw Failure(
            code: .failed, message: "can't write \(name): \(unsafe String(cString: strerror(errno)))")
        }
      }
    }
  }

  /// Writes what is left, and waits until the person has read it.
  func finish() throws {
    try flush()
    state.withLock { state in
      defer { state.pager = nil }
      return state.pager
    }?.end()
  }

  /// Waits; if the reader goes away meanwhile, the program ends.
  func pause(milliseconds: Int32) {
    var reader = pollfd(fd: descriptor, events: 0, revents: 0)
    if unsafe poll(&reader, 1, milliseconds) > 0, reader.revents & Int16(POLLERR) != 0 { endWithReader() }
  }

  /// The reader has seen enough: as if SIGPIPE had ended us, but without its noise; to leave a pager is
  /// no error at all.
  private func endWithReader() -> Never {
    guard let pager = state.withLock(\.pager) else { exit(128 + SIGPIPE) }
    pager.end()
    exit(0)
  }
}

/// The size of a terminal.
struct Screen: Sendable {
  var columns: Int
  var rows: Int

  /// What is not known is as it always was.
  init(columns: Int = 0, rows: Int = 0) {
    self.columns = columns > 0 ? columns : 80
    self.rows = rows > 0 ? rows : 24
  }

  /// Whether a text is not longer than the screen, as far as that is known without measuring its lines.
  func mayFit(_ text: [UInt8]) -> Bool {
    text.count < 1 << 16 && text.count { $0 == UInt8(ascii: "\n") } < rows
  }

  /// Whether a text can be seen as a whole, with a line left for the prompt.
  func fits(_ text: [UInt8]) -> Bool {
    guard mayFit(text) else { return false }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    let needed = lines.map { line in
      max(1, (displayWidth(withoutStyles(String(decoding: line, as: UTF8.self))) + columns - 1) / columns)
    }
    return needed.reduce(0, +) < rows
  }
}
