internal import CustomersMigrations
internal import CustomersSQLite

extension CustomerList {
  /// Deletes customers; the gaps close.
  ///
  /// - Parameters:
  ///   - customers: the customers.
  ///   - version: the version of the list in which the caller saw them. A customer that
  ///     any program has changed since is not deleted; one that was only moved is.
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `editForbidden`, `contentChanged`, `tooLongAgo`, `otherHistory`;
  ///   none is deleted.
  /// - Complexity: O(customers deleted), independent of the length of the list; and O(edits since `version`).
  public mutating func delete(_ customers: [CustomerID], asSeenAt version: ListVersion? = nil) throws {
    var seen: Set<CustomerID> = []
    for id in customers {
      guard seen.insert(id).inserted else { throw ListError.duplicateID(id) }
    }
    guard customers.count >= ManyRows.fewest else {
      for id in customers { _ = try place(of: id) }
      if let version { try refuseChangedContent(of: customers, since: version) }
      return try atomically { for id in customers { try remove(id) } }
    }
    try atomically {
      try stage(customers.map { ($0, nil) })
      let missing = try stagedRows(where: "c.block IS NULL")
      if let id = customers.first(where: missing.contains) { throw ListError.noSuchCustomer(id) }
      if let version { try refuseChangedContent(of: customers, since: version) }
      let protected = try stagedRows(where: "c.can_edit = 0")
      if let id = customers.first(where: protected.contains) { throw ListError.editForbidden(id) }
      try writeStagedRows()
    }
  }

  func remove(_ id: CustomerID) throws {
    try edit("DELETE FROM customers WHERE id = ?", [.id(id)]) {
      $0 == .protected ? .editForbidden(id) : nil
    }
  }
}
