internal import CustomerStore
internal import CustomersFormats

/// The report of an edit.
struct EditReport: Report {
  let edit: ListEdit
  let outcome: EditOutcome
  /// The command, such as `section delete`.
  let action: String

  func text(isDryRun: Bool) -> TextReport {
    var report = TextPresenter(outcome, isDryRun: isDryRun).report(of: edit)
    if edit.isOfNobody { report.remark = "No customers match; nothing was changed." }
    return report
  }

  var json: [(String, JSON)] { [("op", .string(action))] + EditReport.members(outcome) }

  /// The changes, for a program.
  static func members(_ outcome: EditOutcome) -> [(String, JSON)] {
    [("changes", JSONShapes.changes(outcome))] + (JSONShapes.omitted(outcome).map { [("omitted", $0)] } ?? [])
  }
}
