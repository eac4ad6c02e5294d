/// A snapshot, and on top of it rows that were dropped elsewhere and are not yet moved in the list.
///
/// A table shows a dropped row where it was dropped at once. Later the move is in the list, or the row goes back;
/// what others do to the list comes in between.
package struct DraftSnapshot: Sendable {
  /// Rows that were dropped.
  package struct Drop: Identifiable, Sendable {
    /// The number of the drop.
    package let id: Int
    /// The rows, in list order.
    package let customers: [CustomerID]
    /// The row before which they were dropped; nil for the end of the section.
    package let next: CustomerID?
    /// The section in which they were dropped.
    package let section: SectionID
    /// The version in which they were seen.
    package fileprivate(set) var seenAt: ListVersion

    /// The place in the terms of `CustomerList.move`.
    package var destination: Destination { next.map { .before($0) } ?? .last }
  }

  /// The list without the drops.
  package private(set) var base: ListSnapshot
  /// The list with them.
  package private(set) var shown: ListSnapshot
  /// The drops that are not in the list yet, in order.
  package private(set) var drops: [Drop] = []
  private var dropCount = 0

  /// Creates a draft without drops.
  package init(_ snapshot: ListSnapshot = ListSnapshot()) { (base, shown) = (snapshot, snapshot) }

  /// Shows rows at the place where they were dropped.
  ///
  /// - Parameters:
  ///   - customers: the rows, in list order.
  ///   - next: the row before which they were dropped, none of them; nil for the end of the section.
  ///   - section: the section in which they were dropped.
  /// - Returns: the drop, which `settle` ends; nil if a row or the section is not there.
  package mutating func drop(_ customers: [CustomerID], before next: CustomerID?, in section: SectionID)
    -> Drop?
  {
    let drop = Drop(
      id: dropCount, customers: customers, next: next, section: section, seenAt: base.version)
    guard shown.show(drop) else { return nil }
    dropCount += 1
    drops.append(drop)
    return drop
  }

  /// Applies what happened to the list.
  ///
  /// - Parameters:
  ///   - events: the events, in order; those that the draft already contains have no effect.
  ///   - settled: the drop that these events contain, or that was refused.
  /// - Returns: the updates that take a table from `shown` before to `shown` after.
  /// - Throws: `SnapshotError`; the draft is then unchanged.
  /// - Complexity: O(rows).
  package mutating func apply(_ events: [ListEvent], settling settled: Drop.ID? = nil) throws -> [TableUpdate]
  {
    var after = self
    var touched = TouchedRows()
    var isReloaded = false
    for event in events {
      switch event {
      case .step(let step): try after.base.apply(step, &touched)
      case .reload(let snapshot): (after.base, isReloaded) = (snapshot, true)
      case .waiting: break
      }
    }
    for drop in drops { touched.add(placed: drop.customers) }
    if let settled, let index = after.drops.firstIndex(where: { $0.id == settled }) {
      let customers = Set(after.drops.remove(at: index).customers)
      // Who drops a row again has seen the first drop.
      for index in after.drops.indices where !customers.isDisjoint(with: after.drops[index].customers) {
        after.drops[index].seenAt = after.base.version
      }
    }
    after.shown = after.base
    for drop in after.drops { _ = after.shown.show(drop) }
    let updates = isReloaded ? [.reloadData] : touched.updates(from: shown, to: after.shown)
    self = after
    return updates
  }
}

extension ListSnapshot {
  /// Moves rows to where they were dropped.
  ///
  /// - Returns: whether that is possible.
  fileprivate mutating func show(_ drop: DraftSnapshot.Drop) -> Bool {
    let paths = paths(of: Set(drop.customers))
    guard paths.count == drop.customers.count, !drop.customers.isEmpty,
      let section = sections.firstIndex(where: { $0.id == drop.section })
    else { return false }
    var after = self
    for path in paths.values.sorted(by: >) { after.sections[path.section].rows.remove(at: path.row) }
    let rows = after.sections[section].rows
    guard let row = drop.next.map({ rows.firstIndex(of: $0) }) ?? rows.count else { return false }
    after.sections[section].rows.insert(contentsOf: drop.customers, at: row)
    self = after
    return true
  }
}
