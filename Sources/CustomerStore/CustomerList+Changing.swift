internal import SQLite

extension CustomerList {
  /// Changes fields of a customer; those that `change` leaves alone are not written.
  ///
  /// - Returns: the customer afterwards.
  /// - Throws: `ListError.noSuchCustomer`, `editForbidden`, or what `change` throws.
  @discardableResult
  public mutating func update(
    _ id: CustomerID, _ change: (inout CustomerFields) throws -> Void
  ) throws -> Customer {
    var customer = try customer(id)
    let before = customer.fields.values
    try change(&customer.fields)
    let columns = CustomerFields.columns.split(separator: ", ")
    let changed = zip(columns, zip(before, customer.fields.values)).filter { $1.0 != $1.1 }
    guard !changed.isEmpty else { return customer }
    let assignments = changed.map { "\($0.0) = ?" }.joined(separator: ", ")
    try edit(
      "UPDATE customers SET \(assignments) WHERE id = ?", changed.map(\.1.1) + [.id(id)]
    ) { $0 == .protected ? .editForbidden(id) : nil }
    return customer
  }

  /// Forbids or allows to change and delete, or to move, a customer; nil leaves a right as it is.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  public mutating func protect(_ id: CustomerID, canEdit: Bool? = nil, canMove: Bool? = nil) throws {
    let customer = try customer(id)
    try edit(
      "UPDATE customers SET can_edit = ?, can_move = ? WHERE id = ?",
      [.flag(canEdit ?? customer.canEdit), .flag(canMove ?? customer.canMove), .id(id)]
    ) { _ in nil }
  }

  /// Deletes customers; the gaps close.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `namedTwice`, `editForbidden`; then none is deleted.
  /// - Complexity: O(customers deleted), independent of the length of the list.
  public mutating func delete(_ customers: [CustomerID]) throws {
    var seen: Set<CustomerID> = []
    for id in customers {
      guard seen.insert(id).inserted else { throw ListError.namedTwice(id) }
      _ = try place(of: id)
    }
    try asOneEdit {
      for id in customers {
        try edit("DELETE FROM customers WHERE id = ?", [.id(id)]) {
          $0 == .protected ? .editForbidden(id) : nil
        }
      }
    }
  }

  /// Puts exactly these customers, which must be those of the section, in this order.
  ///
  /// - Returns: the rows that have another place now.
  /// - Throws: `ListError.arrangementDiffers`, `namedTwice`, `noSuchSection`; `moveForbidden` if a
  ///   customer that must not be moved would get another place.
  /// - Complexity: O(rows of the section), written once.
  @discardableResult
  public mutating func arrange(_ customers: [CustomerID], in section: SectionID) throws -> [Move] {
    let present = try arrangement(of: section)
    var places: [CustomerID: Int] = [:]
    for (index, id) in customers.enumerated() {
      guard places.updateValue(index + 1, forKey: id) == nil else { throw ListError.namedTwice(id) }
    }
    let unknown = customers.filter { present[$0] == nil }
    let missing = present.keys.filter { places[$0] == nil }.sorted()
    guard unknown.isEmpty, missing.isEmpty else {
      throw ListError.arrangementDiffers(missing: missing, unknown: unknown)
    }
    var moves: [Move] = []
    for id in customers {
      guard let before = present[id], let after = places[id], before.order != after else { continue }
      guard before.canMove else { throw ListError.moveForbidden(id) }
      moves.append(
        Move(
          id: id, from: Place(section: section, order: before.order),
          to: Place(section: section, order: after)))
    }
    guard !moves.isEmpty else { return [] }
    try asOneEdit {
      try stage(customers)
      try edit("INSERT INTO arrange_rows VALUES (?)", [.id(section)]) { _ in nil }
    }
    return moves
  }

  private func arrangement(of section: SectionID) throws -> [CustomerID: (order: Int, canMove: Bool)] {
    _ = try self.section(section)
    var found: [CustomerID: (order: Int, canMove: Bool)] = [:]
    try forEach(in: section) { customer in
      found[customer.id] = (customer.place.order, customer.canMove)
      return true
    }
    return found
  }
}
