/// What was read to find the rows of an edit, in the same transaction and before any edit in it.
package struct FoundRows: Sendable {
  package let outline: ListOutline
  /// The customers that were named.
  package var customers: [CustomerID: Customer] = [:]

  func hasAll(_ ids: [CustomerID]) -> Bool { ids.allSatisfy { customers[$0] != nil } }
}

extension CustomerList {
  /// The customer with an id, read only if it was not found already.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func customer(_ id: CustomerID, _ found: FoundRows) throws -> Customer {
    try found.customers[id] ?? customer(id)
  }
}
