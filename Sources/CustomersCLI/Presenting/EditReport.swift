internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText
internal import CustomersWording

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
    if edit.isOfNoRow {
      let reason = action == "merge" ? "There are no exact duplicates" : "No customers match"
      report.remark = "\(reason); nothing was changed."
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

extension TextPresenter {
  /// The lines of an edit that a command made, even if it changed nothing, and the remark for that case.
  fileprivate func report(of edit: ListEdit) -> TextReport {
    switch edit {
    case .sort:
      guard !outcome.isEmpty else {
        return TextReport(lines: [], remark: "The rows are already in this order; nothing was changed.")
      }
      let moved = "\(rowCount(sortedCount(edit))), moving \(outcome.rows.count)"
      return TextReport(lines: [Sentence(.sort, moved).text(isDryRun: isDryRun)])
    case .move, .moveBy: return TextReport(lines: report + (unmoved.map { [$0] } ?? []))
    case .merge(let ids):
      guard let target = outcome.rows.first(where: { $0.id == ids.first }) else { break }
      return TextReport(lines: mergeLines(into: target))
    case .protect: return TextReport(lines: report + (sameRights.map { [$0] } ?? []))
    default: break
    }
    return TextReport(lines: report, remark: outcome.isEmpty ? "Nothing was changed." : nil)
  }

  /// The customers that became one and what the one got from them.
  private func mergeLines(into target: EditOutcome.Row) -> [String] {
    func named(_ row: EditOutcome.Row) -> String {
      "\(row.title) (row \(row.from.map(outcome.before.position) ?? 0))"
    }
    let merged = outcome.rows.filter { $0.to == nil }.map {
      Sentence(.merge, "\(named($0)) into \(named(target))").text(isDryRun: isDryRun)
    }
    let others = outcome.changes.filter { if case .row(.delete, _) = $0 { false } else { true } }
    return TextPresenter.cut(merged + others.compactMap { sentence($0)?.text(isDryRun: isDryRun) })
  }

  private func sortedCount(_ edit: ListEdit) -> Int {
    guard case .sort(_, let section?) = edit else { return outcome.after.count }
    return outcome.after.section(section)?.count ?? 0
  }
}
