internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb
internal import Dispatch

extension Command {
  static let mcp = Command(
    name: "mcp", summary: "let an assistant read the list, and change it if you say so",
    description: [
      "It speaks the Model Context Protocol on standard input and output. The assistant finds customers and",
      "reads the history, and whatever it reads goes to whoever runs it. With --edit it makes changes, in",
      "its name: moves and logs at once, other edits and an undo only after a dry run. For a list elsewhere,",
      "start it there: ssh HOST customers mcp.",
    ],
    options: [.optional(mayEdit)], common: [GlobalOptions.list],
    examples: [
      CommandExample("As an assistant starts it", "customers mcp --db ~/customers.sqlite")
    ],
    seeAlso: ["web", "history", "api"], need: { _ in .typist }, run: { try $0.serveAssistant() })

  fileprivate static let mayEdit = Option.flag("--edit", "offer the tools that change the list, too")
}

extension Session {
  /// Answers the messages of an assistant until the input ends.
  fileprivate func serveAssistant() throws -> ExitCode {
    if case .ssh = try self.list.address {
      throw Failure.usage(
        "mcp needs a list on this machine", hint: "to start it on the other one: ssh HOST customers mcp")
    }
    let isReadOnly = !invocation[Command.mayEdit]
    let list = try listAPI(isReadOnly: isReadOnly, program: HistoryStep.assistantProgram)
    let assistant = Assistant(mayEdit: !isReadOnly, program: version) { name in
      try list.list(
        for: PagePerson(id: PersonID(rawValue: 0), name: name, rights: isReadOnly ? .read : .edit))
    }
    // An edit that it interrupts is made as a whole or not at all.
    let before = signal(SIGTERM) { _ in _exit(0) }
    defer { signal(SIGTERM, before) }
    let input = context.input.descriptor
    var lines = LineReader { try input.read() }
    while true {
      nonisolated(unsafe) var answer: JSON?
      do {
        guard let line = try lines.next() else { return .done }
        guard !line.isEmpty else { continue }
        let isAnswered = DispatchSemaphore(value: 0)
        Task {
          unsafe answer = await assistant.answer(Array(line.utf8))
          isAnswered.signal()
        }
        isAnswered.wait()
      } catch let problem as ScriptDiagnostic {
        unsafe answer = assistant.refusal(problem.message)
      }
      guard let answer = unsafe answer else { continue }
      try output.write(answer.text + "\n")
      try output.flush()
    }
  }
}
