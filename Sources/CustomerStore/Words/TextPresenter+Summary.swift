internal import CustomersText

/// One line for any number of changes: the rows to which the same was done are counted together, and the first ones named.
extension TextPresenter {
  /// The number of clauses, and of the customers that a clause names.
  private static let few = 3

  /// The first changes, on one line.
  package var summary: String {
    let clauses = clauses
    let shown = TextPresenter.cut(
      clauses.map { $0.sentence.clause(isDryRun: isDryRun) }, of: clauses.map(\.rows), to: Self.few
    ) { "… \($0) more" }
    return shown.joined(separator: "; ")
  }

  /// The first changes, as one sentence; nil if there are none.
  package var sentence: String? {
    let summary = summary
    guard !summary.isEmpty else { return nil }
    return isDryRun ? "Would \(summary)." : summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// Each clause, and how many rows it is about: those of an operation where its first row is.
  ///
  /// Of an outcome that has all rows, no more are looked at than one with the first of them has.
  private var clauses: [(sentence: Sentence, rows: Int)] {
    var rows: [Change.Operation: [EditOutcome.Row]] = [:]
    var counts = outcome.rest.operations
    var parts: [(sentence: Sentence, rows: Int)] = []
    var looked = 0
    for row in outcome.rows where !outcome.comesWithSection(row) {
      let operations = outcome.operations(row)
      for operation in operations {
        counts[operation, default: 0] += 1
        if looked < Self.needed { rows[operation, default: []].append(row) }
      }
      looked += operations.count
    }
    var known: Set<Change.Operation> = []
    for change in outcome.changes {
      switch change {
      case .row(let operation, _):
        guard let some = rows[operation], known.insert(operation).inserted else { continue }
        let count = counts[operation, default: 0]
        parts.append(
          (count == 1 ? sentence(operation, some[0]) : sentence(operation, some, of: count), count))
      case .rows(_, let run): parts += sentence(change).map { [($0, run.count)] } ?? []
      case .section, .column, .entry: parts += sentence(change).map { [($0, 1)] } ?? []
      }
    }
    let others = counts.filter { rows[$0.key] == nil }.sorted { $0.key.rawValue < $1.key.rawValue }
    return parts
      + others.map { operation, count in (sentence(operation, [], of: count), count) }
      + omitted.map { ($0, outcome.omitted) }
  }

  /// What was done to several rows, of which the first are known.
  private func sentence(
    _ operation: Change.Operation, _ rows: [EditOutcome.Row], of count: Int
  ) -> Sentence {
    let who = counted(count, "customer")
    let names = rows.prefix(Self.few).map(\.title)
    let others = count > names.count ? ["… \(count - names.count) more"] : []
    let named = names.isEmpty ? "" : ": " + (names + others).joined(separator: ", ")
    /// What is true of each; nil if it is not known of all, or differs.
    func same<Value: Equatable>(_ value: (EditOutcome.Row) -> Value) -> Value? {
      let first = rows.first.map(value)
      return rows.count == count && rows.allSatisfy { value($0) == first } ? first : nil
    }
    switch operation {
    case .add:
      let place = block(rows, of: count).map { " as rows \($0.first)–\($0.last)" } ?? ""
      return Sentence(addition, who + place + named)
    case .delete: return Sentence(.delete, who + named)
    case .move:
      guard let block = block(rows, of: count) else {
        return Sentence(.move, who + (addition == .restore ? " back" : "") + named)
      }
      let isHere = rows.allSatisfy { $0.from?.section == block.place.section }
      return Sentence(
        .move, "\(who) to \(isHere ? "row \(block.first)" : path(block.place, outcome.after))\(named)")
    case .edit:
      let fields =
        same(\.fieldsInSentence)
        ?? same(\.namedFields)?.map { printable($0.nameInSentence) }
        .joined(separator: ", ")
      return Sentence(.edit, (fields.map { "\($0) of " } ?? "") + who + named)
    case .protect:
      switch same(\.customer.prohibitions) {
      case []?: return Sentence(.unprotect, who + named)
      case _?: return Sentence(.protect, "\(who) \(rows[0].customer.protection)\(named)")
      case nil: return Sentence(.change, "the protection of \(who)\(named)")
      }
    case .log:
      let line = same { row in
        row.lines.count == 1 && row.lines[0].before == nil ? row.lines[0].after?.text : nil
      }
      guard let line = line ?? nil, addition == .add else {
        return Sentence(.change, "the log of \(who)\(named)")
      }
      return Sentence(.log, "\(quoted(CustomersText.cut(line, to: 60))) for \(who)\(named)")
    }
  }

  /// The place of the first of rows that are below one another now, and their numbers; nil if there are others between
  /// them.
  private func block(
    _ rows: [EditOutcome.Row], of count: Int
  ) -> (place: CustomerPlace, first: Int, last: Int)? {
    let places = rows.compactMap(\.to).sorted {
      outcome.after.position(of: $0) < outcome.after.position(of: $1)
    }
    guard places.count == count, let place = places.first, let end = places.last,
      place.section == end.section,
      end.order - place.order == count - 1
    else { return nil }
    let first = outcome.after.position(of: place)
    return (place, first, first + count - 1)
  }
}
