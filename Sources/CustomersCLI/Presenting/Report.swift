internal import CustomerStore
internal import Formats

/// What a command that changed something reports: lines for a person, an object for a program.
struct Report: Sendable {
  /// What a person wants to see of a dry run beside the lines.
  var preview: [String] = []
  /// What a person is told aside, on standard error.
  var remark: String?
  /// What is now true.
  var lines: [String]
  /// Whether the lines say of a dry run that it is one.
  var isConditional = false
  var json: [(String, JSON)]
}

extension Report {
  /// The report of an edit that a command made, or in a dry run would.
  init(_ edit: ListEdit, _ outcome: EditOutcome, _ action: String, isDryRun: Bool) {
    (lines, remark) = TextPresenter(outcome, isDryRun: isDryRun).report(of: edit)
    isConditional = true
    json = [("op", .string(action))] + Report.members(outcome)
  }

  /// What changed, for a program.
  static func members(_ outcome: EditOutcome) -> [(String, JSON)] {
    [("changes", JSONShapes.changes(outcome))] + (JSONShapes.omitted(outcome).map { [("omitted", $0)] } ?? [])
  }
}

extension Session {
  /// Makes the edit that is requested in one transaction, as `write`, and reports what it changed.
  func edit(creating: Bool, _ request: EditRequest) throws {
    try report(creating: creating) { list in
      guard let edit = try request(list) else { return nil }
      return Report(edit, try list.apply(edit), invocation.action, isDryRun: isDryRun)
    }
  }

  /// Makes the edits of `body` in one transaction, as `write`, and reports what is now true.
  func report(creating: Bool, _ body: (inout CustomerList) throws -> Report?) throws {
    let (report, step) = try write(creating: creating) { list in
      (try body(&list), try list.currentStep()?.id)
    }
    guard let report else { return }
    if try format() == .json {
      try answer(report.json + (isDryRun ? [] : step.map { [("undo", .int(Int($0)))] } ?? []))
      return
    }
    if isDryRun, !isQuiet { for line in report.preview { try output.write(line + "\n") } }
    if report.isConditional, isDryRun {
      // It is what was asked for, also with --quiet.
      for line in report.lines { try output.write(line + "\n") }
    } else {
      try tell(report.lines)
    }
    if let remark = report.remark, !isQuiet { try writeAside(remark) }
  }

  /// What the edit that is requested would do, and the number of the edit before it; nil if it is none.
  func preview(_ request: EditRequest) throws -> (edit: ListEdit, outcome: EditOutcome, lastEdit: Int64)? {
    try openStore(creating: false).dryRun { list in
      let lastEdit = try list.lastEdit()
      return try request(list).map { edit in (edit, try list.apply(edit), lastEdit) }
    }
  }
}
