internal import CustomersSQLite

extension CustomerList {
  /// What happened since a version, step by step; or the current list, if that is more than `limit` edits or
  /// the history has forgotten some or is another one.
  ///
  /// - Parameters:
  ///   - version: the last known version.
  ///   - limit: the maximum number of edits.
  /// - Returns: steps, or one `reload`, or an empty array if nothing happened.
  /// - Throws: `ListError.damaged`, `StoreError`.
  package func events(after version: ListVersion, limit: Int = 5_000) throws -> [ListEvent] {
    try steps(after: version, limit: limit)?.map(ListEvent.step) ?? [.reload(snapshot())]
  }

  /// What happened since a version, step by step, for callers that read the list themselves.
  ///
  /// - Returns: the steps; nil if they have more than `limit` edits, or the history has forgotten some or is
  ///   another one.
  /// - Throws: `StoreError`.
  package func steps(after version: ListVersion, limit: Int = 5_000) throws -> [ListStep]? {
    let now = try self.version()
    guard version.isOf(now.history) else { return nil }
    let (edit, last) = (version.edit, now.edit)
    guard edit != last else { return [] }
    guard edit >= 0, edit < last, last - edit <= limit else { return nil }
    let found = try changes(from: edit + 1, to: .max, limit: limit)
    guard found.count == last - edit else { return nil }
    var changes = found.map(\.change)
    let customers = try self.customers(changes.flatMap(\.customersWithNewFields))
    changes.setPlacesOfUpdates(now: customers.mapValues(\.place))
    let heads = try stepHeads(from: edit + 1)
    return try heads.enumerated().map { index, head in
      let next = index + 1 < heads.count ? heads[index + 1].firstEdit : last + 1
      let edits = max(head.firstEdit, edit + 1)...next - 1
      let part = Array(changes[Int(edits.lowerBound - edit - 1)...Int(edits.upperBound - edit - 1)])
      var own: [CustomerID: Customer] = [:]
      for id in part.flatMap(\.customersWithNewFields) { own[id] = customers[id] }
      return ListStep(
        edits: edits, changes: part, id: head.id, program: head.program, user: head.user, host: head.host,
        action: head.action, kind: head.kind, readAt: now, customers: own,
        sections: try sections(part.compactMap(\.sectionWithNewTitle)))
    }
  }

  private struct StepHead {
    var id: Int64
    var firstEdit: Int64
    var program: String
    var user: String
    var host: String
    var action: String
    var kind: HistoryStep.Kind
  }

  /// The steps that have edits, starting with the one that contains this edit.
  private func stepHeads(from edit: Int64) throws -> [StepHead] {
    try connection.fetchAll(
      """
      SELECT step.id, step.first_edit, step.program, step.user, step.host, step.action, step.kind
      FROM history_step AS step
      LEFT JOIN history_step AS next ON next.id = step.id + 1
      WHERE step.id >= (SELECT max(id) FROM history_step WHERE first_edit <= ?)
        AND step.first_edit < coalesce(next.first_edit, (SELECT id + 1 FROM last_edit))
      ORDER BY step.id
      """, [.integer(edit)]
    ) { row in
      StepHead(
        id: row.integer(0), firstEdit: row.integer(1), program: row.text(2), user: row.text(3),
        host: row.text(4), action: row.text(5), kind: HistoryStep.Kind(rawValue: row.text(6)) ?? .edit)
    }
  }

  private func sections(_ ids: [SectionID]) throws -> [SectionID: CustomerSection] {
    guard !ids.isEmpty else { return [:] }
    let sections = try sections().filter { ids.contains($0.id) }
    return Dictionary(sections.map { ($0.id, $0) }) { first, _ in first }
  }
}

extension ListChange {
  fileprivate var customersWithNewFields: [CustomerID] {
    switch self {
    case .insert(let id, _), .update(let id, _): [id]
    default: []
    }
  }

  fileprivate var sectionWithNewTitle: SectionID? {
    switch self {
    case .insertSection(let id, _), .updateSection(let id): id
    default: nil
    }
  }
}
