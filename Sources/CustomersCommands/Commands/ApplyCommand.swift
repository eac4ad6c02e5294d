internal import CustomerStore
internal import CustomersText

extension Command {
  static let apply = Command(
    name: "apply", summary: "run a script of edits, all or nothing",
    description: [
      "All lines take effect, as one step, or none do; syntax errors are all reported before that.",
      "`customers help scripts` shows how to write one.",
    ],
    operands: [.one(.file(.read, "FILE|-"))],
    options: [.optional(ScriptCheck.option)],
    common: GlobalOptions.ofEditing,
    examples: [
      CommandExample("See what a script would do", "customers apply spring-clean -n"),
      CommandExample("From a program", "printf 'add Ann\\nadd Bob\\n' | customers apply -"),
    ],
    seeAlso: ["expect", "scripts", "json"], rewritesMuch: true,
    run: { session in
      let progress = ProgressBar(session)
      try session.announceTyping(session.invocation.operands[0])
      let script = try ScriptFile(session.invocation.operands[0], session.context)
      let check = try ScriptCheck(script)
      if session.invocation[ScriptCheck.option] {
        try session.tell(check, of: script)
      } else {
        guard try session.apply(script, check, progress) else { return .declined }
      }
      return .done
    })
}

extension Session {
  fileprivate func tell(_ check: ScriptCheck, of script: ScriptFile) throws {
    if try format() == .json {
      try output.write(
        JSON.object([
          ("op", .string("apply")), ("check", .bool(true)), ("ok", .bool(true)), ("lines", .int(check.count)),
        ]).text + "\n")
    } else if !isQuiet {
      let lines = "OK (\(counted(check.count, "line")))"
      try output.write("\(printable(script.name)): \(lines).\n")
    }
  }

  /// Runs a script, after the user has confirmed what its lines would ask on their own.
  ///
  /// - Returns: whether the answer is yes.
  fileprivate func apply(_ script: ScriptFile, _ check: ScriptCheck, _ progress: ProgressBar) throws -> Bool {
    let dataFile = try list.name
    let doneRule = try check.finishesRows ? doneRule() : nil
    defer { progress.erase() }
    var asking = self
    if invocation.operands == ["-"] { asking.readsRows = true }
    func runScript(_ list: inout CustomerList) throws -> ScriptRun {
      var run = ScriptRun(
        script, check, dataFile: dataFile, leavesOutSkipped: options.saysYes, doneRule: doneRule)
      try run.perform(&list, progress)
      return run
    }
    var (seen, questions) = (ListVersion?.none, [String]())
    if check.mayAsk, !isDryRun, !options.saysYes {
      let shown = try dryRun(openStore(creating: false, mayBeMissing: check.createsFile)) { list in
        (version: try list.version(), questions: try runScript(&list).questions)
      }
      progress.erase()
      for question in shown.questions {
        guard try asking.confirm(question, to: invocation.action) else { return false }
      }
      if !shown.questions.isEmpty { seen = shown.version }
    }
    try report(creating: check.createsFile) { list in
      guard try seen == nil || list.version() == seen else { throw Failure.changedSinceShown([]) }
      let (run, outcome) = try list.together { list in
        let run = try runScript(&list)
        // The action in the history.
        let outcome = try list.currentStep().map { try list.outcome(of: $0, limit: 10_000) }
        return ((run, outcome), outcome)
      }
      questions = run.questions
      progress.erase()
      return ScriptReport(
        edits: run.edits, unchanged: run.unchanged, rows: run.rows, notes: run.notes, outcome: outcome,
        count: try list.count())
    }
    if isDryRun { try asking.predict(questions) }
    return true
  }

  /// Says what a script would ask, and fails as it would if no one can be asked.
  private func predict(_ questions: [String]) throws {
    guard !options.saysYes, let first = questions.first else { return }
    // For a program, the error is all that is written.
    if !isQuiet, try format() != .json {
      for question in questions { try writeAside("note: it would ask: \(question)") }
    }
    if !mayBeAsked { try checkConsent(to: invocation.action, asking: first) }
  }
}

private struct ScriptReport: Report {
  let edits: Int
  /// The number of lines that changed nothing.
  let unchanged: Int
  let rows: [(name: String, row: CustomerID)]
  let notes: [String]
  let outcome: EditOutcome?
  /// The number of rows in the list.
  let count: Int

  func text(isDryRun: Bool) -> TextReport {
    let others = unchanged == 0 ? "" : "; \(unchanged) changed nothing"
    let lines = counted(edits, "line") + others
    let has = isDryRun ? "would have" : "has"
    let made = Sentence(.apply, "\(lines); the list \(has) \(counted(count, "row"))")
    let changes = outcome.map { TextPresenter($0, isDryRun: isDryRun).report } ?? []
    return TextReport(lines: changes + [made.text(isDryRun: isDryRun)])
  }

  var json: [(String, JSON)] {
    let changes = outcome.map(OutcomeReport.members) ?? [("changes", .array([]))]
    let rows = rows.map { ($0.name, JSON.int(Int($0.row.rawValue))) }
    return [("op", .string("apply"))] + changes + [
      ("edits", .int(edits)), ("count", .int(count)), ("rows", .object(rows)),
    ]
  }
}
