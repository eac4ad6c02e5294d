/// What a table shows of a list, and what the list is; mostly the same.
///
/// They differ while a row that a person has dropped somewhere waits to be written: the table shows it
/// there already. When all that is decided, `settle` says what the table has to do.
package struct ShownList: Sendable {
  /// What the table shows.
  package private(set) var shown: ListSnapshot
  /// The list after the last edit that is known.
  package private(set) var known: ListSnapshot
  /// How many drops are not decided.
  private var drops = 0
  /// In what `shown` and `known` may differ; nil for everything.
  private var touched: TouchedRows? = TouchedRows()

  /// Shows a list.
  package init(_ snapshot: ListSnapshot) { (shown, known) = (snapshot, snapshot) }

  /// Takes note of what happened to the list.
  ///
  /// - Throws: `SnapshotError`, if events were left out.
  package mutating func apply(_ event: ListEvent) throws {
    switch event {
    case .step(let step):
      try known.apply(step)
      for change in step.changes { touched?.add(change) }
    case .reload(let snapshot) where snapshot.edit > known.edit: (known, touched) = (snapshot, nil)
    case .reload, .waiting: break
    }
  }

  /// Shows a row where a person has dropped it.
  ///
  /// - Returns: the row, and where the list is to move it; nil if there is nothing to move.
  package mutating func drop(_ path: RowPath, at target: RowPath) -> (
    id: CustomerID, destination: Destination, section: SectionID
  )? {
    guard path != target, let id = shown[path], shown.sections.indices.contains(target.section) else {
      return nil
    }
    var after = shown
    after.sections[path.section].rows.remove(at: path.row)
    guard (0...after.sections[target.section].count).contains(target.row) else { return nil }
    after.sections[target.section].rows.insert(id, at: target.row)
    shown = after
    touched?.add(
      .move(
        id, from: Place(section: after.sections[path.section].id, order: 0),
        to: Place(section: after.sections[target.section].id, order: 0)))
    drops += 1
    let rows = after.sections[target.section].rows
    // Beside the row that the person saw there, whatever others do in the meantime.
    let destination: Destination =
      target.row > 0 ? .after(rows[target.row - 1]) : rows.count > 1 ? .before(rows[1]) : .first
    return (id, destination, after.sections[target.section].id)
  }

  /// A drop was written, or refused.
  package mutating func decideDrop() { drops -= 1 }

  /// The updates that bring the table from what it shows to what is known; none while a drop is undecided.
  package mutating func settle() -> [TableUpdate] {
    guard drops == 0 else { return [] }
    defer { (shown, touched) = (known, TouchedRows()) }
    guard let touched else { return [.reloadData] }
    let updates = touched.updates(from: shown, to: known)
    let isAsShown = updates.allSatisfy { if case .move(let from, let to) = $0 { from == to } else { false } }
    return isAsShown ? [] : updates
  }
}
