extension CustomerList {
  /// Puts the rows of a section, or of each section, in an alphabetical order; it does not stay sorted.
  ///
  /// - Returns: the rows that have another place now.
  /// - Throws: `ListError.noSuchSection`; `moveForbidden` if a customer that must not be moved would get
  ///   another place.
  /// - Complexity: O(n log n) for the rows, written once.
  @discardableResult
  public mutating func sort(by order: SortOrder, in section: SectionID? = nil) throws -> [CustomerMove] {
    let sections = try section.map { [try self.section($0)] } ?? self.sections()
    var moves: [CustomerMove] = []
    for section in sections {
      var rows: [SortOrder.Row] = []
      try forEach(in: section.id) { customer in
        rows.append(order.row(customer))
        return true
      }
      moves += try arrange(order.sorted(rows).map(\.id), in: section.id)
    }
    return moves
  }
}
