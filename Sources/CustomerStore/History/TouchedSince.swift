/// An edit of the step that is undone.
struct OwnEdit {
  let edit: LoggedEdit
  /// The extra columns that it updated; nil for none.
  let extra: ExtraChange?
}

/// What later steps changed.
struct TouchedSince {
  private var moved: Set<CustomerID> = []
  private var deleted: Set<CustomerID> = []
  private var deletedRuns = RangeSet<Int64>()
  /// Those that were put back, or into the list for the first time.
  private var inserted = RangeSet<Int64>()
  /// The columns of the log that have an old value.
  private var updated: [CustomerID: Set<String>] = [:]
  /// The extra columns, of customers whose extra columns the step updated.
  private var extra: [CustomerID: ExtraChange] = [:]
  private(set) var sections: Set<SectionID> = []

  mutating func add(
    _ edit: LoggedEdit, _ changes: [CustomerID: ExtraChange], columnOf customers: [CustomerID]
  ) {
    for (id, change) in changes { extra[id, default: ExtraChange()].add(change) }
    if let section = edit.change.section { sections.insert(section) }
    switch edit.change {
    case .move(let id, _, _): moved.insert(id)
    case .arrange(_, let moves): moved.formUnion(moves.map(\.id))
    case .delete(let id, _): deleted.insert(id)
    case .deleteMany(let first, let count, _):
      deletedRuns.insert(contentsOf: first.rawValue..<first.rawValue + Int64(count))
    case .update(let id, _): updated[id, default: []].formUnion(edit.old.columns)
    case .column: for id in customers { updated[id, default: []].insert("extra") }
    case .insert(let id, _): inserted.insert(contentsOf: id.rawValue..<id.rawValue + 1)
    case .insertMany(let first, let count, _):
      inserted.insert(contentsOf: first.rawValue..<first.rawValue + Int64(count))
    case .insertSection, .deleteSection, .moveSection, .updateSection: break
    }
  }

  /// The customers of an edit that later ones changed in the same way.
  func conflicts(with own: OwnEdit, columnOf customers: [CustomerID]) -> [CustomerID] {
    let edit = own.edit
    return switch edit.change {
    case .insert(let id, _): hasChanged(id) ? [id] : []
    case .insertMany(let first, let count, _):
      (0..<Int64(count)).map { CustomerID(rawValue: first.rawValue + $0) }.filter(hasChanged)
    case .move(let id, _, _): moved.contains(id) || isGone(id) ? [id] : []
    case .arrange(_, let moves): moves.map(\.id).filter { moved.contains($0) || isGone($0) }
    case .update(let id, _):
      isGone(id) || hasChanged(id, edit.old.columns.subtracting(["extra"]))
        || own.extra.map { extra[id]?.overlaps($0) ?? false } ?? false ? [id] : []
    case .column: customers.filter { isGone($0) || updated[$0]?.contains("extra") == true }
    case .delete(let id, _): inserted.contains(id.rawValue) ? [id] : []
    case .deleteMany(let first, let count, _):
      (first.rawValue..<first.rawValue + Int64(count)).filter(inserted.contains).map(
        CustomerID.init(rawValue:))
    case .insertSection, .deleteSection, .moveSection, .updateSection: []
    }
  }

  private func isGone(_ id: CustomerID) -> Bool { deleted.contains(id) || deletedRuns.contains(id.rawValue) }
  private func hasChanged(_ id: CustomerID) -> Bool { isGone(id) || updated[id] != nil }
  private func hasChanged(_ id: CustomerID, _ columns: Set<String>) -> Bool {
    !columns.isDisjoint(with: updated[id] ?? [])
  }

  /// Whether extra columns of a customer changed that the step did not change, if there is no conflict.
  func hasOtherColumns(_ id: CustomerID) -> Bool { extra[id] != nil }
}
