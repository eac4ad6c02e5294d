extension CustomerList {
  /// Sorts the rows of a section, or of each section, once; the list does not stay sorted.
  ///
  /// - Returns: the rows whose place changed.
  /// - Throws: `ListError.noSuchSection`; `moveForbidden` if a customer that must not be moved would change
  ///   its place.
  /// - Complexity: O(n log n) for the rows, written once.
  @discardableResult
  public mutating func sort(by order: SortOrder, in section: SectionID? = nil) throws -> [CustomerMove] {
    let sections = try section.map { [try self.section($0)] } ?? self.sections()
    // Checks every section before writing any.
    let orders = try sections.map { section in
      var rows: [SortOrder.Row] = []
      try forEach(in: section.id) { customer in
        rows.append(order.row(customer))
        return true
      }
      let ids = order.sorted(rows).map(\.id)
      return (section: section.id, ids: ids, moves: try moves(arranging: ids, in: section.id))
    }
    try atomically {
      for order in orders where !order.moves.isEmpty { try write(order.ids, in: order.section) }
    }
    return orders.flatMap(\.moves)
  }
}
