internal import CustomerStore
internal import CustomersFiles
internal import CustomersPlatform
internal import Synchronization
internal import CustomersTerminal
internal import CustomersTerminalText

/// Runs the commands that a user types in the table and repairs.
///
/// The table shows the result of a command in one line and asks its question if that is yes or no. A command
/// that prints a list, asks anything else, or opens an editor gets the terminal.
struct TableCommands {
  let session: Session
  let terminal: Terminal

  /// Runs a command or a repair.
  func perform(_ request: TableFace.Request) -> TableLoop.Answer {
    do {
      switch request {
      case .command(let line, let rows, let agreed):
        guard let typed = try TypedCommand(line, on: rows) else { return TableLoop.Answer() }
        return try run(typed.invocation, agreed)
      case .repair: return try run(Invocation(.check, flags: [CheckRun.repairs]))
      default: return TableLoop.Answer()
      }
    } catch {
      return TableLoop.Answer(line(Failure(error, file: "")), isError: true)
    }
  }

  private func run(_ invocation: Invocation, _ agreed: [String] = []) throws -> TableLoop.Answer {
    guard invocation.command?.isPaged != true else { return try show(invocation) }
    let kept = try KeptOutput()
    var context = try keeping(kept)
    context.agreed = agreed
    let (_, failure) = CustomersCLI.perform(invocation, in: context)
    if let failure {
      if let question = failure.question, kept.steps.isEmpty {
        return TableLoop.Answer(try kept.printed().joined(separator: "\n"), question: question)
      }
      return failure.needsPerson
        ? try show(invocation) : TableLoop.Answer(line(failure), isError: true, steps: kept.steps)
    }
    let lines = try kept.lines()
    // The table shows the rows that were changed.
    if kept.steps.isEmpty { return TableLoop.Answer(lines.joined(separator: "\n")) }
    let more = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
    return TableLoop.Answer((lines.first ?? "") + more, steps: kept.steps)
  }

  /// Runs a command on the terminal.
  private func show(_ invocation: Invocation) throws -> TableLoop.Answer {
    let steps = Mutex<[HistoryStep.ID]>([])
    // New streams: those of an earlier command may have gone to a pager.
    var context = try session.context.starting(
      on: session.list, output: Stream(FileDescriptor.standardOutput),
      errors: Stream(FileDescriptor.standardError))
    context.noteStep = { step in steps.withLock { $0.append(step) } }
    var answer = try show { _ = CustomersCLI.perform(invocation, in: context) }
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
      // Any key stops the wait for another program; Esc or Ctrl-C also stops the command itself.
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
