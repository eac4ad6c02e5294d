internal import SQLite

extension CustomerList {
  /// Deletes customers; the gaps close.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `editForbidden`; then none is deleted.
  /// - Complexity: O(customers deleted), independent of the length of the list.
  public mutating func delete(_ customers: [CustomerID]) throws {
    var seen: Set<CustomerID> = []
    for id in customers {
      guard seen.insert(id).inserted else { throw ListError.duplicateID(id) }
      _ = try place(of: id)
    }
    try atomically {
      for id in customers { try remove(id) }
    }
  }

  func remove(_ id: CustomerID) throws {
    try edit("DELETE FROM customers WHERE id = ?", [.id(id)]) {
      $0 == .protected ? .editForbidden(id) : nil
    }
  }
}
