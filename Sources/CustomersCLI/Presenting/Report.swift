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
  var json: [(String, JSON)]
}

extension Report {
  /// The report of an edit that a command made.
  init(_ edit: ListEdit, _ outcome: EditOutcome, _ action: String) {
    let presenter = TextPresenter(outcome)
    (lines, remark) = presenter.report(of: edit)
    json = [("op", .string(action))] + JSONPresenter(outcome).members(of: edit)
    // A sort says only how many rows it moves; whoever tries it wants to see which.
    if case .sort = edit { preview = presenter.lines.map { "Not done: \($0)" } }
  }
}

extension Session {
  /// Makes the edit that is requested in one transaction, as `write`, and reports what it changed.
  func edit(creating: Bool, _ request: EditRequest) throws {
    try report(creating: creating) { list in
      guard let edit = try request(list) else { return nil }
      return Report(edit, try list.apply(edit), invocation.action)
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
    } else {
      if isDryRun, !isQuiet { for line in report.preview { try output.write(line + "\n") } }
      try tell(report.lines)
      if let remark = report.remark, !isQuiet { try writeAside(remark) }
    }
  }

  /// What the edit that is requested would do, and the number of the edit before it; nil if it is none.
  func preview(_ request: EditRequest) throws -> (edit: ListEdit, outcome: EditOutcome, lastEdit: Int64)? {
    try openStore(creating: false).dryRun { list in
      let lastEdit = try list.lastEdit()
      return try request(list).map { edit in (edit, try list.apply(edit), lastEdit) }
    }
  }
}
