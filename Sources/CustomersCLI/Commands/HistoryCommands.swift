internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText

extension Command {
  static let history = Command(
    name: "history", summary: "list the changes, newest first",
    description: [
      "One line per step, in local time; with the number of a step, everything that it changed. Undone",
      "steps are marked and can be redone until the next change. A deleted customer stays in the file",
      "until its history entry expires; --forget erases both.",
    ],
    forms: [
      .plain([], [.optional(HistoryOptions.limit)]),
      .plain([.one(.number("STEP"))]),
      .plain([], [.required(HistoryOptions.forgets)]),
    ],
    examples: [
      CommandExample("Show the last five steps:", "customers history --limit 5"),
      CommandExample("Show everything that step 1 changed:", "customers history 1"),
      CommandExample("Print all steps for another program:", "customers history --limit 1000 --json"),
    ],
    seeAlso: ["undo", "watch", "json"], isPaged: true,
    need: { invocation in
      guard invocation[HistoryOptions.forgets] else { return .list }
      let instead =
        "the logs of its nodes keep deleted data; copy the list to a file, and use --forget there"
      return .file("history --forget", instead: instead)
    },
    run: { session in
      if session.invocation[HistoryOptions.forgets] { return try session.forgetHistory() }
      if let number = session.invocation.operands.first {
        try session.showStep(Invocation.number(number, for: "history"))
      } else {
        try session.showHistory(limit: session.invocation[HistoryOptions.limit] ?? 20)
      }
      return .done
    })
}

private struct ForgetReport: Report {
  func text(isDryRun: Bool) -> TextReport {
    TextReport(lines: [Sentence(.forget, "the history").text(isDryRun: isDryRun)])
  }

  var json: [(String, JSON)] { [("op", .string("history forget"))] }
}

enum HistoryOptions {
  static let limit = Option.value("--limit", .count(), "show at most N steps (default 20)")
  static let forgets = Option.flag("--forget", "erase the history (asks first)")
}

extension Session {
  fileprivate func showHistory(limit: Int) throws {
    let steps = try read { list in
      // An erased history still has one step, so that numbering continues.
      let steps = try list.history(limit: limit).filter { $0.editCount > 0 || $0.action == "repair" }
      return zip(steps, try list.outcomes(of: steps)).map(StepPresenter.init)
    }
    if try format() == .json {
      let objects = steps.map { JSONShapes.step.json(($0.step, $0.outcome)) }
      try output.write(JSON.array(objects).text + "\n")
      return
    }
    let number = steps.map { String($0.step.id).count }.max() ?? 0
    let command = min(steps.map { displayWidth($0.command) }.max() ?? 0, 40)
    for step in steps {
      let id = String(step.step.id)
      let words = [
        String(repeating: " ", count: number - id.count) + id, localTime(step.step.time),
        padded(step.command, to: command), step.summary,
      ]
      try output.write(words.joined(separator: "  ") + "\n")
    }
  }

  fileprivate func showStep(_ number: Int) throws {
    let shown = try read { list in
      try list.step(Int64(number)).map { step in
        StepPresenter(step: step, outcome: try list.outcome(of: step, limit: 10_000))
      }
    }
    guard let shown, shown.step.editCount > 0 || shown.step.action == "repair" else {
      throw Failure.notFound(
        "the history has no step \(Invocation.spelled(number))", hint: "customers history lists the steps")
    }
    if try format() == .json {
      try output.write(JSONShapes.step.json((shown.step, shown.outcome)).text + "\n")
    } else {
      for line in shown.lines { try output.write(line + "\n") }
    }
  }

  fileprivate func forgetHistory() throws -> ExitCode {
    var revision: String?
    if !isDryRun {
      revision = try read { list in try list.revision() }
      let question = "Erase the history? Deleted customers can't be restored afterward."
      guard try confirm(question, to: "history --forget") else { return .declined }
    }
    try report(creating: false) { list in
      // What was deleted since could not be restored either.
      guard try revision == nil || options.saysYes || list.revision() == revision else {
        throw Failure.changedMeanwhile([])
      }
      try list.forgetHistory()
      return ForgetReport()
    }
    if !isDryRun { try eraseTraces() }
    return .done
  }

  /// Erases all traces from the file, even if another program has deleted the data.
  private func eraseTraces() throws {
    try context.caller?.expectChange(canBeLookedUp: false)
    do {
      try holdingOutput { try openList(creating: false).eraseTraces() }
    } catch StoreError.missing {
    } catch let error as StoreError {
      throw Failure(
        code: .failed, message: "traces of it may remain in the file: \(printable(error.description))",
        hint: "free some space if the disk is full, and run customers history --forget again")
    }
  }
}
