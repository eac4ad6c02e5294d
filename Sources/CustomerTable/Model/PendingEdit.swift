internal import CustomerStore

/// An edit that is shown and not in the list yet.
///
/// A view shows what a person did at once. Later the list has it, or refuses it, and the rows are as they were; what
/// others do to the list comes in between.
struct PendingEdit: Identifiable, Sendable {
  /// The number of the edit.
  let id: Int
  let edit: ListEdit
  /// The version in which its rows were seen.
  var seenAt: ListVersion

  /// The rows that it names.
  var customers: [CustomerID] {
    switch edit {
    case .move(let ids, _, _, _), .delete(let ids, _), .update(let ids, _): ids
    case .save(let id, _, _): [id]
    default: []
    }
  }

  /// The edit for the list: rows are moved and deleted only as they were seen.
  var seen: ListEdit {
    switch edit {
    case .move(let ids, let destination, let section, nil):
      .move(ids, to: destination, in: section, asSeenAt: seenAt)
    case .delete(let ids, nil): .delete(ids, asSeenAt: seenAt)
    default: edit
    }
  }

  /// What the history calls it.
  var action: String {
    switch edit {
    case .move, .moveBy, .swap, .arrange: "move"
    case .insert: "add"
    case .delete: "delete"
    case .sort: "sort"
    default: "edit"
    }
  }

  /// Shows where the rows will be; does nothing if only the list knows that.
  ///
  /// - Complexity: O(rows).
  func place(in sections: inout [ListSnapshot.Section]) {
    switch edit {
    case .move(let ids, let destination, let section, _):
      move(ids, to: destination, in: section, of: &sections)
    case .delete(let ids, _): _ = remove(Set(ids), from: &sections)
    default: break
    }
  }

  private func move(
    _ ids: [CustomerID], to destination: Destination, in section: SectionID?,
    of sections: inout [ListSnapshot.Section]
  ) {
    var after = sections
    let moved = remove(Set(ids), from: &after)
    guard let first = moved.first, moved.count == ids.count else { return }
    func row(_ id: CustomerID) -> (Int, Int)? {
      for index in after.indices {
        if let row = after[index].rows.firstIndex(of: id) { return (index, row) }
      }
      return nil
    }
    func row(_ number: (ListSnapshot.Section) -> Int) -> (Int, Int)? {
      after.firstIndex { $0.id == section ?? first.section }.map { ($0, number(after[$0])) }
    }
    let place: (section: Int, row: Int)? =
      switch destination {
      case .first: row { _ in 0 }
      case .last: row(\.count)
      case .place(let order): row { min(max(order, 1) - 1, $0.count) }
      case .before(let id): row(id)
      case .after(let id): row(id).map { ($0.0, $0.1 + 1) }
      }
    guard let place else { return }
    after[place.section].rows.insert(contentsOf: moved.map(\.id), at: place.row)
    sections = after
  }

  /// Takes rows out, in list order.
  private func remove(_ ids: Set<CustomerID>, from sections: inout [ListSnapshot.Section]) -> [(
    id: CustomerID, section: SectionID
  )] {
    var removed: [(CustomerID, SectionID)] = []
    for index in sections.indices where removed.count < ids.count {
      let rows = sections[index].rows
      let found =
        if let only = ids.first, ids.count == 1 {
          rows.firstIndex(of: only).map { [$0] } ?? []
        } else {
          rows.indices.filter { ids.contains(rows[$0]) }
        }
      removed += found.map { (rows[$0], sections[index].id) }
      for row in found.reversed() { sections[index].rows.remove(at: row) }
    }
    return removed
  }

  /// A customer as it will be.
  func edited(_ customer: Customer) -> Customer {
    var edited = customer
    switch edit {
    case .update(let ids, let changes) where ids.contains(customer.id): edited.fields.set(changes)
    case .save(customer.id, let from, let to): edited.fields = customer.fields.merging(to, from: from).0
    default: break
    }
    return edited
  }
}
