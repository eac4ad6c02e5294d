internal import Formats
internal import CustomerStore

extension Command {
  static let undo = Command(
    name: "undo", summary: "take the last step back, whoever made it",
    options: [.value("--steps", .count("K"), "take K steps back")],
    run: { session in try session.turn(.undo, "Undone", "customers redo") { list in try list.undo() } })

  static let redo = Command(
    name: "redo", summary: "do again what was undone",
    options: [.value("--steps", .count("K"), "do K steps again")],
    run: { session in try session.turn(.redo, "Done again", "customers undo") { list in try list.redo() } })

  static let history = Command(
    name: "history", summary: "show what was done, the last step first",
    description: [
      "What was undone is marked, and can be done again until something else is done. A deleted customer",
      "stays in the file as long as the history does; --forget overwrites it.",
    ],
    options: [
      .oneOf([
        .value("--limit", .count(), "at most N steps; 20 if nothing is said"),
        .flag("--forget", "forget all steps; asks"),
      ])
    ],
    isPaged: true,
    run: { session in
      if session.invocation.has("--forget") { return try session.forget() }
      let limit = try session.invocation.count("--limit") ?? 20
      let isJSON = try session.format() == .json
      let steps = try session.read { list in
        let words = try HistoryWords(list)
        var steps: [(HistoryStep, [String])] = []
        for step in try list.history(limit: limit) {
          steps.append((step, try words.lines(of: step, limit: isJSON ? .max : 3, in: list)))
        }
        return steps
      }
      if isJSON {
        try session.output.write(JSON.array(steps.map { $0.0.json($0.1) }).text + "\n")
      } else {
        for (step, lines) in steps { try session.output.write(step.line(lines)) }
      }
      return .done
    })
}

extension Session {
  fileprivate func forget() throws -> ExitCode {
    if !isDryRun {
      let question = "Forget the history? What was deleted can't be brought back then."
      guard try confirm(question, to: "history --forget") else { return .declined }
    }
    try edit(creating: false) { list in
      try list.forgetHistory()
      return Report(lines: ["Forgot the history."], json: [("op", .string("history forget"))])
    }
    return .done
  }

  fileprivate func turn(
    _ kind: HistoryStep.Kind, _ done: String, _ opposite: String,
    _ body: (inout CustomerList) throws -> HistoryStep?
  ) throws -> ExitCode {
    let count = try invocation.count("--steps") ?? 1
    try edit(creating: false) { list in
      var turned: [(step: HistoryStep, words: [String])] = []
      while turned.count < count, let step = try body(&list) {
        let words = try HistoryWords(list).lines(of: step, undone: kind == .undo, limit: 3, in: list)
        turned.append((step, words))
      }
      let lines = turned.map { "\(done): \($0.words.joined(separator: ", ")).  (\(opposite))" }
      return Report(
        remark: turned.isEmpty && count > 0 ? "There is nothing to \(kind.rawValue)." : nil, lines: lines,
        json: [("op", .string(kind.rawValue)), ("steps", .array(turned.map { $0.step.json($0.words) }))])
    }
    return .done
  }
}

extension HistoryStep {
  fileprivate func json(_ lines: [String]) -> JSON {
    .object([
      ("step", .int(Int(id))), ("time", .string(time)), ("program", .string(program)),
      ("action", .string(action)), ("kind", .string(kind.rawValue)), ("state", .string(state.rawValue)),
      ("edit_count", .int(editCount)), ("edits", .array(lines.map(JSON.string))),
    ])
  }

  /// The step for a person: its number, time and edits.
  fileprivate func line(_ lines: [String]) -> String {
    let mark = kind == .edit ? (state == .done ? "" : " (\(state.rawValue))") : " (\(kind.rawValue))"
    let program = program.isEmpty ? "" : "  \(printable(program))"
    return "\(id)  \(time)\(program)\(mark)  \(lines.joined(separator: ", "))\n"
  }
}
