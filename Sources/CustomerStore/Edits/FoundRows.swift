/// What was read to find the rows of an edit, in the same transaction and before any edit in it.
package struct FoundRows: Sendable {
  package let outline: ListOutline
  /// The customers that were named.
  package var customers: [CustomerID: Customer] = [:]
}

extension CustomerList {
  /// The customer with an id, read only if it was not found already.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func customer(_ id: CustomerID, _ found: FoundRows?) throws -> Customer {
    try found?.customers[id] ?? customer(id)
  }

  /// The same, with its place and section.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func row(_ id: CustomerID, _ found: FoundRows?) throws -> MovingRow {
    guard let place = found?.customers[id]?.place, let section = found?.outline.section(place.section) else {
      return try row(id)
    }
    return MovingRow(id: id, place: place, section: section)
  }
}
