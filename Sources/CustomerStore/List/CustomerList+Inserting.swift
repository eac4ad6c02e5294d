internal import CustomersSQLite

extension CustomerList {
  /// Inserts a customer; the rows from its place on shift down.
  ///
  /// - Parameters:
  ///   - fields: the fields of the customer.
  ///   - destination: the place it has after the edit; by default the end of the section.
  ///   - section: the section or nil for the first one. It is ignored for `before` and `after`, which use
  ///     that customer's section.
  /// - Returns: the customer, with its id and place.
  /// - Throws: `ListError.placeOutOfRange`, `noSuchSection`, `noSections`, `noSuchCustomer` (for `before` and
  ///   `after`).
  /// - Complexity: independent of the length of the list.
  @discardableResult
  public mutating func insert(
    _ fields: CustomerFields, at destination: Destination = .last, in section: SectionID? = nil
  ) throws -> Customer {
    let place = try opening(destination, in: section)
    let id = try insertRow(fields, at: place)
    return Customer(id: id, place: place, fields: fields, canEdit: true, canMove: true)
  }

  func insertRow(_ fields: CustomerFields, at place: CustomerPlace) throws -> CustomerID {
    let id = CustomerID(rawValue: try nextID(in: "customer_record"))
    let values = fields.values
    try edit(
      """
      INSERT INTO customers (id, section, "order", \(CustomerFields.columns))
      VALUES (?, ?, ?\(String(repeating: ", ?", count: values.count)))
      """, [.id(id), .id(place.section), .integer(place.order)] + values
    ) { _ in nil }
    return id
  }

  /// Stages customers, in order, for the procedures in `Migrations` that place many rows at once.
  func stage(_ customers: [CustomerID]) throws {
    var number = 0
    _ = try connection.executeMany("INSERT INTO staged VALUES (?, ?)") { statement in
      guard number < customers.count else { return false }
      try statement.bind(Int64(number + 1), at: 1)
      try statement.bind(customers[number].rawValue, at: 2)
      number += 1
      return true
    }
  }

  /// The place for a new row.
  func opening(_ destination: Destination, in section: SectionID?) throws -> CustomerPlace {
    switch destination {
    case .before(let id): return try place(of: id)
    case .after(let id):
      let place = try place(of: id)
      return CustomerPlace(section: place.section, order: place.order + 1)
    case .first, .last, .place:
      let section = try self.section(section)
      let order = try destination.order(1...section.count + 1)
      return CustomerPlace(section: section.id, order: order)
    }
  }

  /// The section, by default the first one.
  func section(_ id: SectionID?) throws -> CustomerSection {
    if let id { return try section(id) }
    let sql = #"SELECT id, title, footer, "order", count FROM sections WHERE "order" = 1"#
    guard let first = try connection.fetchOne(sql, [], { CustomerSection($0) }) else {
      throw ListError.noSections
    }
    return first
  }
}

extension Destination {
  /// The place for `first`, `last`, or a number, within the allowed range.
  func order(_ allowed: ClosedRange<Int>) throws -> Int {
    switch self {
    case .first: return allowed.lowerBound
    case .last: return allowed.upperBound
    case .place(let order) where allowed.contains(order): return order
    case .place(let order):
      throw ListError.placeOutOfRange(
        asked: order, allowed: allowed.lowerBound..<allowed.upperBound + 1)
    case .before, .after: preconditionFailure("a place beside a customer has no number of its own")
    }
  }
}
