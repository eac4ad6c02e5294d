/// The order of rows, section by section.
package struct ListArrangement: Equatable, Sendable {
  /// A section and its rows in order.
  package struct Part: Equatable, Sendable {
    package var section: SectionID
    package var rows: [CustomerID]

    package init(section: SectionID, rows: [CustomerID] = []) { (self.section, self.rows) = (section, rows) }
  }

  package var parts: [Part]

  package init(parts: [Part] = []) { self.parts = parts }

  package var rows: [CustomerID] { parts.flatMap(\.rows) }

  /// The places of all rows.
  var places: [CustomerID: CustomerPlace] {
    var places: [CustomerID: CustomerPlace] = [:]
    for part in parts {
      for (index, id) in part.rows.enumerated() {
        places[id] = CustomerPlace(section: part.section, order: index + 1)
      }
    }
    return places
  }

  /// The fewest rows to move to get here from another arrangement, each with its place here; all others keep
  /// their order, including those in `fixed` if possible.
  package func moves(from known: ListArrangement, keeping fixed: Set<CustomerID>) -> [(
    id: CustomerID, to: CustomerPlace
  )] {
    let before = known.places
    return parts.flatMap { part in
      let unmovedRows = part.rows.enumerated().compactMap { index, id in
        before[id].flatMap { $0.section == part.section ? (index, $0.order, fixed.contains(id)) : nil }
      }
      let rows = ListArrangement.compatible(unmovedRows)
      let kept = Set(longestIncreasingSubsequence(rows.map(\.order)).map { rows[$0].index })
      return part.rows.enumerated().filter { !kept.contains($0.offset) }.map { index, id in
        (id, CustomerPlace(section: part.section, order: index + 1))
      }
    }
  }

  /// The rows, by index and old order, that need not pass a fixed one.
  private static func compatible(
    _ rows: [(index: Int, order: Int, isFixed: Bool)]
  ) -> [(index: Int, order: Int)] {
    var nextFixed = [Int](repeating: .max, count: rows.count)
    var next = Int.max
    for (place, row) in rows.enumerated().reversed() {
      nextFixed[place] = next
      if row.isFixed { next = row.order }
    }
    var lastFixed = Int.min
    return rows.enumerated().filter { place, row in
      defer { if row.isFixed { lastFixed = row.order } }
      return lastFixed < row.order && row.order < nextFixed[place]
    }.map { ($1.index, $1.order) }
  }
}
