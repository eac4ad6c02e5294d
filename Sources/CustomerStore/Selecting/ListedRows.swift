/// Customers to list or to export: which ones and in which order.
package struct ListedRows: Sendable {
  /// The order of the rows.
  package enum Order: Sendable {
    /// That of the list or from its end.
    case list, reversed
    /// By their fields.
    case sorted(SortOrder)
  }

  /// The rows, unless they are named.
  package var filter: RowFilter
  /// Rows that were named one by one, in this order.
  package var named: [Customer]?
  /// The order of the rows of a filter.
  package var order = Order.list
  /// How many of the first rows are left out.
  package var offset = 0
  /// How many rows there are at most.
  package var limit = Int.max

  /// The rows of a filter, in the order of the list.
  package init(_ filter: RowFilter = RowFilter()) { self.filter = filter }

  /// Named rows.
  package init(_ customers: [Customer]) { (filter, named) = (RowFilter(), customers) }

  /// Whether they are all rows in the list, or of a section, in order.
  package var areWhole: Bool {
    guard case .list = order else { return false }
    return named == nil && filter.takesAll && offset == 0 && limit == .max
  }
}

extension CustomerList {
  /// Passes rows to functions, in the order of the list under their sections.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - header: begins a section.
  ///   - row: takes a row.
  ///   - footer: ends a section.
  /// - Returns: the number of rows.
  /// - Throws: `ListError.incomplete` or `damaged` as soon as a row is missing, `StoreError`, or what the functions
  ///   throw.
  /// - Complexity: O(rows up to the last one); memory for one, or for all if the list has another order.
  package func forEach(
    _ rows: ListedRows, header: (CustomerSection) throws -> Void = { _ in },
    row: (Customer) throws -> Void, footer: (CustomerSection) throws -> Void = { _ in }
  ) throws -> Int {
    switch (rows.named, rows.order) {
    case (let named?, _): try forEach(of: named, rows, row)
    case (nil, .list) where rows.filter.takesAll: try forEachInOrder(rows, header, row, footer)
    case (nil, .list): try forEachMatch(rows, header, row, footer)
    case (nil, .reversed): try forEach(of: customers(matching: rows.filter).reversed(), rows, row)
    case (nil, .sorted(let order)): try forEach(of: order.sorted(customers(matching: rows.filter)), rows, row)
    }
  }

  /// The number of rows.
  package func count(_ rows: ListedRows) throws -> Int {
    let count = try rows.named?.count ?? count(matching: rows.filter)
    return max(0, min(count - min(rows.offset, count), rows.limit))
  }

  private func forEach(
    of customers: some Sequence<Customer>, _ rows: ListedRows, _ row: (Customer) throws -> Void
  ) throws -> Int {
    let shown = Array(customers.dropFirst(rows.offset).prefix(rows.limit))
    for customer in shown { try row(customer) }
    return shown.count
  }

  private func forEachInOrder(
    _ rows: ListedRows, _ header: (CustomerSection) throws -> Void, _ row: (Customer) throws -> Void,
    _ footer: (CustomerSection) throws -> Void
  ) throws -> Int {
    var skip = rows.offset
    var count = 0
    for section in try wholeSections() where section.id == rows.filter.section ?? section.id {
      guard count < rows.limit else { break }
      // Skipped rows need not be read.
      let first = min(skip, section.count)
      skip -= first
      guard first < section.count || first == 0 else { continue }
      try header(section)
      try forEach(from: first + 1, in: section.id, count: section.count) { customer in
        try row(customer)
        count += 1
        return count < rows.limit
      }
      try footer(section)
    }
    return count
  }

  /// The rows that match, under the sections that have some.
  private func forEachMatch(
    _ rows: ListedRows, _ header: (CustomerSection) throws -> Void, _ row: (Customer) throws -> Void,
    _ footer: (CustomerSection) throws -> Void
  ) throws -> Int {
    guard rows.limit > 0 else { return 0 }
    let outline = try outline()
    var skip = rows.offset
    var count = 0
    var open: CustomerSection?
    try forEach(matching: rows.filter) { customer in
      if skip > 0 {
        skip -= 1
        return true
      }
      if customer.place.section != open?.id {
        if let open { try footer(open) }
        open = outline.section(customer.place.section)
        if let open { try header(open) }
      }
      try row(customer)
      count += 1
      return count < rows.limit
    }
    if let open { try footer(open) }
    return count
  }
}
