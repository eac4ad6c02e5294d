internal import CustomersSQLite

extension CustomerList {
  /// Sorts the rows of a section, or of each section, once; the list does not stay sorted.
  ///
  /// Customers that must not be moved stay where they are, and the others are sorted around them.
  ///
  /// - Returns: the rows whose place changed.
  /// - Throws: `ListError.noSuchSection`.
  /// - Complexity: O(n log n) for the rows, written once.
  @discardableResult
  public mutating func sort(by order: SortOrder, in section: SectionID? = nil) throws -> [CustomerMove] {
    let sections = try section.map { [try self.section($0)] } ?? wholeSections()
    // Checks every section before writing any.
    let orders = try sections.map { section in
      var rows: [SortOrder.Row] = []
      var fixed: [(row: CustomerID, order: Int)] = []
      try forEach(in: section.id, count: section.count) { customer in
        if customer.canMove {
          rows.append(order.row(customer))
        } else {
          fixed.append((customer.id, customer.place.order))
        }
        return true
      }
      let ids = order.sorted(rows).map(\.id).interleaved(with: fixed)
      return (section: section.id, ids: ids, moves: try moves(arranging: ids, in: section.id))
    }
    try atomically {
      for order in orders where !order.moves.isEmpty { try write(order.ids, in: order.section) }
    }
    return orders.flatMap(\.moves)
  }
}

extension CustomerList {
  /// The number of customers of a section, or of the list, that must not be moved.
  ///
  /// - Complexity: O(rows).
  package func fixedCount(in section: SectionID?) throws -> Int {
    let sql = "SELECT count(*) FROM customers WHERE can_move = 0"
    let only = section.map { (" AND section = ?", [SQLiteValue.id($0)]) } ?? ("", [])
    return try connection.fetchOne(sql + only.0, only.1) { $0.int(0) } ?? 0
  }
}
