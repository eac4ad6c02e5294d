package import CustomerStore
internal import CustomersTerminalText

/// Describes for people what an edit changed, or in a dry run would change.
///
/// Row numbers are those of the whole list, before and after the edit; for a row that changes its section,
/// both sections are named.
package struct TextPresenter {
  /// The number of changes that a report lists; the others are counted.
  private static let most = 20

  package let outcome: EditOutcome
  package var isDryRun = false
  /// What came into the list: an undo restores rows and sections that were deleted.
  let addition: Verb

  package init(_ outcome: EditOutcome, isDryRun: Bool = false, isUndo: Bool = false) {
    (self.outcome, self.isDryRun) = (outcome, isDryRun)
    addition = isUndo ? .restore : .add
  }

  /// One line per change.
  package var lines: [String] { sentences.map { $0.text(isDryRun: isDryRun) } }

  /// The lines of a report and the number of further changes.
  package var report: [String] {
    TextPresenter.cut(lines)
  }

  /// The first lines of a report and the number of further ones.
  package static func cut(_ lines: [String]) -> [String] {
    cut(lines, to: most) { "… and \($0) more changes." }
  }

  /// The first changes, on one line.
  package var summary: String {
    let clauses = sentences.map { $0.clause(isDryRun: isDryRun) }
    return TextPresenter.cut(clauses, to: 3) { "… \($0) more" }.joined(separator: "; ")
  }

  /// The first changes, as one sentence; nil if there are none.
  package var sentence: String? {
    let summary = summary
    return summary.isEmpty ? nil : summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// What is said of rows that an edit named and did not change; nil if there are none.
  ///
  /// The words are for one row, given its number, and for several.
  package func unchanged(
    _ isDifferent: KeyPath<EditOutcome.Row, Bool>, _ one: (Int) -> String, _ several: String
  ) -> String? {
    let rows = outcome.rows.filter { !$0[keyPath: isDifferent] }
    guard let row = rows.first, rows.count == 1 else {
      return rows.isEmpty ? nil : "\(rowCount(rows.count)) \(several)."
    }
    return "\(row.title)\(one(row.to.map(outcome.after.position) ?? 0))."
  }

  /// What is said of rows that a move left where they are; nil if there are none.
  package var unmoved: String? {
    unchanged(\.isMoved, { " is already at \($0)" }, "are already in place")
  }

  /// Shortens a list of lines and counts the rest.
  private static func cut(_ lines: [String], to most: Int, _ rest: (Int) -> String) -> [String] {
    // A count of 1 would take as much space as the line.
    lines.count > most + 1 ? lines.prefix(most) + [rest(lines.count - most)] : lines
  }
}

/// `1 row`, `2 rows`.
package func rowCount(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

/// `1 customer`, `2 customers`.
package func customerCount(_ count: Int) -> String { count == 1 ? "1 customer" : "\(count) customers" }

/// `1 problem`, `2 problems`.
package func problemCount(_ count: Int) -> String { count == 1 ? "1 problem" : "\(count) problems" }

/// `a, b, or c`.
package func listed(_ words: [String], _ conjunction: String = "or") -> String {
  words.count < 2
    ? words.joined()
    : words.count == 2
      ? "\(words[0]) \(conjunction) \(words[1])"
      : "\(words.dropLast().joined(separator: ", ")), \(conjunction) \(words[words.count - 1])"
}

extension Customer {
  /// The actions that the customer is protected from.
  package var prohibitions: [String] {
    (canEdit ? [] : ["editing", "deleting"]) + (canMove ? [] : ["moving"])
  }

  /// As in "protected against editing, deleting, and moving".
  package var protection: String { "against \(listed(prohibitions, "and"))" }
}
