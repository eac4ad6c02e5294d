internal import CustomerStore
package import CustomerTransfer
internal import CustomersTerminalText
internal import CustomersWording

/// What a dry run of an import shows before its result: the columns, the first customer as it would be, and who
/// would be added, changed, and skipped.
package struct ImportPreview {
  private let summary: ImportSummary
  private let options: ImportOptions

  package init(_ summary: ImportSummary, _ options: ImportOptions) {
    (self.summary, self.options) = (summary, options)
  }

  /// All of it, a line each.
  package var lines: [String] { columns + firstCustomer + outcome }

  /// A line for each column that becomes a field, and one for all others.
  private var columns: [String] {
    let kept = summary.keptColumns(in: options.format).filter {
      $0.target.isPlainExtra && $0.name != ExtraColumns.card
    }
    let parts = summary.columns.filter(\.target.isPart).map { printable($0.name) }.joined(separator: ", ")
    return summary.columns.filter { !$0.target.isPlainExtra && $0.name != $0.target.description }
      .map { printable("\($0.name) → \($0.target)") }
      + (parts.isEmpty ? [] : ["\(parts) → \(CustomerField.address.column)"])
      + (kept.isEmpty ? [] : ["Extra columns: " + kept.map { printable($0.name) }.joined(separator: ", ")])
  }

  /// One line per field that has a value; further lines of a string are below its first.
  private var firstCustomer: [String] {
    guard let fields = summary.first?.fields else { return [] }
    let texts = CustomerField.texts.map { ($0.title, fields[$0].text) }
    let marks = fields.isFavorite ? [(CustomerField.isFavorite.title, "yes")] : []
    let shown = (texts + marks + fields.extraColumns.shown.map { ($0.name, $0.value.text) })
      .filter { !$0.1.isEmpty }
    let width = min(24, shown.map { displayWidth(printable($0.0)) + 1 }.max() ?? 0)
    let rows = shown.flatMap { title, text in
      printableLines(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        .map { index, line in
          "  \(padded(index == 0 ? printable(title) + ":" : "", to: width)) \(cut(String(line), to: 60))"
        }
    }
    return rows.isEmpty ? [] : ["The first customer:"] + rows
  }

  private var outcome: [String] {
    named(.add, summary.addedNames, of: summary.added)
      + summary.changes.map { change in
        let fields =
          change.fields.flatMap { field in
            field.changes.map { old, new in
              "\(printable(field.field.nameInSentence)) \(shown(old, beside: new)) → \(shown(new, beside: old))"
            }
          } + change.rightsInWords
        return Sentence(.change, "\(quoted(change.name)): \(fields.joined(separator: ", "))").text(
          isDryRun: true)
      } + more(.change, summary.updated - summary.changes.count)
      + named(.skip, summary.skippedNames, of: summary.skipped)
      + (options.takesOrder ? named(.move, summary.moved.names, of: summary.moved.count) : [])
      + (options.deletesMissing ? named(.delete, summary.missing.names, of: summary.missing.count) : [])
  }

  private func named(_ verb: Verb, _ names: [String], of count: Int) -> [String] {
    guard !names.isEmpty else { return [] }
    let words = names.map(quoted) + (count > names.count ? ["\(count - names.count) more"] : [])
    return [Sentence(verb, listed(words, "and")).text(isDryRun: true)]
  }

  private func more(_ verb: Verb, _ count: Int) -> [String] {
    count > 0 ? [Sentence(verb, "\(count) more").text(isDryRun: true)] : []
  }

  /// A string, from near its first difference to another one on, if both are long.
  private func shown(_ text: String, beside other: String) -> String {
    guard !text.isEmpty else { return "(empty)" }
    let same = zip(text, other).prefix { $0 == $1 }.count
    return quoted(cut(same < 30 ? text : "…" + text.dropFirst(same - 10), to: 40))
  }
}

extension ImportChange.Field {
  /// The strings before and after; of a field with several lines, of each line that differs.
  fileprivate var changes: [(old: String, new: String)] {
    guard field.kind == .lines else { return [(old, new)] }
    func lines(_ text: String, besides other: String) -> [String] {
      let known = Set(other.split(separator: "\n"))
      return text.split(separator: "\n").filter { !known.contains($0) }.map(String.init)
    }
    let (removed, added) = (lines(old, besides: new), lines(new, besides: old))
    // The lines are the same in another order.
    guard !removed.isEmpty || !added.isEmpty else { return [(old, new)] }
    return (0..<max(removed.count, added.count)).map { index in
      (index < removed.count ? removed[index] : "", index < added.count ? added[index] : "")
    }
  }
}

extension ImportChange {
  /// The protection that were changed.
  fileprivate var rightsInWords: [String] {
    [("can edit", rights.canEdit), ("can move", rights.canMove)].compactMap { name, right in
      right.map { "\(name) \($0 ? "no → yes" : "yes → no")" }
    }
  }
}

extension ColumnTarget {
  /// Whether the column is only an extra column, with the name that it has in the file.
  fileprivate var isPlainExtra: Bool {
    if case .field = self { return false }
    return isExtra
  }
}
