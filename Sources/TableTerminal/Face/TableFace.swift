public import CustomerStore
public import CustomerTable

/// The table as keys, a mouse and a screen of cells: a value that knows no terminal.
///
/// Its owner reads the terminal and writes to it:
///
///     let session = TableSession(store, policy: TableFace.policy())
///     var face = TableFace(session, options: .init(fileName: "customers.sqlite"))
///     var writer = ScreenWriter(colors: true)
///     face.resize(columns: 80, rows: 24)
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
    /// Whether the mouse is used at first.
    public var usesMouse: Bool
    /// Whether there are colors; if not, a sign says what only a color would.
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
  var (columns, rows) = (0, 0)
  /// The number that was typed before a key.
  var count: Int?
  /// The command line, while it is open.
  var commandLine: TextField?
  /// What covers the list: the help, or the answer of a command.
  var overlay: Overlay?
  /// What a command or the program has to say, until the next key.
  var message: Notice?
  var pointer = Pointer()
  var usesMouse: Bool
  var timers = Timers()

  /// A table on a screen of 80 × 24 until `resize` says another size.
  ///
  /// - Parameters:
  ///   - session: a table with the policy that `policy(isReadOnly:)` gives, or another one.
  ///   - options: what the owner knows.
  public init(_ session: TableSession, options: Options) {
    (self.session, self.options, usesMouse) = (session, options, options.usesMouse)
    resize(columns: 80, rows: 24)
  }

  /// Whether there is something to do when nobody presses a key: call `tick` again at once.
  public var hasWork: Bool { session.hasWork }

  var state: TableState { session.state }

  /// The terminal has another size.
  public mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(0, columns), max(0, rows))
    let heights = isNarrow ? LineHeights(header: 1, subtitle: 1) : LineHeights(header: 2)
    session.send(.resize(listRows.count, heights: heights))
  }

  /// Looks for another program's changes, and does what takes time in small parts.
  public mutating func tick(at now: ContinuousClock.Instant) {
    session.poll()
    if session.hasWork { session.work() }
    scrollAtEdge(at: now)
    if timers.look(at: state, now) { session.send(.fade) }
  }

  /// The answer to `Request.command` or `Request.repair`.
  public mutating func finished(_ text: String, isError: Bool) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let shown = lines.reversed().drop(while: \.isEmpty).reversed()
    if shown.count > 1 {
      overlay = Overlay(title: isError ? "Error" : "Answer", entries: shown.map { .text($0) })
    } else {
      message = Notice(kind: isError ? .refusal : .done, text: shown.first ?? "")
    }
    session.send(.tryAgain)
    session.poll()
  }
}
