/// The order of a file that was written from the list and comes back, merged with that of the list as it is.
///
/// What the file says is a copy of the list that was edited on its own: the list as it was, with the rows of the file in their
/// order there. As few of them as possible leave their places, and go below the row that is above them in the file. The rule for
/// copies, `PlaceMerge`, does the rest.
package struct ReturnedOrder {
  /// A row of the file, in its order.
  package struct Row {
    package let id: CustomerID
    /// The section in the file; nil if the file doesn't say.
    package let section: SectionID?
    /// Whether the row may be moved.
    package let canMove: Bool

    package init(id: CustomerID, section: SectionID?, canMove: Bool = true) {
      (self.id, self.section, self.canMove) = (id, section, canMove)
    }
  }

  /// A section that the list does not have.
  package static let noSection = SectionID(rawValue: 0)

  /// The rows that get the place of the file, in its order, without new ones.
  package private(set) var moved: [CustomerID] = []
  /// The rows whose places both changed, in the order of the file.
  package private(set) var contested: [CustomerID] = []
  /// The merged order.
  package private(set) var arrangement = ListArrangement()

  /// Merges the two.
  ///
  /// - Parameters:
  ///   - file: the rows in the file that were in the list when it was written, or are new.
  ///   - base: the list when it was written.
  ///   - list: the list as it is, without the new rows of the file.
  ///   - isTouched: whether the place of a row was edited since.
  ///   - deleted: rows to leave out.
  ///   - winner: the side that wins where both moved a row; a block of rows goes where its first one does.
  /// - Complexity: O(n log n) for the rows of the list.
  package init(
    _ file: [Row], base: ListArrangement, list: ListArrangement, isTouched: (CustomerID) -> Bool,
    without deleted: Set<CustomerID>, winner: (CustomerID) -> ConflictSide
  ) {
    let file = ReturnedOrder.withSections(file, base)
    let ids = Array(Set(base.rows + list.rows + file.map(\.id))).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let sections = Array(
      Set((base.parts + list.parts).map(\.section) + file.compactMap(\.section) + [ReturnedOrder.noSection])
    ).sorted { $0.rawValue < $1.rawValue }
    func order(_ list: ListArrangement) -> PlaceMerge.Order {
      let rows = Dictionary(list.parts.map { ($0.section, $0.rows.compactMap { numbers[$0] }) }) { first, _ in
        first
      }
      return PlaceMerge.Order(sections.map { rows[$0] ?? [] }, count: ids.count)
    }
    let (old, ours) = (order(base), order(list))
    let said = FileOrder(file, base)
    let theirs = order(said.arrangement)
    let placed = Set(said.placed.compactMap { numbers[$0] })
    let present = Set(list.parts.map(\.section))
    var contested: Set<Int> = []
    let merge = PlaceMerge(
      base: old,
      a: PlaceMerge.Side(order: ours, touched: Set(ids.indices.filter { isTouched(ids[$0]) }), placed: [:]),
      // The file comes later than all edits of the list.
      b: PlaceMerge.Side(order: theirs, touched: placed, placed: placed.reduce(into: [:]) { $0[$1] = "z" }),
      isThere: ids.indices.map { (ours.has($0) || !old.has($0)) && !deleted.contains(ids[$0]) }
    ) { what, _ in
      switch what {
      case .row(let row) where !present.contains(sections[theirs.group[row]]): return .a
      case .row(let row):
        contested.insert(row)
        return winner(ids[row]) == .ours ? .a : .b
      case .group(let group):
        let rows = old.rows[group].filter { placed.contains($0) && ours.has($0) }
        contested.formUnion(rows)
        return rows.first.map { winner(ids[$0]) } == .ours ? .a : .b
      }
    }
    let isMoved = { numbers[$0].map { old.has($0) && merge.isPlaced($0, by: .b) } ?? false }
    moved = file.map(\.id).filter(isMoved)
    self.contested = file.map(\.id).filter { numbers[$0].map(contested.contains) ?? false }
    arrangement.parts = zip(sections, merge.merged).map { section, rows in
      ListArrangement.Part(section: section, rows: rows.map { ids[$0] })
    }
  }
}

extension ReturnedOrder {
  /// The rows, each with a section if any has one: without one, a row stays in its own, or is new in that of the row above.
  private static func withSections(_ file: [Row], _ base: ListArrangement) -> [Row] {
    guard var above = file.lazy.compactMap(\.section).first else { return file }
    let places = base.places
    return file.map { row in
      above = row.section ?? places[row.id]?.section ?? above
      return Row(id: row.id, section: above, canMove: row.canMove)
    }
  }
}

/// An order with the rows of a file in their order there.
private struct FileOrder {
  private(set) var arrangement: ListArrangement
  /// The rows that have another place, or are new.
  private(set) var placed: Set<CustomerID> = []

  init(_ file: [ReturnedOrder.Row], _ base: ListArrangement) {
    // Without sections, the whole list is one.
    let parts = Dictionary(grouping: file, by: \.section)
    let places = base.places
    let numbers = Dictionary(uniqueKeysWithValues: base.rows.enumerated().map { ($1, $0) })
    var (above, below, ends) = (
      [CustomerID: [CustomerID]](), [CustomerID: [CustomerID]](), [SectionID: [CustomerID]]()
    )
    for (section, rows) in parts {
      let staying = rows.filter { section == nil ? places[$0.id] != nil : places[$0.id]?.section == section }
      let kept = unmovedRows(staying.map { numbers[$0.id] ?? 0 }) { !staying[$0].canMove }
      var (anchor, waiting) = (CustomerID?.none, [CustomerID]())
      let still = Set(kept.map { staying[$0].id })
      for id in rows.map(\.id) {
        if still.contains(id) {
          (above[id], anchor, waiting) = (waiting, id, [])
        } else {
          placed.insert(id)
          if let anchor { below[anchor, default: []].append(id) } else { waiting.append(id) }
        }
      }
      ends[section ?? base.parts.last?.section ?? ReturnedOrder.noSection, default: []] += waiting
    }
    arrangement = base
    for section in ends.keys where !base.parts.contains(where: { $0.section == section }) {
      arrangement.parts.append(.init(section: section))
    }
    for index in arrangement.parts.indices {
      let rows = arrangement.parts[index].rows.filter { !placed.contains($0) }
      arrangement.parts[index].rows =
        rows.flatMap { (above[$0] ?? []) + [$0] + (below[$0] ?? []) }
        + (ends[arrangement.parts[index].section] ?? [])
    }
  }
}

/// A customer of a file that comes back, merged with that of the list by the rule for copies, value by value.
package struct CustomerMerge {
  /// The customer with the changes of both sides; where they conflict, with the value of the side that wins.
  package private(set) var merged: Customer
  /// The values that both changed to different ones, and, if what the file was written from is unknown, all that
  /// differ.
  package let conflicts: [Conflict]

  package typealias Conflict = (column: String, ours: String, theirs: String)

  /// Merges the two.
  ///
  /// - Parameters:
  ///   - base: what the file was written from; nil if unknown.
  ///   - ours: the customer of the list.
  ///   - theirs: the customer of the file.
  ///   - columns: the new names of the extra columns that were renamed since the file was written.
  ///   - winner: the side that wins a conflict.
  package init(
    base: Customer?, ours: Customer, theirs: Customer, renamed columns: [String: String] = [:],
    winner: @escaping (Conflict) -> ConflictSide
  ) {
    func state(_ record: ListState.Record) -> ListState {
      ListState(sections: [0], rows: [0: [1]], records: [.customer: [1: record], .section: [0: [:]]])
    }
    var (own, other) = (ours.record, theirs.record)
    let old: ListState.Record
    if let base {
      old = base.record
      for (name, value) in other where old[name] != value {
        guard case .lines(let lines) = value else { continue }
        other[name] = .lines(lines.filter { !$0.allSatisfy(\.isWhitespace) })
      }
    } else {
      // Nothing is known to be unchanged, so that lines do not come together, and a value that is only on one side is no news.
      (own, other) = (own.withoutLines, other.withoutLines)
      let names = Set(own.keys).union(other.keys).filter { own[$0] != other[$0] }
      old = Dictionary(uniqueKeysWithValues: names.map { ($0, .lines([])) })
    }
    func told(_ conflict: ListMerge.Conflict) -> Conflict? {
      guard case .value(let name) = conflict.matter else { return nil }
      let column = name.hasPrefix(ListState.extra) ? String(name.dropFirst(ListState.extra.count)) : name
      let empty = CustomerField.stored.first { $0.column == name }?.emptyValue.text
      func text(_ value: MergedValue?) -> String {
        value?.text ?? empty ?? (name.hasPrefix("can_") ? FieldValue.flag(true).text : "")
      }
      return (column, text(conflict.a), text(conflict.b))
    }
    let merge = ListMerge(
      base: state(old).renamingColumns(columns), a: state(own), b: state(other).renamingColumns(columns)
    ) { told($0).map(winner) == .theirs ? .b : .a }
    merged = ours
    merged.take(merge.state[.customer][1] ?? [:], insteadOf: own)
    conflicts = merge.conflicts.compactMap(told)
  }
}

extension ListState.Record {
  /// The record with lines as one value, and without the order of extra columns.
  fileprivate var withoutLines: ListState.Record {
    filter { $0.key != ListState.columnOrder }.mapValues { value in
      if case .lines = value { .text(value.text) } else { value }
    }
  }
}
