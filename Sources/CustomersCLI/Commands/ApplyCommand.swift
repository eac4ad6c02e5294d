internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

extension Command {
  static let apply = Command(
    name: "apply", summary: "run a script of edits, all or nothing",
    description: [
      "Each line is a command line without the leading `customers`, quoted as in a shell: add, edit,",
      "delete, move, swap, sort, protect, section, columns and expect. # starts a comment, \\ at the",
      "end of a line continues it, and $'…' may contain \\n. `add … --as NAME` names a new row, and",
      "$NAME is that row in later lines. Between begin and end is a batch: row numbers refer to the",
      "list before the batch, and the places of add --at and move --to to the list after it, whatever",
      "the order of the lines. All syntax errors are reported before anything is changed; if a line",
      "fails, the whole script is rolled back.",
    ],
    operands: [.one(.file(.read, "FILE|-"))],
    options: [.optional(ScriptCheck.option)],
    examples: [
      CommandExample(
        "See what a script would do, and run it:",
        "customers apply spring-clean --dry-run\ncustomers apply spring-clean"),
      CommandExample(
        "Run lines that another program writes:", "printf 'add Ann\\nadd Bob\\n' | customers apply -"),
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
        try session.apply(script, check, progress)
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
      let lines = check.count == 1 ? "OK (1 line)" : "OK (\(check.count) lines)"
      try output.write("\(printable(script.name)): \(lines).\n")
    }
  }

  fileprivate func apply(_ script: ScriptFile, _ check: ScriptCheck, _ progress: ProgressBar) throws {
    let dataFile = try list.name
    defer { progress.erase() }
    try report(creating: check.createsFile) { list in
      var run = ScriptRun(script, check, dataFile: dataFile)
      try run.perform(&list, progress)
      // The action in the history.
      let outcome = try list.currentStep().map { try list.outcome(of: $0, limit: 10_000) }
      progress.erase()
      return ScriptReport(edits: run.edits, rows: run.rows, outcome: outcome, count: try list.count())
    }
  }
}

private struct ScriptReport: Report {
  let edits: Int
  let rows: [(name: String, row: CustomerID)]
  let outcome: EditOutcome?
  /// The number of rows in the list.
  let count: Int

  func text(isDryRun: Bool) -> TextReport {
    let edits = edits == 1 ? "1 edit" : "\(edits) edits"
    let made = Sentence(.apply, "\(edits); the list \(isDryRun ? "would have" : "has") \(rowCount(count))")
    let changes = outcome.map { TextPresenter($0, isDryRun: isDryRun).report } ?? []
    return TextReport(lines: changes + [made.text(isDryRun: isDryRun)])
  }

  var json: [(String, JSON)] {
    let changes = outcome.map(EditReport.members) ?? [("changes", .array([]))]
    let rows = rows.map { ($0.name, JSON.int(Int($0.row.rawValue))) }
    return [("op", .string("apply"))] + changes + [
      ("edits", .int(edits)), ("count", .int(count)), ("rows", .object(rows)),
    ]
  }
}
