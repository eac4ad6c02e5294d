/// A part of a list that is too long for a snapshot: the sections with their counts, and the ids of the rows
/// around a position in the whole list.
package struct ListWindow: Hashable, Sendable {
  /// The version of the list that the window shows.
  package let version: ListVersion
  /// All sections in order, with the number of their rows.
  package let sections: [CustomerSection]
  /// The position of the first of the rows in the whole list, from 1.
  package let first: Int
  /// The rows from there on, across sections.
  package let rows: [CustomerID]

  package init(version: ListVersion, sections: [CustomerSection], first: Int, rows: [CustomerID]) {
    (self.version, self.sections, self.first, self.rows) = (version, sections, first, rows)
  }

  /// The row at a position (from 1) of the whole list; nil outside the window.
  package subscript(position: Int) -> CustomerID? {
    position >= first && rows.indices.contains(position &- first) ? rows[position - first] : nil
  }
}

extension CustomerList {
  /// The sections and the rows around a position (from 1) in the whole list, and the customers.
  ///
  /// Half of them are above the position. A position outside of the list means the nearest one in it. The outline must
  /// have been read in this transaction.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if one of these rows is missing.
  /// - Complexity: O(size + sections), wherever the position is.
  package func window(
    around position: Int, of outline: ListOutline, size: Int
  ) throws -> (window: ListWindow, customers: [Customer]) {
    let size = max(0, size)
    let start = min(max(position, 1), max(outline.count, 1)) - size / 2
    let first = max(1, start)
    let end = max(first, min(start.saturatingAdding(size), outline.count.saturatingAdding(1)))
    let rows = try customers(at: first..<end, of: outline)
    let window = ListWindow(
      version: try version(), sections: outline.sections, first: first, rows: rows.map(\.id))
    return (window, rows)
  }

  /// The customers whom someone names by their numbers in the whole list (from 1); numbers outside of it are omitted.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if one of them is missing, or if the numbers may be those of others.
  /// - Complexity: O(rows + sections), wherever they are.
  package func customers(numbered positions: Range<Int>, of outline: ListOutline) throws -> [Customer] {
    var found: [Customer] = []
    found.reserveCapacity(min(positions.count, outline.count))
    try forEach(numbered: positions, of: outline) { found.append($0) }
    return found
  }

  /// Passes the same to `body`.
  func forEach(
    numbered positions: Range<Int>, of outline: ListOutline, _ body: (Customer) throws -> Void
  ) throws {
    let positions = positions.clamped(to: 1..<outline.count.saturatingAdding(1))
    try forEach(at: positions, of: outline, reading: .all, areNamed: true, body)
  }

  /// The customers at positions (from 1) in the whole list; positions outside of it are omitted.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if one of them is missing.
  /// - Complexity: O(rows + sections), wherever they are.
  package func customers(at positions: Range<Int>, of outline: ListOutline) throws -> [Customer] {
    try customers(at: positions, of: outline, reading: .all)
  }

  /// The same with some of their fields.
  func customers(
    at positions: Range<Int>, of outline: ListOutline, reading columns: CustomerColumns
  ) throws -> [Customer] {
    let positions = positions.clamped(to: 1..<outline.count.saturatingAdding(1))
    var found: [Customer] = []
    // A damaged list may count more rows than there are.
    found.reserveCapacity(min(positions.count, 1_000_000))
    try forEach(at: positions, of: outline, reading: columns) { found.append($0) }
    return found
  }

  /// Passes the customers at existing positions to `body`; `areNamed` if someone names them by these numbers.
  private func forEach(
    at positions: Range<Int>, of outline: ListOutline, reading columns: CustomerColumns,
    areNamed: Bool = false, _ body: (Customer) throws -> Void
  ) throws {
    if let first = positions.first, let place = outline.place(at: first) {
      if positions.count == 1 {
        guard let customer = try row(at: place, isNamed: areNamed) else { throw try lack() }
        return try body(customer)
      }
      if areNamed { try requireNumber(of: place) }
    }
    var next = positions.lowerBound
    while next < positions.upperBound, let place = outline.place(at: next) {
      let (before, count) = (next, outline.section(place.section)?.count)
      try forEach(from: place.order, in: place.section, count: count, columns) { customer in
        try body(customer)
        next += 1
        return next < positions.upperBound
      }
      guard next > before else { throw try lack() }
    }
  }
}
