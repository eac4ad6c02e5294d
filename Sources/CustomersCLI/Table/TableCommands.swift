internal import CustomerStore
internal import Files
internal import Platform
internal import Synchronization
internal import TableTerminal
internal import TerminalText

/// What the table has the program do: commands that a person types, and repairs.
///
/// A command is run as at a shell, but on the screen of the table: what it says in one line is shown there.
/// For more, for a question and for an editor it gets the terminal.
struct TableCommands {
  let session: Session
  let terminal: Terminal

  /// Does what the table wants.
  func perform(_ request: TableFace.Request) -> TableLoop.Answer {
    do {
      switch request {
      case .command(let line, let rows):
        guard let typed = try TypedCommand(line, on: rows) else { return TableLoop.Answer() }
        return try run(typed.words, isForReading: typed.invocation.command?.isPaged == true)
      case .repair: return try run(["check", "--repair"], isForReading: false)
      default: return TableLoop.Answer()
      }
    } catch {
      return TableLoop.Answer(line(Failure(error, file: "")), isError: true)
    }
  }

  private func run(_ words: [String], isForReading: Bool) throws -> TableLoop.Answer {
    guard !isForReading else { return try show(words) }
    let kept = try KeptOutput()
    let (_, failure) = CustomersCLI.perform(words, in: keeping(kept))
    if let failure {
      return failure.needsPerson
        ? try show(words) : TableLoop.Answer(line(failure), isError: true, steps: kept.steps)
    }
    let lines = try kept.lines()
    // The table shows the rows that were changed.
    if kept.steps.isEmpty { return TableLoop.Answer(lines.joined(separator: "\n")) }
    let more = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
    return TableLoop.Answer((lines.first ?? "") + more, steps: kept.steps)
  }

  /// Runs a command that has the terminal.
  private func show(_ words: [String]) throws -> TableLoop.Answer {
    let steps = Mutex<[HistoryStep.ID]>([])
    // Streams of its own, as those of a command that has ended may have gone to a pager.
    var context = Context(
      environment: environment, input: session.context.input, output: Stream(FileDescriptor.standardOutput),
      errors: Stream(FileDescriptor.standardError), terminal: session.context.terminal,
      now: session.context.now)
    context.isAtList = session.context.isAtList
    context.noteStep = { step in steps.withLock { $0.append(step) } }
    var answer = try show { _ = CustomersCLI.run(words, in: context) }
    answer.steps = steps.withLock { $0 }
    return answer
  }

  /// Gives the terminal away until the person has seen enough.
  private func show(_ body: () throws -> Void) throws -> TableLoop.Answer {
    try terminal.lend {
      try body()
      let errors = Stream(FileDescriptor.standardError)
      try errors.write("\nPress Enter to go back to the table. ")
      try errors.flush()
      _ = session.context.input.line()
    }
    return TableLoop.Answer()
  }

  /// What a command finds around it that has no terminal.
  private func keeping(_ kept: KeptOutput) -> Context {
    var context = Context(
      environment: environment, input: StandardInput(kept.nothing, isTerminal: false), output: kept.output,
      errors: kept.errors, now: session.context.now)
    context.isAtList = session.context.isAtList
    context.noteStep = { kept.note($0) }
    let input = session.context.input.descriptor
    context.openStore = { path, options in
      var options = options
      let goesOn = options.whileWaiting
      // Any key gives up.
      options.whileWaiting = { pause in
        var keys = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
        return unsafe goesOn(pause) && poll(&keys, 1, 0) == 0
      }
      return try CustomerStore(path: path, options: options)
    }
    return context
  }

  /// The variables, with the file of the table.
  private var environment: [String: String] {
    var environment = session.environment
    if let path = session.invocation.value("--db") { environment["CUSTOMERS_DB"] = path }
    return environment
  }

  /// All of a failure in one line; which file it is about is plain.
  private func line(_ failure: Failure) -> String {
    let file = (try? session.dataFile().path).map { "\(printable($0)): " } ?? ""
    let reasons = failure.problems.isEmpty ? [failure.message] : failure.problems.map(\.message)
    let rest = failure.details.map { String($0.trimmingBlanks) } + (failure.hint.map { [$0] } ?? [])
    return (reasons + rest).joined(separator: "; ").replacing(
      file, with: "", maxReplacements: file.isEmpty ? 0 : 1)
  }
}
