package import CustomerStore
package import CustomerTable

/// The table for keys, a mouse, and a screen of cells: a value that does not know a terminal.
///
/// Its owner reads the terminal and writes to it:
///
///     let session = TableSession(store, policy: TableFace.policy())
///     var face = TableFace(
///       session, options: .init(fileName: "customers.sqlite"))
///     var writer = ScreenWriter(colors: true)
///     face.resize(columns: 80, rows: 24)
///     while true {
///       for request in face.handle(events(), at: .now) {
///         perform(request)
///       }
///       face.tick(at: .now)
///       send(writer.bytes(for: face.draw()))
///     }
package struct TableFace: Sendable {
  /// What the owner knows.
  package struct Options: Sendable {
    /// The name of the file, as shown in the first line.
    package var fileName: String
    /// Whether the mouse is on at first.
    package var usesMouse: Bool
    /// Whether there are colors; without them, symbols replace colors.
    package var colors: Bool
    /// What has locked the list, asked while an edit waits for it; nil if no one can say.
    package var lockHolder: @Sendable () -> String? = { nil }

    package init(fileName: String, usesMouse: Bool = true, colors: Bool = true) {
      (self.fileName, self.usesMouse, self.colors) = (fileName, usesMouse, colors)
    }
  }

  /// A request that only the owner can fulfill.
  package enum Request: Hashable, Sendable {
    /// Ends the program, with an exit code.
    case quit(Int32)
    /// Stops the program until the shell continues it.
    case suspend
    /// Copies a string to the clipboard of the terminal.
    case copy(String)
    /// Runs a line of the script grammar, on the marked customers or the one with the cursor; `finished`
    /// gets the result. `agreed` are its questions that were answered with yes.
    case command(String, on: [CustomerID], agreed: [String])
    /// Completes the word at the end of such a line; `completed` gets the result.
    case complete(String)
    /// Switches the mouse on or off.
    case setMouse(Bool)
    /// Writes the whole screen again: `ScreenWriter.forget`.
    case redraw
    /// Repairs the file, as `customers check --repair` does; `finished` gets the result.
    case repair
  }

  let options: Options
  var session: TableSession
  var (columns, rows) = (0, 0)
  /// The number that was typed before a key.
  var count: Int?
  /// The line that is typed below the list, while it is open.
  var prompt: Prompt? {
    // A line is about the rows for which it was opened.
    didSet { if (prompt == nil) != (oldValue == nil) { session.send(prompt == nil ? .letGo : .hold) } }
  }
  /// Who was no longer in the list when a command about them was run.
  var lost: Customer?
  /// The lines that were run, the last one at the end.
  var lines: [String] = []
  /// The rows in columns; nil on a screen without them.
  var columnView: ColumnView?
  /// The overlay: the help or the output of a command.
  var overlay: Overlay?
  /// The notice of a command or the program, until the next key.
  var message: TableNotice?
  /// The question of a command, until the next key.
  var question: CommandQuestion?
  /// The command or the repair that waits for another program: the owner requests it again until it has a result.
  package private(set) var waitingCommand: Request?
  /// How often the list had been replaced when the last command was typed.
  var replacements = 0
  var pointer = Pointer()
  var usesMouse: Bool
  var timers = Timers()

  /// Creates a table on a screen of 80 × 24, until `resize` sets another size.
  ///
  /// - Parameters:
  ///   - session: a table with the policy from `policy(isReadOnly:)` or another one.
  ///   - options: what the owner knows.
  package init(_ session: TableSession, options: Options) {
    (self.session, self.options, usesMouse) = (session, options, options.usesMouse)
    resize(columns: 80, rows: 24)
  }

  /// Whether there is background work: call `tick` again at once.
  package var hasWork: Bool { session.hasWork }

  var state: TableState { session.state }

  /// Sets the size of the terminal.
  package mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(0, columns), max(0, rows))
    layOut()
  }

  /// Checks for other programs' changes and does background work in small parts.
  package mutating func tick(at now: ContinuousClock.Instant) {
    session.poll()
    if session.hasWork { session.work() }
    scrollAtEdge(at: now)
    if timers.look(at: state, isWaiting: state.waiting != nil || waitingCommand != nil, now) {
      session.send(.fade)
    }
    layOut()
  }

  /// The owner could not run a command or a repair, because another program has locked the list.
  package mutating func wait(toRun request: Request) { waitingCommand = request }

  /// Gives up the command that waits.
  mutating func stopWaiting() {
    (waitingCommand, lost) = (nil, nil)
    message = TableNotice(kind: .hint, text: "Nothing was changed.")
  }

  /// The result of `Request.command` or `Request.repair`.
  package mutating func finished(_ text: String, isError: Bool) {
    waitingCommand = nil
    // The command knows the id only.
    let text = isError ? (lost.map { "\"\($0.name)\" is no longer in the list: " } ?? "") + text : text
    lost = nil
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let shown = lines.reversed().drop(while: \.isEmpty).reversed()
    if shown.count > 1 {
      overlay = Overlay(title: isError ? "Error" : "Output", entries: shown.map { .text($0) })
    } else {
      message = TableNotice(kind: isError ? .refusal : .done, text: shown.first ?? "")
    }
    session.send(.tryAgain)
    session.poll()
    layOut()
  }

  /// The result of `Request.complete`.
  ///
  /// - Parameters:
  ///   - line: the line, as far as it is certain.
  ///   - words: what the word at its end may become, if it may be several.
  package mutating func completed(_ line: String, _ words: [String]) {
    guard let purpose = prompt?.purpose, let start = purpose.completion else { return }
    if line.count > start.count { prompt?.field = FormText(String(line.dropFirst(start.count))) }
    guard case .command = purpose else {
      if prompt?.field.text.last == " " { prompt?.field.perform(.deleteBackward) }
      return words.isEmpty ? () : showNames(words)
    }
    message = words.isEmpty ? nil : TableNotice(kind: .hint, text: words.joined(separator: "  "))
  }

  /// Asks whether to run a command that needs an answer.
  ///
  /// - Parameters:
  ///   - text: the question.
  ///   - lines: what the command printed before it.
  ///   - request: the command; nothing was changed by it.
  package mutating func ask(_ text: String, _ lines: String, before request: Request) {
    guard case .command(let line, let rows, let agreed) = request else { return }
    finished(lines, isError: false)
    message = nil
    question = CommandQuestion(text: text, request: .command(line, on: rows, agreed: agreed + [text]))
  }
}

/// A question of a command that was typed.
struct CommandQuestion {
  let text: String
  /// The command again, with the answer.
  let request: TableFace.Request
}

/// The policy of a table on a terminal: the edits that it allows and its strings.
extension TableFace {
  /// The policy of a table in a terminal, which may be read-only: company, e-mail address, and note next to
  /// the name, and examples in the form of a new customer.
  package static func policy(isReadOnly: Bool = false) -> EditingPolicy {
    var policy = isReadOnly ? EditingPolicy.readOnly : EditingPolicy()
    policy.subtitle = { customer in
      let fields = customer.fields
      let company = fields.company == customer.name ? "" : fields.company
      return [company, fields.email, fields.note].filter { !$0.isEmpty }.joined(separator: " · ")
    }
    policy.emptyNoteHint = ""
    policy.form.placeholders = [
      .firstName: "Ann", .lastName: "Lee", .company: "Longbourn Books", .email: "ann@example.org",
      .phone: "+1-555-0100", .note: "enter notes", .next: "+1d, friday, 24.12.",
    ]
    policy.form.check = { fields in
      let isBlank =
        fields.extra == "{}" && CustomerField.texts.allSatisfy { fields[$0].text.allSatisfy(\.isWhitespace) }
      return isBlank ? [.firstName: "fill in at least one field"] : [:]
    }
    return policy
  }
}

extension Customer {
  /// The customer in one line, for the clipboard.
  var copied: String {
    let name = fields.company == name ? "" : name
    let others = CustomerField.texts.filter { $0 != .firstName && $0 != .lastName }
    let texts = [name] + others.map { fields[$0].text }
    let lines = texts.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
    return lines.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// The elements that the screen shows for a limited time.
struct Timers {
  /// How long rows that another program changed are highlighted.
  private static let highlight = Duration.seconds(1)

  private var flashing: Set<CustomerID> = []
  private var flashEnd: ContinuousClock.Instant?
  private var waitingSince: ContinuousClock.Instant?
  /// For how many seconds an edit or a command has been waiting.
  private(set) var waitingSeconds = 0

  /// Updates the time; an edit or a command may wait for another program.
  ///
  /// - Returns: whether to end the highlight of rows.
  mutating func look(at state: TableState, isWaiting: Bool, _ now: ContinuousClock.Instant) -> Bool {
    waitingSince = isWaiting ? waitingSince ?? now : nil
    waitingSeconds = waitingSince.map { Int(($0.duration(to: now)).components.seconds) } ?? 0
    if state.flashing != flashing {
      flashing = state.flashing
      flashEnd = flashing.isEmpty ? nil : now + Self.highlight
    }
    guard let end = flashEnd, now >= end else { return false }
    flashEnd = nil
    return true
  }
}
