internal import CustomersSQLite

extension CustomerList {
  /// Deletes customers; the gaps close.
  ///
  /// - Parameters:
  ///   - customers: the customers.
  ///   - edit: the number of the edit at which the caller saw them: `lastEdit` of that list. A customer that
  ///     any program has changed since is not deleted; one that was only moved is.
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `editForbidden`, `contentChanged`, `tooLongAgo`;
  ///   none is deleted.
  /// - Complexity: O(customers deleted), independent of the length of the list; and O(edits since `edit`).
  public mutating func delete(_ customers: [CustomerID], asSeenAt edit: Int64? = nil) throws {
    var seen: Set<CustomerID> = []
    for id in customers {
      guard seen.insert(id).inserted else { throw ListError.duplicateID(id) }
    }
    let runs = try runs(of: customers)
    if let edit { try refuseChangedContent(of: customers, since: edit) }
    try atomically {
      if let runs {
        for run in runs { try remove(run) }
      } else {
        for id in customers { try remove(id) }
      }
    }
  }

  /// Deletes a customer, like `delete` of several.
  public mutating func delete(_ customer: CustomerID, asSeenAt edit: Int64? = nil) throws {
    try delete([customer], asSeenAt: edit)
  }

  func remove(_ id: CustomerID) throws {
    try edit("DELETE FROM customers WHERE id = ?", [.id(id)]) {
      $0 == .protected ? .editForbidden(id) : nil
    }
  }
}
