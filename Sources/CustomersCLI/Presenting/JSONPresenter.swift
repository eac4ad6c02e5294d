internal import CustomerStore
internal import Formats

/// Says to a program what an edit changed: the rows in groups, each with its fields or its places.
struct JSONPresenter {
  private enum Group: String, CaseIterable {
    case added, edited, moved, protected, deleted
  }

  private let outcome: EditOutcome

  init(_ outcome: EditOutcome) { self.outcome = outcome }

  /// What changed; a group without rows is left out.
  var members: [(String, JSON)] {
    members(always: []) + (sections.isEmpty ? [] : [("sections", .array(sections))])
  }

  /// What an edit that a command made changed; its groups are there also without rows.
  func members(of edit: ListEdit) -> [(String, JSON)] {
    switch edit {
    case .insert: members(always: [.added])
    case .update, .save: members(always: [.edited])
    case .merge: members(always: [.edited, .deleted])
    case .delete: members(always: [.deleted])
    case .move, .moveBy, .swap, .sort, .arrange: members(always: [.moved])
    case .protect: members(always: [.protected])
    case .batch: members(always: [.moved, .deleted])
    case .section: sections.first.map { [("section", $0)] } ?? []
    }
  }

  private func members(always: Set<Group>) -> [(String, JSON)] {
    Group.allCases.compactMap { group in
      // A row that was to be moved to where it is, or protected as it is, is reported as it is.
      let rows = outcome.rows.filter { row in
        belongs(row, to: group) || (!row.isChanged && group != .edited && always.contains(group))
      }
      let runs = outcome.runs.filter { group == ($0.to == nil ? .deleted : .added) }
      guard !rows.isEmpty || !runs.isEmpty || always.contains(group) else { return nil }
      return (group.rawValue, .array(rows.map { json($0, group) } + runs.map(json)))
    }
  }

  private func belongs(_ row: EditOutcome.Row, to group: Group) -> Bool {
    switch group {
    case .added: row.from == nil
    case .deleted: row.to == nil
    case .moved: row.isMoved
    case .edited: !row.fields.isEmpty
    case .protected: row.hasOtherRights
    }
  }

  private func json(_ row: EditOutcome.Row, _ group: Group) -> JSON {
    guard group == .moved, let from = row.from, let to = row.to else {
      return Record.json(row.customer, row.to == nil ? outcome.before : outcome.after)
    }
    return .object([
      ("id", .int(Int(row.id.rawValue))), ("name", .string(row.customer.name)),
      ("from", .int(outcome.before.position(of: from))), ("to", .int(outcome.after.position(of: to))),
      ("section", .int(Int(to.section.rawValue))),
    ])
  }

  private func json(_ run: EditOutcome.Run) -> JSON {
    let place =
      run.to.map { ("to", outcome.after.position(of: $0)) }
      ?? run.from.map { ("from", outcome.before.position(of: $0)) }
    return .object(
      [("first_id", .int(Int(run.first.rawValue))), ("count", .int(run.count))]
        + (place.map { [($0.0, .int($0.1))] } ?? []))
  }

  private var sections: [JSON] { outcome.sections.compactMap { ($0.after ?? $0.before).map(Record.json) } }
}
