public import CustomerStore
internal import CustomerTable
internal import Platform

/// A table on a terminal: one loop, without threads, that reads keys and draws frames.
///
/// All keys that have come make one frame, and no frame is drawn while the terminal has not taken the one
/// before.
public struct TableLoop {
  /// What came of a command.
  public struct Answer: Sendable {
    /// One line for the person; nothing if there is nothing to say.
    public var text: String
    public var isError: Bool
    /// The steps of the history that it made.
    public var steps: [HistoryStep.ID]

    public init(_ text: String = "", isError: Bool = false, steps: [HistoryStep.ID] = []) {
      (self.text, self.isError, self.steps) = (text, isError, steps)
    }
  }

  /// What the program does for the table.
  public typealias Perform = (TableFace.Request) -> Answer

  /// An Escape is the key if nothing has followed for so long.
  private static let escapeDelay = Duration.milliseconds(50)
  /// A sequence that has begun is waited for, but not for ever.
  private static let sequenceDelay = Duration.seconds(1)

  private let terminal: Terminal
  private var face: TableFace
  private var writer: ScreenWriter
  private let perform: Perform
  private var parser = InputParser()
  private var lastKey = ContinuousClock.now
  /// What the face had been through when it was drawn last.
  private var drawn: (events: Int, seconds: Int)?

  /// - Parameters:
  ///   - face: the table.
  ///   - terminal: where it is shown.
  ///   - colors: whether texts have colors.
  ///   - perform: runs commands and repairs, when the face asks for it.
  public init(_ face: TableFace, on terminal: Terminal, colors: Bool, perform: @escaping Perform) {
    (self.face, self.terminal, self.perform) = (face, terminal, perform)
    writer = ScreenWriter(colors: colors)
  }

  /// Shows the table until the person leaves it.
  ///
  /// The terminal is left by then. A signal that ends programs ends this one.
  ///
  /// - Returns: the exit code.
  public mutating func run() -> Int32 {
    defer { terminal.leave() }
    while true {
      draw()
      // Twenty looks a second at the list cost next to nothing.
      let news = terminal.wait(milliseconds: face.hasWork ? 0 : 50)
      for signal in news.signals { hear(signal) }
      if terminal.isGone { end(by: SIGHUP) }
      if let code = handle(news.bytes) { return code }
      face.tick(at: .now)
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

  /// Has the next frame written whole.
  private mutating func repaint() {
    writer.forget()
    drawn = nil
  }

  private mutating func hear(_ signal: Int32) {
    switch signal {
    case SIGWINCH: resize()
    case SIGTSTP: terminal.stop(byKey: false)
    // After SIGSTOP, which can't be heard, the terminal is as the shell left it.
    case SIGCONT: terminal.enter()
    default: end(by: signal)
    }
  }

  private func end(by signal: Int32) -> Never {
    terminal.leave()
    SignalPipe.deliver(signal)
    exit(128 + signal)
  }

  /// - Returns: the exit code, if the person leaves the table.
  private mutating func handle(_ bytes: [UInt8]) -> Int32? {
    var events = parser.parse(bytes)
    let now = ContinuousClock.now
    if !bytes.isEmpty {
      lastKey = now
    } else if parser.isWaiting,
      now - lastKey >= (parser.hasLoneEscape ? Self.escapeDelay : Self.sequenceDelay)
    {
      events += parser.flush()
    }
    guard !events.isEmpty else { return nil }
    drawn = nil
    for request in face.handle(events, at: now) { if let code = answer(request) { return code } }
    return nil
  }

  private mutating func answer(_ request: TableFace.Request) -> Int32? {
    switch request {
    case .quit(let code): return code
    case .suspend: terminal.stop(byKey: true)
    case .copy(let text): terminal.write(ScreenModes.copy(text))
    case .setMouse(let isOn): terminal.setMouse(isOn)
    case .redraw: repaint()
    case .command, .repair:
      // What others did before is known by then, and not taken for the person's own.
      face.session.poll()
      let answer = perform(request)
      face.session.adopt(answer.steps)
      face.finished(answer.text, isError: answer.isError)
    }
    return nil
  }
}
