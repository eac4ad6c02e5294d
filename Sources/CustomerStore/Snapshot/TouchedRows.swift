/// The rows and sections that changes affect in a table.
struct TouchedRows {
  /// Rows that were inserted, deleted, or moved.
  private var placed: Set<CustomerID> = []
  /// Rows whose fields changed.
  private var updated: Set<CustomerID> = []
  private var movedSections: Set<SectionID> = []
  private var retitled: Set<SectionID> = []
  /// Whether a column of all rows changed.
  private var isEverythingUpdated = false

  /// With more rows than this, reloading a table is faster.
  private static let most = 1_000

  mutating func add(_ change: ListChange) {
    switch change {
    case .insert(let id, _), .delete(let id, _), .move(let id, _, _): placed.insert(id)
    case .update(let id, _): updated.insert(id)
    case .insertMany(let first, let count, _), .deleteMany(let first, let count, _):
      // One more than the limit is as good as all of them.
      placed.formUnion(first.following(min(count, Self.most + 1)))
    case .arrange(_, let moves): placed.formUnion(moves.lazy.map(\.id))
    case .moveSection(let id, _, _): movedSections.insert(id)
    case .updateSection(let id): retitled.insert(id)
    case .column: isEverythingUpdated = true
    case .insertSection, .deleteSection: break
    }
  }

  /// Adds rows that are at another place in one of the snapshots.
  mutating func add(placed ids: [CustomerID]) { placed.formUnion(ids) }

  /// The updates that take a table from one snapshot to another that differs only in these rows.
  ///
  /// A section that moved is deleted and inserted, and so is a row that moved and changed: tables allow only
  /// one update per row.
  func updates(from before: ListSnapshot, to after: ListSnapshot) -> [TableUpdate] {
    guard !isEverythingUpdated, placed.count + updated.count <= Self.most else { return [.reloadData] }
    let staying = Set(before.sections.map(\.id)).intersection(after.sections.map(\.id))
      .subtracting(movedSections)
    var updates: [TableUpdate] = []
    for (index, section) in before.sections.enumerated() where !staying.contains(section.id) {
      updates.append(.deleteSection(index))
    }
    for (index, section) in after.sections.enumerated() {
      if !staying.contains(section.id) {
        updates.append(.insertSection(index))
      } else if retitled.contains(section.id) {
        updates.append(.reloadTitle(index))
      }
    }
    let ids = placed.union(updated)
    let old = before.paths(of: ids).filter { staying.contains(before.sections[$0.value.section].id) }
    let new = after.paths(of: ids).filter { staying.contains(after.sections[$0.value.section].id) }
    // One that is where it was may still have been passed by others, but not if all are.
    let hasMoves = placed.contains { old[$0] != new[$0] }
    for id in ids.sorted() {
      switch (old[id], new[id]) {
      case (let from?, let to?) where !hasMoves && from == to && !updated.contains(id): break
      case (let path?, nil): updates.append(.delete(path))
      case (nil, let path?): updates.append(.insert(path))
      case (let from?, let to?) where placed.contains(id):
        updates += updated.contains(id) ? [.delete(from), .insert(to)] : [.move(from, to: to)]
      case (let path?, _?): updates.append(.reload(path))
      case (nil, nil): break
      }
    }
    return updates
  }
}
