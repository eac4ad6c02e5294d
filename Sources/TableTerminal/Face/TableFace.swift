public import CustomerStore
public import CustomerTable

/// The table as keys, a mouse and a screen of cells: a value that knows no terminal.
///
/// Its owner reads the terminal and writes to it:
///
///     face.resize(columns: 80, rows: 24)
///     var writer = ScreenWriter(colors: true)
///     while true {
///       for request in face.handle(events(), at: .now) { perform(request) }
///       face.tick(at: .now)
///       send(writer.bytes(for: face.draw()))
///     }
public struct TableFace: Sendable {
  /// What the owner knows.
  public struct Options: Sendable {
    /// The name of the file, as shown in the first line.
    public var fileName: String
    /// Whether the mouse is used.
    public var usesMouse: Bool
    /// Whether there are colors; if not, signs say what a color would.
    public var colors: Bool

    public init(fileName: String, usesMouse: Bool = true, colors: Bool = true) {
      (self.fileName, self.usesMouse, self.colors) = (fileName, usesMouse, colors)
    }
  }

  /// What only the owner can do.
  public enum Request: Hashable, Sendable {
    /// Ends the program, with an exit code.
    case quit(Int32)
    /// Stops the program until the shell continues it.
    case suspend
    /// Gives a text to the clipboard of the terminal.
    case copy(String)
    /// Runs a line of the script grammar, on the marked customers or the one with the cursor; `finished`
    /// takes the answer.
    case command(String, on: [CustomerID])
    /// Switches the mouse on or off.
    case setMouse(Bool)
    /// Writes the whole screen again: `ScreenWriter.forget`.
    case redraw
    /// Repairs the file, as `customers check --repair` does; `finished` takes the answer.
    case repair
  }

  let options: Options
  var session: TableSession
  var (columns, rows) = (80, 24)

  /// A table on a screen of 80 × 24 until `resize` says another size.
  public init(_ session: TableSession, options: Options) {
    (self.session, self.options) = (session, options)
    resize(columns: columns, rows: rows)
  }

  /// Whether there is something to do when nobody presses a key: call `tick` again at once.
  public var hasWork: Bool { session.hasWork }

  /// The terminal has another size.
  public mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    session.send(.resize(rows - 3))
  }

  /// Does what keys and the mouse say.
  ///
  /// - Returns: what the owner is to do, in this order.
  public mutating func handle(_ events: [InputEvent], at now: ContinuousClock.Instant) -> [Request] {
    var requests: [Request] = []
    for case .key(let press) in events {
      switch press.key {
      case .down, .character("j"): session.send(.go(.by(1)))
      case .up, .character("k"): session.send(.go(.by(-1)))
      case .character("q"): requests.append(.quit(0))
      case .character("c") where press.modifiers == .control: requests.append(.quit(130))
      case .character("z") where press.modifiers == .control: requests.append(.suspend)
      default: break
      }
    }
    return requests
  }

  /// Looks for another program's changes, and does what takes time in small parts.
  public mutating func tick(at now: ContinuousClock.Instant) {
    session.poll()
    if session.hasWork { session.work() }
  }

  /// The answer to `Request.command` or `Request.repair`.
  public mutating func finished(_ text: String, isError: Bool) {}

  /// The screen as it is now.
  public func draw() -> ScreenBuffer {
    var screen = ScreenBuffer(columns: columns, rows: rows)
    screen.write(options.fileName, column: 1, row: 0)
    for (index, line) in session.state.lines.enumerated() {
      switch line {
      case .header(let section): screen.write(section.title, column: 2, row: index + 1)
      case .row(let row):
        screen.write("\(row.number)  \(row.title)", column: 3, row: index + 1)
        if row.isCursor { screen.restyle(row: index + 1) { $0.attributes.insert(.reverse) } }
      case .add(_, let title, _): screen.write(title, column: 6, row: index + 1)
      case .footer(let section): screen.write(section.footer, column: 6, row: index + 1)
      case .loading: screen.write("…", column: 6, row: index + 1)
      }
    }
    return screen
  }
}
