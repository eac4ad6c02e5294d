internal import CustomerStore
internal import Formats

/// What a command that changed something reports: lines for a person, an object for a program.
struct Report: Sendable {
  /// What a person wants to see of a dry run beside the lines.
  var preview: [String] = []
  /// What a person is told aside, on standard error.
  var remark: String?
  /// What is now true, or in a dry run would be.
  var lines: [String]
  var json: [(String, JSON)]
}

extension Report {
  /// The report of an edit that a command made, or in a dry run would.
  init(_ edit: ListEdit, _ outcome: EditOutcome, _ action: String, isDryRun: Bool) {
    (lines, remark) = TextPresenter(outcome, isDryRun: isDryRun).report(of: edit)
    json = [("op", .string(action))] + Report.members(outcome)
  }

  /// What changed, for a program.
  static func members(_ outcome: EditOutcome) -> [(String, JSON)] {
    [("changes", JSONShapes.changes(outcome))] + (JSONShapes.omitted(outcome).map { [("omitted", $0)] } ?? [])
  }
}

/// What an edit would do.
struct Preview: Sendable {
  var edit: ListEdit
  var outcome: EditOutcome
  /// The number of the edit before it.
  var lastEdit: Int64
  /// The customers that were found by a mere part of a name.
  var guesses: [SelectionError.Match]
}

extension Session {
  /// Makes the edit that is requested in one transaction, as `write`, and reports what it changed.
  ///
  /// - Throws: a `Guess` if a row was named by a mere part of a name, unless `isSure`; nothing is changed
  ///   then. Where nobody can be asked, no such row is found.
  func edit(creating: Bool, isSure: Bool = false, _ request: EditRequest) throws {
    try report(creating: creating) { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      guard let edit = try request(resolver, list) else { return nil }
      guard isSure || resolver.guesses.isEmpty else { throw Guess(edit: edit, names: resolver.guesses) }
      var report = Report(edit, try list.apply(edit), invocation.action, isDryRun: isDryRun)
      if edit.isOfNobody { report.remark = "No customers match; nothing was changed." }
      return report
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
    try tell(report.lines)
    if let remark = report.remark, !isQuiet { try writeAside(remark) }
  }

  /// What the edit that is requested would do; nil if it is none.
  func preview(_ request: EditRequest, mayBeMissing: Bool = false) throws -> Preview? {
    try openStore(creating: false, mayBeMissing: mayBeMissing).dryRun { list in
      let lastEdit = try list.lastEdit()
      let resolver = try RowResolver(list, takesParts: mayGuess)
      return try request(resolver, list).map { edit in
        Preview(edit: edit, outcome: try list.apply(edit), lastEdit: lastEdit, guesses: resolver.guesses)
      }
    }
  }
}
