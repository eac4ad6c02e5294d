internal import CustomerStore
internal import CustomersFormats

/// The report of an edit.
struct EditReport: Report {
  let edit: ListEdit
  let outcome: EditOutcome
  /// The command, such as `section delete`.
  let action: String
  /// The number of protected rows that a sort left where they are.
  let fixedCount: Int

  init(_ edit: ListEdit, _ outcome: EditOutcome, action: String, in list: borrowing CustomerList) throws {
    (self.edit, self.outcome, self.action) = (edit, outcome, action)
    if case .sort(_, let section) = edit {
      fixedCount = try list.fixedCount(in: section)
    } else {
      fixedCount = 0
    }
  }

  func text(isDryRun: Bool) -> TextReport {
    var report = TextPresenter(outcome, isDryRun: isDryRun).report(of: edit)
    if edit.isOfNobody {
      let nobody = action == "merge" ? "There are no exact duplicates" : "No customers match"
      report.remark = "\(nobody); nothing was changed."
    }
    if fixedCount > 0 {
      let stayed =
        fixedCount == 1
        ? "1 protected row stays where it is." : "\(fixedCount) protected rows stay where they are."
      report.remark = [report.remark, stayed].compactMap(\.self).joined(separator: "\n")
    }
    return report
  }

  var json: [(String, JSON)] { [("op", .string(action))] + EditReport.members(outcome) }

  /// The changes, for a program.
  static func members(_ outcome: EditOutcome) -> [(String, JSON)] {
    [("changes", JSONShapes.changes(outcome.brief))]
      + (JSONShapes.omitted(outcome).map { [("omitted", $0)] } ?? [])
  }
}
