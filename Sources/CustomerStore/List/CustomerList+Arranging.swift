internal import CustomersSQLite

extension CustomerList {
  /// Puts the customers of a section in this order; it must name exactly those customers.
  ///
  /// - Returns: the rows whose place changed.
  /// - Throws: `ListError.arrangementDiffers`, `duplicateID`, `noSuchSection`; `moveForbidden` if a customer
  ///   that must not be moved would change its place.
  /// - Complexity: O(rows of the section), written once.
  @discardableResult
  public mutating func arrange(_ customers: [CustomerID], in section: SectionID) throws -> [CustomerMove] {
    let moves = try moves(arranging: customers, in: section)
    if !moves.isEmpty { try write(customers, in: section) }
    return moves
  }

  /// The rows whose place an arrangement changes, after checking that it is allowed.
  ///
  /// - Throws: the same errors as `arrange`.
  func moves(arranging customers: [CustomerID], in section: SectionID) throws -> [CustomerMove] {
    let present = try arrangement(of: section)
    var places: [CustomerID: Int] = [:]
    for (index, id) in customers.enumerated() {
      guard places.updateValue(index + 1, forKey: id) == nil else { throw ListError.duplicateID(id) }
    }
    let unknown = customers.filter { present[$0] == nil }
    let missing = present.keys.filter { places[$0] == nil }.sorted()
    guard unknown.isEmpty, missing.isEmpty else {
      throw ListError.arrangementDiffers(missing: missing, unknown: unknown)
    }
    var moves: [CustomerMove] = []
    for id in customers {
      guard let before = present[id], let after = places[id], before.order != after else { continue }
      guard before.canMove else { throw ListError.moveForbidden(id) }
      moves.append(
        CustomerMove(
          id: id, from: CustomerPlace(section: section, order: before.order),
          to: CustomerPlace(section: section, order: after)))
    }
    return moves
  }

  /// Writes the order of all customers of a section.
  func write(_ order: [CustomerID], in section: SectionID) throws {
    try atomically {
      try stage(order)
      try edit("INSERT INTO logged_arrange VALUES (?)", [.id(section)]) { _ in nil }
    }
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
