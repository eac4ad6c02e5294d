internal import CustomerStore
internal import CustomersWording
internal import CustomersFormats

extension Session {
  /// Makes the edits of `body` in one transaction, like `write`, and reports the result.
  func report(creating: Bool, _ body: (inout CustomerList) throws -> (any Report)?) throws {
    let (report, step) = try write(creating: creating) { list in
      (try body(&list), try list.currentStep()?.id)
    }
    guard let report else { return }
    guard try format() != .json else {
      return try answer(report.json + (isDryRun ? [] : step.map { [("undo", .int(Int($0)))] } ?? []))
    }
    let text = report.text(isDryRun: isDryRun)
    if isDryRun, !isQuiet { for line in text.preview { try output.write(line + "\n") } }
    try tell(text.lines)
    if let remark = text.remark, !isQuiet { try writeAside(remark) }
  }

  /// Reports the result to a program.
  func answer(_ json: [(String, JSON)]) throws {
    let dryRun: [(String, JSON)] = isDryRun ? [("dry_run", .bool(true))] : []
    try output.write(JSON.object(json + dryRun).text + "\n")
  }

  /// Reports the result to a person.
  func tell(_ lines: [String]) throws {
    // The report of a dry run is its result, so it is printed even with --quiet.
    guard !isQuiet || isDryRun else { return }
    for line in lines { try output.write(line + "\n") }
  }

  /// The same, for one sentence.
  func tell(_ sentence: Sentence) throws { try tell([sentence.text(isDryRun: isDryRun)]) }
}
