internal import CustomerStore
internal import CustomersFormats

/// The report of a command that changed something: lines for a person, an object for a program.
struct Report: Sendable {
  /// Further lines for a dry run.
  var preview: [String] = []
  /// A remark for a person, on standard error.
  var remark: String?
  /// The result, or in a dry run the expected result.
  var lines: [String]
  var json: [(String, JSON)]
}

extension Report {
  /// The report of an edit, or of its dry run.
  init(_ edit: ListEdit, _ outcome: EditOutcome, _ action: String, isDryRun: Bool) {
    (lines, remark) = TextPresenter(outcome, isDryRun: isDryRun).report(of: edit)
    json = [("op", .string(action))] + Report.members(outcome)
  }

  /// The changes, for a program.
  static func members(_ outcome: EditOutcome) -> [(String, JSON)] {
    [("changes", JSONShapes.changes(outcome))] + (JSONShapes.omitted(outcome).map { [("omitted", $0)] } ?? [])
  }
}

/// The outcome of a dry run.
struct Preview: Sendable {
  var edit: ConfirmedEdit
  /// What was found by only a part of a name.
  var guesses: [RowResolver.Guess]
}

extension Session {
  /// Makes the requested edit in one transaction, like `write`, and reports what it changed.
  ///
  /// - Throws: a `Guess` if a row or section was named by only a part of a name, unless `isSure`; nothing is
  ///   changed. If nobody can be asked, no such row is found.
  func edit(creating: Bool, isSure: Bool = false, _ request: EditRequest) throws {
    try report(creating: creating) { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      guard let edit = try request(resolver, list) else { return nil }
      guard isSure || resolver.guesses.isEmpty else {
        throw Guess(preview: Preview(edit: try list.propose(edit), guesses: resolver.guesses))
      }
      return report(edit, try list.apply(edit))
    }
  }

  /// Makes an edit that the person has confirmed, and reports what it changed.
  ///
  /// Its rows are named by id, because they may have shifted. The `request` may refuse the edit.
  ///
  /// - Throws: `ChangedMeanwhile` if it would not do what was shown; nothing is changed.
  func edit(_ confirmed: ConfirmedEdit, creating: Bool, ifAllowedBy request: EditRequest = { _, _ in nil })
    throws
  {
    try report(creating: creating) { list in
      _ = try request(RowResolver(list), list)
      return report(confirmed.edit, try list.apply(confirmed))
    }
  }

  private func report(_ edit: ListEdit, _ outcome: EditOutcome) -> Report {
    var report = Report(edit, outcome, invocation.action, isDryRun: isDryRun)
    if edit.isOfNobody { report.remark = "No customers match; nothing was changed." }
    return report
  }

  /// Makes the edits of `body` in one transaction, like `write`, and reports the result.
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

  /// The outcome that the requested edit would have; nil without an edit.
  func preview(_ request: EditRequest, mayBeMissing: Bool = false) throws -> Preview? {
    try openStore(creating: false, mayBeMissing: mayBeMissing).dryRun { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      return try request(resolver, list).map { edit in
        Preview(edit: try list.propose(edit), guesses: resolver.guesses)
      }
    }
  }
}
