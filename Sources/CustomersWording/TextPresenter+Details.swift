package import CustomerStore
internal import CustomersTerminalText

extension TextPresenter {
  /// One line per change, and below each the old and new values, or the fields of a deleted customer.
  package var detailedLines: [String] {
    outcome.changes.flatMap { change in
      (sentence(change).map { [$0.text(isDryRun: isDryRun)] } ?? []) + details(change).map { "  " + $0 }
    }
      + omitted.map { $0.text(isDryRun: isDryRun) }
  }

  private func details(_ change: Change) -> [String] {
    guard case .row(let operation, let row) = change else { return [] }
    switch operation {
    case .edit:
      guard let before = row.before else { return [] }
      return row.fields.map { field in
        let (old, new) = (before.fields[field].text, row.customer.fields[field].text)
        return "\(printable(field.nameInSentence)): \(TextPresenter.shown(old)) → \(TextPresenter.shown(new))"
      }
    case .delete:
      let fields = row.customer.fields
      let known = CustomerField.standard.filter { fields[$0] != $0.emptyValue }
      return (known + fields.extraColumns.names.map(CustomerField.extra)).map { field in
        "\(printable(field.nameInSentence)): \(printable(fields[field].text))"
      }
    case .add, .move, .protect: return []
    }
  }

  /// A value beside another one.
  private static func shown(_ text: String) -> String { text.isEmpty ? "(empty)" : quoted(text) }
}

extension EditOutcome {
  /// The outcome without the customers before it.
  package var brief: EditOutcome {
    var outcome = self
    for index in rows.indices { outcome.rows[index].before = nil }
    return outcome
  }
}
