package import CustomerStore
internal import CustomersTerminalText

/// The sentences for each change.
extension TextPresenter {
  package var sentences: [Sentence] {
    outcome.changes.compactMap(sentence)
      + omitted
  }

  /// A sentence for the changes that are only counted.
  var omitted: [Sentence] {
    guard outcome.omitted > 0 else { return [] }
    let more = outcome.changes.isEmpty ? "" : " more"
    return [Sentence(.make, "\(outcome.omitted)\(more) change\(outcome.omitted == 1 ? "" : "s")")]
  }

  package func sentence(_ change: Change) -> Sentence? {
    switch change {
    case .row(let operation, let row): comesWithSection(row) ? nil : sentence(operation, row)
    case .rows(_, let run): sentence(run)
    case .section(let operation, let section): sentence(operation, section)
    case .column(let column): sentence(column)
    }
  }

  /// A section is reported as added or deleted with its rows.
  private func comesWithSection(_ row: EditOutcome.Row) -> Bool {
    switch (row.from, row.to) {
    case (let from?, nil): outcome.after.section(from.section) == nil
    case (nil, let to?): outcome.before.section(to.section) == nil
    default: false
    }
  }

  private func sentence(_ operation: Change.Operation, _ row: EditOutcome.Row) -> Sentence {
    let from = row.from.map(outcome.before.position) ?? 0
    let to = row.to.map(outcome.after.position) ?? 0
    switch operation {
    case .add: return Sentence(addition, "\(row.title) as row \(to)")
    case .delete: return Sentence(.delete, "\(row.title), row \(from)")
    case .move where row.from?.section != row.to?.section:
      let places = (path(row.from, outcome.before), path(row.to, outcome.after))
      return Sentence(.move, "\(row.title) \(places.0) → \(places.1)")
    case .move: return Sentence(.move, "\(row.title) \(from) → \(to)")
    case .edit:
      let fields = row.fields.map { printable($0.nameInSentence) }.joined(separator: ", ")
      return Sentence(.edit, "\(row.title), row \(to): \(fields)")
    case .protect:
      guard !row.customer.prohibitions.isEmpty else { return Sentence(.unprotect, "\(row.title), row \(to)") }
      return Sentence(.protect, "\(row.title), row \(to), \(row.customer.protection)")
    }
  }

  /// A place in the form `Leads/1`.
  private func path(_ place: CustomerPlace?, _ outline: ListOutline) -> String {
    guard let place else { return "" }
    return "\(printable(outline.section(place.section)?.title ?? ""))/\(place.order)"
  }

  private func sentence(_ run: EditOutcome.Run) -> Sentence? {
    func range(_ first: Int) -> String { "\(first)–\(first + run.count - 1)" }
    if let to = run.to {
      guard outcome.before.section(to.section) != nil else { return nil }
      return Sentence(addition, "\(rowCount(run.count)) as rows \(range(outcome.after.position(of: to)))")
    }
    guard let from = run.from, outcome.after.section(from.section) != nil else { return nil }
    return Sentence(.delete, "\(rowCount(run.count)), rows \(range(outcome.before.position(of: from)))")
  }

  private func sentence(_ operation: Change.Operation, _ section: EditOutcome.Section) -> Sentence? {
    guard let shown = section.after ?? section.before else { return nil }
    let name = "section \(quoted(shown.title))"
    let rows = shown.count > 0 ? " with \(rowCount(shown.count))" : ""
    switch (operation, section.before, section.after) {
    case (.move, let before?, let after?): return Sentence(.move, "\(name) \(before.order) → \(after.order)")
    case (_, nil, let after?): return Sentence(addition, "\(name)\(rows) as number \(after.order)")
    case (_, _, nil): return Sentence(.delete, "\(name)\(rows)")
    case (_, let before?, let after?):
      guard before.title != after.title else { return Sentence(.change, "the footer of \(name)") }
      let footer = before.footer == after.footer ? "" : " and its footer"
      return Sentence(.rename, "section \(quoted(before.title)) → \(quoted(after.title))\(footer)")
    }
  }

  private func sentence(_ column: EditOutcome.Column) -> Sentence? {
    switch (column.from, column.to) {
    case (let from?, let to?): Sentence(.rename, "column \(quoted(from)) → \(quoted(to))")
    case (let from?, nil): Sentence(.drop, "column \(quoted(from))")
    case (nil, let to?): Sentence(.bringBack, "column \(quoted(to))")
    case (nil, nil): nil
    }
  }
}

extension EditOutcome.Row {
  /// The quoted name or the id of a customer without one.
  package var title: String { customer.fields.title(id) }
}

extension CustomerFields {
  /// The quoted name or the id of a customer without one.
  package func title(_ id: CustomerID) -> String { name.isEmpty ? "customer @\(id.rawValue)" : quoted(name) }
}

extension CustomerField {
  /// The name within a sentence: an extra column is written as in the list.
  package var nameInSentence: String { if case .extra(let name) = self { name } else { title.lowercased() } }
}
