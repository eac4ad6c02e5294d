internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

extension Command {
  static let revert = Command(
    name: "revert", summary: "undo one earlier step and no other",
    description: [
      "Later changes stay. The revert is a new step, which you can undo. If later steps changed the same",
      "fields, or moved or deleted the same rows, revert changes nothing and names the rows. Rows that were",
      "moved or deleted go back to their place or to the end of the section if it has become shorter. You",
      "confirm if someone else or another program made the step.",
    ],
    operands: [.one(.number("STEP"))],
    examples: [
      CommandExample(
        "Undo step 2, but not the move after it:",
        "customers delete 3 --yes\ncustomers move 5 2\ncustomers revert 2"),
      CommandExample(
        "Show what would be undone:", "customers edit 2 --note x\ncustomers revert 2 --dry-run"),
    ],
    seeAlso: ["history", "undo"], rewritesMuch: true,
    run: { session in try session.revertStep() })
}

private struct RevertReport: Report {
  let step: HistoryStep
  let outcome: EditOutcome

  func text(isDryRun: Bool) -> TextReport {
    TextReport(
      lines: TextPresenter(outcome, isDryRun: isDryRun).report,
      remark: outcome.isEmpty ? "Nothing was changed." : nil)
  }

  var json: [(String, JSON)] { [("op", .string("revert"))] + EditReport.members(outcome) }
}

extension Session {
  fileprivate func revertStep() throws -> ExitCode {
    let number = Int64(try Invocation.number(invocation.operands[0], for: "revert"))
    return try revertSteps(by: "revert") { list, _ in
      guard let step = try list.step(number) else { throw Session.failure(.noSuchStep(number), number, list) }
      return (RevertReport(step: step, outcome: try revert(number, in: &list)), [step])
    }
  }

  private func revert(_ number: Int64, in list: inout CustomerList) throws -> EditOutcome {
    do { return try list.revert(number, limit: 10_000) } catch let error as RevertError {
      throw Session.failure(error, number, list)
    }
  }

  private static func failure(
    _ error: RevertError, _ number: Int64, _ list: borrowing CustomerList
  ) -> Failure {
    let steps = "to list the steps: customers history"
    switch error {
    case .noSuchStep:
      return .notFound("there is no step \(number)", hint: steps)
    case .notInEffect:
      return Failure(
        code: .refused, message: "step \(number) is not in effect: it was undone or undid another one",
        hint: steps)
    case .changedSince(let ids):
      let outline = try? list.outline()
      let details = ids.map { id in
        let customer = try? list.customer(id)
        let row = customer.flatMap { outline?.position(of: $0.place) }.map { "\($0)" } ?? "–"
        return "     \(row)  @\(id.rawValue)  \(printable(customer?.name ?? "(deleted)"))"
      }
      return Failure(
        code: .refused, message: "later steps changed rows of step \(number); nothing was changed",
        details: Failure.shown(details),
        hint: ids.first.map { "to see what was done since: customers history @\($0.rawValue)" })
    case .sectionsChangedSince:
      return Failure(
        code: .refused, message: "later steps changed sections of step \(number); nothing was changed",
        hint: "to see what was done since: customers history")
    }
  }
}
