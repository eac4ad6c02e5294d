package import CustomerStore

/// Calls that tests make of a list, in fewer words than programs need.
extension CustomerList {
  /// Deletes a customer, like `delete` of several.
  package mutating func delete(_ customer: CustomerID, asSeenAt version: ListVersion? = nil) throws {
    try delete([customer], asSeenAt: version)
  }

  /// Moves a customer, like `move` of several.
  @discardableResult
  package mutating func move(
    _ customer: CustomerID, to destination: Destination, in section: SectionID? = nil,
    asSeenAt version: ListVersion? = nil
  ) throws -> CustomerMove {
    try move([customer], to: destination, in: section, asSeenAt: version)[0]
  }

  /// Moves customers up (negative) or down, as `apply` does.
  package mutating func move(_ customers: [CustomerID], by distance: Int) throws {
    try apply(.moveBy(customers, distance))
  }

  /// Sorts a section, or each section, as `apply` does.
  package mutating func sort(by order: SortOrder, in section: SectionID? = nil) throws {
    try apply(.sort(order, in: section))
  }

  /// Adds a line to the log of a customer, as `apply` does.
  @discardableResult
  package mutating func addLine(_ text: String, to id: CustomerID) throws -> LogLine {
    let known = Set(try log(of: id).map(\.id))
    try apply(.log([id], text))
    guard let line = try log(of: id).first(where: { !known.contains($0.id) }) else {
      throw ListError.noSuchLine
    }
    return line
  }

  /// Inserts customers one after another.
  ///
  /// - Returns: the number of customers.
  @discardableResult
  package mutating func insert(
    contentsOf customers: some Sequence<CustomerFields>, at destination: Destination = .last,
    in section: SectionID? = nil
  ) throws -> Int {
    var rest = customers.makeIterator()
    return try insert(at: destination, in: section) { rest.next() }
  }

  /// The first customer of a section or nil.
  package func first(in section: SectionID) throws -> Customer? {
    try page(from: 1, limit: 1, in: section).first
  }

  /// The rows around a position (from 1) in the whole list, and the customers.
  package func window(
    around position: Int, size: Int = 400
  ) throws -> (window: ListWindow, customers: [Customer]) {
    try window(around: position, of: outline(), size: size)
  }
}

extension SortOrder {
  /// Customers, each of them once, in this order; equal ones keep theirs.
  package func sorted(_ customers: [Customer]) -> [Customer] {
    var values = SortedValues(self)
    for customer in customers { values.append(customer) }
    let known = Dictionary(uniqueKeysWithValues: customers.map { ($0.id, $0) })
    return values.sorted().compactMap { known[$0] }
  }
}

extension TextSearch {
  /// The fields in which a word occurs, in display order.
  package func matchingFields(of customer: Customer) -> [CustomerField] {
    matchingTexts(of: customer).map(\.field).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}

extension TypedSearch {
  /// Takes another string and reads until there are enough matches.
  ///
  /// - Returns: as many of them, in the order of the list.
  @discardableResult
  package mutating func find(
    _ text: String, limit: Int = 50, in list: borrowing CustomerList
  ) throws -> [Customer] {
    let isSame = try isUpToDate(list)
    let rows = try list.count()
    type(text, rows: rows)
    if !isSame { restart(rows: rows) }
    while hits.count < limit, let scan = next { take(try scan.run(list)) }
    let first = hits.ids(0..<min(limit, hits.count))
    let found = try list.customers(first)
    return first.compactMap { found[$0] }
  }

  /// Searches the next few thousand rows; all again if the list has changed.
  package mutating func readOn(in list: borrowing CustomerList) throws {
    if try !isUpToDate(list) { restart(rows: try list.count()) }
    if let scan = next { take(try scan.run(list)) }
  }

  /// Whether the list has not changed since rows were read.
  private func isUpToDate(_ list: borrowing CustomerList) throws -> Bool {
    try version == nil || version == list.version()
  }
}
