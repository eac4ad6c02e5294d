internal import CustomerStore
internal import CustomersTerminalText

/// Describes for a person what an edit changed, or in a dry run would change.
///
/// Row numbers are those of the whole list, before and after the edit; for a row that changes its section,
/// both sections are named.
struct TextPresenter {
  /// The number of changes that a report lists; the others are counted.
  static let most = 20

  let outcome: EditOutcome
  var isDryRun = false
  /// What came into the list: an undo restores rows and sections that were deleted.
  let addition: Verb

  init(_ outcome: EditOutcome, isDryRun: Bool = false, isUndo: Bool = false) {
    (self.outcome, self.isDryRun) = (outcome, isDryRun)
    addition = isUndo ? .restore : .add
  }

  /// One line per change.
  var lines: [String] { sentences.map { $0.text(isDryRun: isDryRun) } }

  /// The lines of a report, and the number of further changes.
  var report: [String] { TextPresenter.cut(lines, to: TextPresenter.most) { "… and \($0) more changes." } }

  /// The first changes, on one line.
  var summary: String {
    let clauses = sentences.map { $0.clause(isDryRun: isDryRun) }
    return TextPresenter.cut(clauses, to: 3) { "… \($0) more" }.joined(separator: "; ")
  }

  /// The lines of an edit that a command made, even if it changed nothing, and the remark for that case.
  func report(of edit: ListEdit) -> TextReport {
    switch edit {
    case .sort:
      guard !outcome.isEmpty else {
        return TextReport(lines: [], remark: "The rows are already in this order.")
      }
      let moved = "\(rowCount(sortedCount(edit))), moving \(outcome.rows.count)"
      return TextReport(lines: [Sentence(.sort, moved).text(isDryRun: isDryRun)])
    case .move, .moveBy: return TextReport(lines: report + stays(\.isMoved) { "is already at \($0)" })
    case .protect:
      return TextReport(lines: report + stays(\.hasOtherRights) { "row \($0), already has these rights" })
    case .section where outcome.isEmpty:
      let titles = outcome.sections.map { quoted($0.after?.title ?? "") }
      return TextReport(lines: titles.map { "Section \($0) is already like that." })
    default: return TextReport(lines: report, remark: outcome.isEmpty ? "Nothing changed." : nil)
    }
  }

  /// Shortens a list of lines, and counts the rest.
  private static func cut(_ lines: [String], to most: Int, _ rest: (Int) -> String) -> [String] {
    // A count of 1 would take as much space as the line.
    lines.count > most + 1 ? lines.prefix(most) + [rest(lines.count - most)] : lines
  }

  private func stays(_ isDifferent: KeyPath<EditOutcome.Row, Bool>, _ words: (Int) -> String) -> [String] {
    let lines = outcome.rows.filter { !$0[keyPath: isDifferent] }.map { row in
      let words = words(row.to.map(outcome.after.position) ?? 0)
      return "\(row.title)\(words.hasPrefix("row") ? "," : "") \(words)."
    }
    return TextPresenter.cut(lines, to: TextPresenter.most) { "… and \($0) more rows." }
  }

  private func sortedCount(_ edit: ListEdit) -> Int {
    guard case .sort(_, let section?) = edit else { return outcome.after.count }
    return outcome.after.section(section)?.count ?? 0
  }
}
