internal import CustomerStore
internal import CustomerTable
internal import CustomersSystem
internal import CustomersTerminal
internal import CustomersText
internal import Synchronization

extension Command {
  static let table = Command(
    name: "table", summary: "view and edit the list on the whole screen",
    description: [
      "`customers` alone does that on a terminal. Changes by other programs show at once, and ? shows the",
      "keys.",
      "",
      "Type : to run any command; without rows, it uses the marked ones, or the one at the cursor, as in",
      "`:move first`. :q quits, and :5 goes to row 5. The keys c and s choose the columns and sort the",
      "view, from now on; to move rows, press Esc: it shows the list's own order.",
    ],
    options: [
      .optional(TableOptions.section), .optional(Listing.fields), .optional(TableOptions.noMouse),
    ],
    common: [GlobalOptions.list],
    examples: [
      CommandExample("Start at a section", "customers table --section leads"),
      CommandExample("Choose the columns", "customers table --fields company,phone"),
    ],
    seeAlso: ["list", "watch", "undo", "keys"], formats: .printed([.table]),
    need: { _ in .terminal },
    run: { session in try session.showTable() })
}

private enum TableOptions {
  static let section = Option.value("--section", short: "-s", .section, "start at a section")
  static let noMouse = Option.flag("--no-mouse", earlier: "the key M")
}

extension Session {
  /// Whether a command line without a command shows the table: on a terminal that can, if it has no options
  /// but the list.
  var opensTable: Bool {
    invocation.command == nil && invocation.given.allSatisfy { $0.name == GlobalOptions.list.name }
      && context.input.isTerminal
      && output.isTerminal && Terminal.refusal(of: environment["TERM"]) == nil
  }

  /// Shows the table until the user quits.
  func showTable() throws -> ExitCode {
    let session = self
    try upgradingIfNeeded { try openStore(creating: false, mayBeMissing: true).refuseOlderFormat() }
    var table = try TableSession(policy: TableFace.policy()) { isCreating in
      try session.openList(creating: isCreating)
    }
    if let title = invocation[TableOptions.section] {
      let index = try read(mayBeMissing: true) { list in
        let outline = try list.outline()
        let section = try outline.section(titled: title, upTo: .part)
        return outline.sections.firstIndex { $0.id == section.id }
      }
      table.send(.resize(screen.rows))
      table.send(.go(.sections(index ?? 0)))
    }
    let view = try read(mayBeMissing: true) { list in (try columnsOfTable(list), try orderOfTable(list)) }
    if let columns = view.0 { table.send(.show(columns)) }
    if let order = view.1 {
      table.poll()
      table.send(.sort(order))
    }
    let usesMouse = !invocation[TableOptions.noMouse]
    let colors = hasColor(output)
    let fileName = try list.name.split(separator: "/").last.map(String.init) ?? ""
    var options = TableFace.Options(fileName: fileName, usesMouse: usesMouse, colors: colors)
    let address = try list.address
    options.lockHolder = { address.holder }
    let face = TableFace(table, options: options)
    let terminal = try Terminal(usesMouse: usesMouse)
    let commands = TableCommands(session: self, terminal: terminal)
    var loop = TableLoop(
      face, on: terminal, colors: colors, complete: { Completer.completed($0, session) },
      perform: { commands.perform($0) })
    let code = loop.run()
    guard code != 128 + SIGINT else { endInterrupted() }
    return ExitCode(rawValue: code) ?? .failed
  }

  /// The columns that the command line names, or else a setting of the list that fits it; nil for the usual ones.
  private func columnsOfTable(_ list: borrowing CustomerList) throws -> [ListColumn]? {
    if let names = invocation[Listing.fields] { return try list.columns(named: names, by: Listing.fields) }
    return try config(.columns, list).map { names throws in try list.columns(named: names) }
  }

  /// The order of the view that a setting of the list names; nil for that of the list.
  private func orderOfTable(_ list: borrowing CustomerList) throws -> SortOrder? {
    try config(.sort, list).map { names throws in try list.sortOrder(by: names) }
  }

  /// A setting of the list, without the names that fit no column.
  private func config(_ key: ListConfig.Key, _ list: borrowing CustomerList) throws -> String? {
    invocation[GlobalOptions.noConfig] ? nil : try ListConfig(list).fitting(key, in: list).names
  }

  /// - Throws: a `Failure` if there is no terminal that can show a table, or an option rules it out.
  func checkTerminal() throws {
    for option in [GlobalOptions.json, GlobalOptions.dryRun, GlobalOptions.noInput]
    where invocation[option] {
      throw Failure.usage(
        "table and \(option.name) can't be combined", hint: "to print the list: customers list",
        offendingArgument: option.name)
    }
    guard context.input.isTerminal, output.isTerminal else {
      throw Failure.refused("the table needs a terminal", hint: "to print the list: customers list")
    }
    if let refusal = Terminal.refusal(of: environment["TERM"]) {
      throw Failure.refused(printable(refusal), hint: "set TERM=xterm; or to print the list: customers list")
    }
  }
}

/// Runs the commands that a user types in the table and repairs.
///
/// The table shows the result of a command in one line and asks its question if that is yes or no. A command
/// that prints a list, asks anything else, or opens an editor gets the terminal.
struct TableCommands {
  /// How long a command waits for another program before keys are handled again: longer than an edit takes.
  private static let patience = Duration.milliseconds(300)

  let session: Session
  let terminal: Terminal

  /// Runs a command or a repair.
  func perform(_ request: TableFace.Request) -> TableLoop.Answer {
    do {
      switch request {
      case .command(let line, let rows, let agreed):
        let typed = try TypedCommand(line, on: rows) { try session.alias($0, mayAsk: false) }
        guard let typed else { return TableLoop.Answer() }
        return try run(typed.invocation, agreed)
      case .repair: return try run(Invocation(.check, flags: [CheckRun.repairs]))
      default: return TableLoop.Answer()
      }
    } catch {
      return answer(Failure(error, file: ""))
    }
  }

  private func run(_ invocation: Invocation, _ agreed: [String] = []) throws -> TableLoop.Answer {
    guard invocation.command?.isPaged != true else { return try show(invocation) }
    let kept = try KeptOutput()
    var context = try keeping(kept)
    context.agreed = agreed
    let (_, failure) = CustomersCommands.perform(invocation, in: context)
    if let failure {
      if let question = failure.question, kept.steps.isEmpty {
        return TableLoop.Answer(try kept.printed().joined(separator: "\n"), question: question)
      }
      return failure.needsPerson ? try show(invocation) : answer(failure, kept.steps)
    }
    let lines = try kept.lines()
    // The table shows the rows that were changed.
    if kept.steps.isEmpty { return TableLoop.Answer(lines.joined(separator: "\n")) }
    return TableLoop.Answer(TextPresenter.inOneLine(lines), steps: kept.steps)
  }

  private func answer(_ failure: Failure, _ steps: [HistoryStep.ID] = []) -> TableLoop.Answer {
    var answer = TableLoop.Answer(line(failure), isError: true, steps: steps)
    answer.isLocked = failure.isOfLock && steps.isEmpty
    return answer
  }

  /// Runs a command on the terminal.
  private func show(_ invocation: Invocation) throws -> TableLoop.Answer {
    let steps = Mutex<[HistoryStep.ID]>([])
    // New streams: those of an earlier command may have gone to a pager.
    var context = try session.context.starting(
      on: session.list, output: Stream(FileDescriptor.standardOutput),
      errors: Stream(FileDescriptor.standardError))
    context.noteStep = { step in steps.withLock { $0.append(step) } }
    var answer = try show { _ = CustomersCommands.perform(invocation, in: context) }
    answer.steps = steps.withLock { $0 }
    return answer
  }

  /// Runs `body` on the terminal and waits for Enter.
  private func show(_ body: () throws -> Void) throws -> TableLoop.Answer {
    try terminal.suspend {
      try body()
      let errors = Stream(FileDescriptor.standardError)
      try errors.write("\nPress Enter to return to the table. ")
      try errors.flush()
      _ = session.context.input.line()
    }
    return TableLoop.Answer()
  }

  /// The context for a command that runs without a terminal.
  private func keeping(_ kept: KeptOutput) throws -> Context {
    var context = try session.context.starting(
      on: session.list, input: StandardInput(kept.nothing, isTerminal: false), output: kept.output,
      errors: kept.errors)
    context.terminal = { nil }
    context.noteStep = { kept.note($0) }
    let (keyboard, open) = (terminal.keyboard, context.openStore)
    context.openStore = { address, options in
      var options = options
      let (shouldContinue, isCancelled) = (options.whileWaiting, options.isCancelled)
      // The table tries it again, and shows for whom it waits. Esc or Ctrl-C stops the command itself.
      if case .file = address { options.busyTimeout = Self.patience }
      options.whileWaiting = { shouldContinue($0) && !keyboard.hasKeys }
      options.isCancelled = { isCancelled() || keyboard.takeStop() }
      return try open(address, options)
    }
    return context
  }

  /// Returns a failure as one line, without the address of the table's list.
  private func line(_ failure: Failure) -> String {
    let file = (try? session.list.name).map { "\(printable($0)): " } ?? ""
    let reasons = failure.problems.isEmpty ? [failure.message] : failure.problems.map(\.message)
    let rest = failure.details.map { String($0.trimmingBlanks) } + (failure.hint.map { [$0] } ?? [])
    return (reasons + rest).joined(separator: "; ").replacing(
      file, with: "", maxReplacements: file.isEmpty ? 0 : 1)
  }
}

/// A command line typed in the table, in the syntax of scripts.
struct TypedCommand {
  /// The parsed words, with the selected rows filled in.
  private(set) var invocation: Invocation

  /// Parses a line, whose first word may be an alias; returns nil for a line without words.
  ///
  /// In a command that takes rows, `-` means `rows`. A command that needs rows and names none gets `rows`.
  ///
  /// - Throws: a `Failure` with code `usage`.
  init?(
    _ line: String, on rows: [CustomerID], alias: (String) throws -> Alias? = { _ in nil }
  ) throws {
    var words = try TypedCommand.words(of: line)
    // Accepts the full command line, as typed in a shell.
    if words.first == "customers" { words.removeFirst() }
    guard let first = words.first else { return nil }
    let alias = Command.all.contains { $0.isCalled(first) } ? nil : try alias(first)
    if let alias { words.replaceSubrange(...0, with: alias.words) }
    let ids = rows.map { "@\($0.rawValue)" }
    invocation = try Invocation(parsing: words, commands: Command.all, globals: GlobalOptions.all)
    invocation.alias = alias
    guard let command = invocation.command else { throw Failure.usage("no command given") }
    guard !TypedCommand.excluded.contains(command.name), !command.name.hasPrefix("__") else {
      throw Failure.usage(
        command.name == "table" ? "you are already in the table" : "\(command.name) can't be run in the table"
      )
    }
    guard !invocation.has(RepeatedBackup.every) else {
      throw Failure.usage("--every can't be used in the table", hint: "run it in another terminal")
    }
    if command.forms.contains(where: \.takesRows) {
      if let index = invocation.indexOfPipedRows {
        invocation.replaceOperand(at: index, by: ids)
      } else if (try? command.check(invocation)) == nil || lacksRows(isBlock: ids.count > 1) {
        var filled = invocation
        filled.operands = ids + filled.operands
        if (try? command.check(filled)) != nil { invocation = filled }
      }
    }
    try command.check(invocation)
  }

  /// Whether a line that has a meaning without rows, such as `merge` or `move first`, is meant for those at hand.
  private func lacksRows(isBlock: Bool) -> Bool {
    guard let command = invocation.command, command.editing != nil else { return false }
    guard let word = invocation.operands.first else { return isBlock }
    return command.takesPlace && invocation.operands.count == 1 && PlaceName(word) != nil
      && !invocation.has(Placement.to)
  }

  /// The commands that run until they are interrupted, or serve another program; so do those that no person types.
  private static let excluded = [
    Command.table.name, Command.watch.name, Command.web.name, Command.serve.name,
  ]

  /// The words of a line that is seen beside the message, which begins with `problem`.
  ///
  /// - Throws: a `Failure` with code `usage`.
  static func words(of line: String, problem: String = "") throws -> [String] {
    var rest = [Array(line.utf8)][...]
    var reader = WordReader(LineReader { rest.popFirst() ?? [] })
    let read: ScriptLine?
    do { read = try reader.next() } catch let mistake as ScriptDiagnostic {
      throw Failure.usage(problem + mistake.message, hint: mistake.hint)
    }
    let words = read?.words ?? []
    if let variable = words.lazy.compactMap(\.variable).first {
      throw Failure.usage("$\(variable) names a row in scripts only", hint: "put a value with $ in quotes")
    }
    return words.map(\.text)
  }
}

extension Form {
  fileprivate var takesRows: Bool { operands.contains { $0.value.takesRows } }
}

/// The output and the history steps of a command that runs without a terminal; the output is kept in
/// temporary files.
final class KeptOutput: Sendable {
  let output: Stream
  let errors: Stream
  /// An empty standard input.
  let nothing: FileDescriptor
  private let files: [TemporaryFile]
  private let made = Mutex<[HistoryStep.ID]>([])

  init() throws {
    files = [try TemporaryFile(), try TemporaryFile(), try TemporaryFile()]
    (output, errors) = (Stream(files[0].descriptor), Stream(files[1].descriptor))
    nothing = files[2].descriptor
  }

  /// Returns the lines printed so far, those of standard output first.
  func lines() throws -> [String] {
    try errors.flush()
    return try printed() + lines(of: files[1])
  }

  /// Returns the lines printed so far on standard output.
  func printed() throws -> [String] {
    try output.flush()
    return try lines(of: files[0])
  }

  private func lines(of file: TemporaryFile) throws -> [String] {
    String(decoding: try file.read(at: 0, upTo: 1 << 20), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// The history steps that the command added.
  var steps: [HistoryStep.ID] { made.withLock { $0 } }

  /// Records a step.
  func note(_ step: HistoryStep.ID) { made.withLock { $0.append(step) } }
}
