internal import Formats
internal import CustomerStore

extension Command {
  static let undo = Command(
    name: "undo", summary: "take the last step back, whoever made it",
    options: [.value("--steps", .count("K"), "take K steps back")],
    examples: [
      CommandExample("Take back the last change:", "customers undo"),
      CommandExample("See what taking back three steps would do:", "customers undo --steps 3 --dry-run"),
    ],
    seeAlso: ["redo", "history"],
    run: { session in try session.revert("undo", "Undid", "customers redo") { list in try list.undo() } })

  static let redo = Command(
    name: "redo", summary: "do again what was undone",
    options: [.value("--steps", .count("K"), "do K steps again")],
    examples: [
      CommandExample("Take back an undo:", "customers undo\ncustomers redo"),
      CommandExample("Do three steps again:", "customers redo --steps 3"),
    ],
    seeAlso: ["undo", "history"],
    run: { session in try session.revert("redo", "Redid", "customers undo") { list in try list.redo() } })

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
    examples: [
      CommandExample("Show the last five steps:", "customers history --limit 5"),
      CommandExample("Give all steps to another program:", "customers history --limit 1000 --json"),
    ],
    seeAlso: ["undo", "watch"],
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
        let objects = steps.map { step, lines in
          JSON.object(step.members + [("edits", .array(lines.map(JSON.string)))])
        }
        try session.output.write(JSON.array(objects).text + "\n")
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
    try report(creating: false) { list in
      try list.forgetHistory()
      return Report(lines: ["Forgot the history."], json: [("op", .string("history forget"))])
    }
    return .done
  }

  /// Undoes or redoes as many steps as are asked for.
  fileprivate func revert(
    _ verb: String, _ done: String, _ opposite: String,
    _ body: (inout CustomerList) throws -> RevertedStep?
  ) throws -> ExitCode {
    let count = try invocation.count("--steps") ?? 1
    try report(creating: false) { list in
      var steps: [RevertedStep] = []
      while steps.count < count, let step = try body(&list) { steps.append(step) }
      let objects = steps.map { JSON.object($0.step.members + JSONPresenter($0.outcome).members) }
      return Report(
        remark: steps.isEmpty && count > 0 ? "There is nothing to \(verb)." : nil,
        lines: steps.map { "\(done) \($0.line)  (\(opposite))" },
        json: [("op", .string(verb)), ("steps", .array(objects))])
    }
    return .done
  }
}

extension RevertedStep {
  /// What the step was, and what is different now.
  fileprivate var line: String {
    let lines = TextPresenter(outcome).lines.map { $0.prefix(1).lowercased() + $0.dropFirst().dropLast() }
    let shown = lines.prefix(3) + (lines.count > 3 ? ["… \(lines.count - 3) more"] : [])
    let action = step.action.isEmpty ? "step \(step.id)" : printable(step.action)
    return "\(action): \(shown.joined(separator: "; "))."
  }
}

extension HistoryStep {
  fileprivate var members: [(String, JSON)] {
    [
      ("step", .int(Int(id))), ("time", .string(time)), ("program", .string(program)),
      ("action", .string(action)), ("kind", .string(kind.rawValue)), ("state", .string(state.rawValue)),
      ("edit_count", .int(editCount)),
    ]
  }

  /// The step for a person: its number, time and edits.
  fileprivate func line(_ lines: [String]) -> String {
    let mark = kind == .edit ? (state == .done ? "" : " (\(state.rawValue))") : " (\(kind.rawValue))"
    let program = program.isEmpty ? "" : "  \(printable(program))"
    return "\(id)  \(time)\(program)\(mark)  \(lines.joined(separator: ", "))\n"
  }
}
