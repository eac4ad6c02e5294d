internal import CustomerStore
internal import CustomersFiles
internal import CustomersPlatform
internal import Synchronization
internal import CustomersTerminal
internal import CustomersTerminalText

/// Runs the commands that a person types in the table, and repairs.
///
/// The table shows the result of a command in one line. A command that prints a list, asks a question or
/// opens an editor gets the terminal.
struct TableCommands {
  let session: Session
  let terminal: Terminal

  /// Runs a command or a repair.
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

  /// Runs a command on the terminal.
  private func show(_ words: [String]) throws -> TableLoop.Answer {
    let steps = Mutex<[HistoryStep.ID]>([])
    // New streams: those of an earlier command may have gone to a pager.
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

  /// Runs `body` on the terminal, and waits for Enter.
  private func show(_ body: () throws -> Void) throws -> TableLoop.Answer {
    try terminal.lend {
      try body()
      let errors = Stream(FileDescriptor.standardError)
      try errors.write("\nPress Enter to return to the table. ")
      try errors.flush()
      _ = session.context.input.line()
    }
    return TableLoop.Answer()
  }

  /// The context for a command that runs without a terminal.
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
      // Any key stops the wait for another program.
      options.whileWaiting = { pause in
        var keys = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
        return unsafe goesOn(pause) && poll(&keys, 1, 0) == 0
      }
      return try CustomerStore(path: path, options: options)
    }
    return context
  }

  /// The environment variables, with the table's file in `CUSTOMERS_DB`.
  private var environment: [String: String] {
    var environment = session.environment
    if let path = session.invocation.value("--db") { environment["CUSTOMERS_DB"] = path }
    return environment
  }

  /// Returns a failure as one line, without the path of the table's file.
  private func line(_ failure: Failure) -> String {
    let file = (try? session.dataFile().path).map { "\(printable($0)): " } ?? ""
    let reasons = failure.problems.isEmpty ? [failure.message] : failure.problems.map(\.message)
    let rest = failure.details.map { String($0.trimmingBlanks) } + (failure.hint.map { [$0] } ?? [])
    return (reasons + rest).joined(separator: "; ").replacing(
      file, with: "", maxReplacements: file.isEmpty ? 0 : 1)
  }
}
