package import CustomerStore
internal import CustomerTable
internal import CustomersSystem
internal import Synchronization

/// A table on a terminal: a single-threaded loop that reads keys and draws frames.
///
/// All pending keys are handled before the next frame, and a frame is drawn only after the terminal has
/// accepted the previous one.
package struct TableLoop {
  /// The result of a command.
  package struct Answer: Sendable {
    /// The message for the user, in one line; may be empty.
    package var text: String
    /// Whether the command failed.
    package var isError: Bool
    /// The history steps that the command added.
    package var steps: [HistoryStep.ID]
    /// The question that the command needs answered before it does anything; nil for none.
    package var question: String?
    /// Whether nothing was done because another program has locked the list: it is run again until that one is done.
    package var isLocked = false

    /// Creates a result; by default an empty one.
    package init(
      _ text: String = "", isError: Bool = false, steps: [HistoryStep.ID] = [], question: String? = nil
    ) {
      (self.text, self.isError, self.steps, self.question) = (text, isError, steps, question)
    }
  }

  /// Runs a command or a repair for the table.
  package typealias Perform = (TableFace.Request) -> Answer

  /// Completes the word at the end of a line; returns the line, and what the word may become, if that is not certain.
  package typealias Complete = (String) -> (line: String, words: [String])

  /// The maximum time to wait for the rest of an escape sequence.
  private static let sequenceDelay = Duration.seconds(1)
  /// The maximum time to wait for the rest of a paste, which may come from far away: as keys, it would be commands.
  private static let pasteDelay = Duration.seconds(10)

  private let terminal: Terminal
  private var face: TableFace
  private var writer: ScreenWriter
  private let perform: Perform
  private let complete: Complete
  private var parser = InputParser()
  private var lastKey = ContinuousClock.now
  /// The state of the face in the last frame; nil to draw in any case.
  private var drawn: (events: Int, seconds: Int)?

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - face: the table.
  ///   - terminal: the terminal to draw on.
  ///   - colors: whether to use colors.
  ///   - complete: completes a line.
  ///   - perform: runs the commands and repairs that the face requests.
  package init(
    _ face: TableFace, on terminal: Terminal, colors: Bool, complete: @escaping Complete,
    perform: @escaping Perform
  ) {
    (self.face, self.terminal, self.complete, self.perform) = (face, terminal, complete, perform)
    writer = ScreenWriter(colors: colors)
  }

  /// Shows the table until the user quits, then restores the terminal.
  ///
  /// A terminating signal ends the process.
  ///
  /// - Returns: the exit code.
  package mutating func run() -> Int32 {
    defer { terminal.leave() }
    while true {
      draw()
      // Polling the list twenty times a second costs next to nothing.
      let news = terminal.wait(milliseconds: face.hasWork ? 0 : 50)
      for signal in news.signals { receive(signal) }
      if terminal.isGone { end(by: SIGHUP) }
      if let code = handle(news.bytes) { return code }
      face.tick(at: .now)
      if let request = face.waitingCommand { _ = answer(request) }
    }
  }

  private mutating func draw() {
    if terminal.isBlank {
      terminal.isBlank = false
      resize()
    }
    let now = (face.session.eventCount, face.timers.waitingSeconds)
    guard terminal.isIdle, drawn.map({ $0 != now }) ?? true else { return }
    drawn = now
    let bytes = writer.bytes(for: face.draw())
    if !bytes.isEmpty { terminal.write(bytes) }
  }

  private mutating func resize() {
    let (columns, rows) = terminal.size
    face.resize(columns: columns, rows: rows)
    repaint()
  }

  /// Makes the next frame a complete one.
  private mutating func repaint() {
    writer.forget()
    drawn = nil
  }

  private mutating func receive(_ signal: Int32) {
    switch signal {
    case SIGWINCH: resize()
    case SIGTSTP: terminal.stop(byKey: false)
    // SIGSTOP can't be caught, so the terminal has the shell's modes now.
    case SIGCONT: terminal.enter()
    default: end(by: signal)
    }
  }

  private func end(by signal: Int32) -> Never {
    terminal.leave()
    SignalPipe.deliver(signal)
    exit(128 + signal)
  }

  /// Handles input, and what is incomplete once its delay is over.
  ///
  /// - Returns: the exit code if the user quits.
  private mutating func handle(_ bytes: [UInt8]) -> Int32? {
    // The end of a paste may have been lost. The key comes alone, unlike one in a text.
    var events = parser.isPasting && bytes == [Keyboard.interrupt] ? parser.flush() : []
    events += parser.parse(bytes)
    let now = ContinuousClock.now
    if !bytes.isEmpty {
      lastKey = now
    } else if parser.isWaiting, now - lastKey >= delay {
      events += parser.flush()
    }
    guard !events.isEmpty else { return nil }
    drawn = nil
    for request in face.handle(events, at: now) { if let code = answer(request) { return code } }
    return nil
  }

  /// How long to wait for the rest of what has begun.
  private var delay: Duration {
    parser.hasLoneEscape ? Keyboard.escapeDelay : parser.isPasting ? Self.pasteDelay : Self.sequenceDelay
  }

  private mutating func answer(_ request: TableFace.Request) -> Int32? {
    switch request {
    case .quit(let code): return code
    case .suspend: terminal.stop(byKey: true)
    case .copy(let text): terminal.write(ScreenModes.copy(text))
    case .setMouse(let isOn): terminal.setMouse(isOn)
    case .redraw: repaint()
    case .complete(let line):
      let (line, words) = complete(line)
      face.completed(line, words)
    case .command, .repair:
      // An edit that was made before waits, too.
      guard face.session.state.waiting == nil else {
        face.wait(toRun: request)
        return nil
      }
      // Reads the edits by other programs first, so that they do not count as the command's.
      face.session.poll()
      guard !face.refuses(request) else {
        drawn = nil
        return nil
      }
      let answer = perform(request)
      guard !answer.isLocked else {
        face.wait(toRun: request)
        return nil
      }
      drawn = nil
      face.session.adopt(answer.steps)
      if let question = answer.question {
        face.ask(question, answer.text, before: request)
      } else {
        face.finished(answer.text, isError: answer.isError)
      }
    }
    return nil
  }
}

/// The keys of a terminal; while a command runs, some are read early, to see whether one of them stops it.
package final class Keyboard: Sendable {
  /// Keys that were read early.
  private struct Early {
    var bytes: [UInt8] = []
    var lastArrival = ContinuousClock.now
  }

  /// The time after which an Escape byte alone counts as the Escape key.
  static let escapeDelay = Duration.milliseconds(50)

  private static let escape: UInt8 = 0x1B
  fileprivate static let interrupt: UInt8 = 0x03

  private let descriptor: Int32
  private let early = Mutex(Early())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether keys were read early.
  var hasEarlyKeys: Bool { early.withLock { !$0.bytes.isEmpty } }

  /// Whether a key was pressed that has not been handled.
  package var hasKeys: Bool { hasEarlyKeys || isReadable }

  /// Whether the user has pressed Esc or Ctrl-C, which is then handled; all other keys stay.
  package func takeStop() -> Bool {
    early.withLock { early in
      if isReadable, let bytes = readNow(), !bytes.isEmpty {
        early.bytes += bytes
        early.lastArrival = .now
      }
      if let index = early.bytes.firstIndex(of: Self.interrupt) {
        early.bytes.remove(at: index)
        return true
      }
      // An arrow key begins with the same byte.
      guard early.bytes.last == Self.escape, ContinuousClock.now - early.lastArrival >= Self.escapeDelay
      else {
        return false
      }
      early.bytes.removeLast()
      return true
    }
  }

  /// Waits for keys, unless there are some already.
  ///
  /// - Returns: the keys; none if a signal came, nil if the terminal is gone.
  func read() -> [UInt8]? {
    let bytes = early.withLock { early in
      defer { early.bytes = [] }
      return early.bytes
    }
    return bytes.isEmpty ? readNow() : bytes
  }

  private var isReadable: Bool {
    var keys = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&keys, 1, 0) > 0
  }

  private func readNow() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe CustomersSystem.read(descriptor, &bytes, bytes.count)
    if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return nil }
    return Array(bytes.prefix(max(0, count)))
  }
}
