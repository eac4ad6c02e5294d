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
    let runs = try runs(of: customers)
    if let version { try refuseChangedContent(of: customers, since: version) }
    try atomically {
      if let runs {
        for run in runs { try remove(run) }
      } else {
        for id in customers { try remove(id) }
      }
    }
  }

  /// Deletes a customer, like `delete` of several.
  public mutating func delete(_ customer: CustomerID, asSeenAt version: ListVersion? = nil) throws {
    try delete([customer], asSeenAt: version)
  }

  func remove(_ id: CustomerID) throws {
    try edit("DELETE FROM customers WHERE id = ?", [.id(id)]) {
      $0 == .protected ? .editForbidden(id) : nil
    }
  }
}

/// Consecutive rows with consecutive ids, as an import leaves them.
struct RowRun {
  var first: CustomerID
  var count: Int
  /// The place of the first.
  var place: CustomerPlace

  /// Whether a row is the next one.
  fileprivate func isFollowed(by id: CustomerID, at other: CustomerPlace) -> Bool {
    id.rawValue == first.rawValue &+ Int64(count) && other.section == place.section
      && other.order == place.order + count
  }
}

/// Deletes many rows with one statement per run.
extension CustomerList {
  /// Shorter runs are deleted row by row.
  private static let shortestRun = 100

  /// The rows as runs, from the last of the list to the first; nil if deleting them one by one is faster.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func runs(of customers: [CustomerID]) throws -> [RowRun]? {
    guard customers.count >= Self.shortestRun else {
      for id in customers { _ = try place(of: id) }
      return nil
    }
    let rows = try places(of: customers)
    let most = try connection.fetchOne("SELECT 8 * chapter_rows FROM filled") { $0.int(0) } ?? 1
    var runs: [RowRun] = []
    for (id, place) in rows {
      if let last = runs.last, last.count < most, last.isFollowed(by: id, at: place) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(RowRun(first: id, count: 1, place: place))
      }
    }
    return runs.count * 2 > customers.count ? nil : runs.reversed()
  }

  /// The customers with their places, in list order.
  private func places(of customers: [CustomerID]) throws -> [(id: CustomerID, place: CustomerPlace)] {
    let sections = try sections()
    // Reading all ids takes less time than looking up many.
    guard try customers.count > count() / 100 else {
      let ranks = Dictionary(sections.enumerated().map { ($1.id, $0) }) { first, _ in first }
      return try customers.map { (id: $0, place: try place(of: $0)) }.sorted { one, other in
        (ranks[one.place.section] ?? 0, one.place.order) < (
          ranks[other.place.section] ?? 0, other.place.order
        )
      }
    }
    let wanted = Set(customers)
    var found: [(id: CustomerID, place: CustomerPlace)] = []
    for section in sections {
      for (index, id) in try ids(in: section.id).enumerated() where wanted.contains(id) {
        found.append((id, CustomerPlace(section: section.id, order: index + 1)))
      }
    }
    if found.count < customers.count { for id in customers { _ = try place(of: id) } }
    return found
  }

  /// Deletes the rows of a run.
  func remove(_ run: RowRun) throws {
    guard run.count > 1 else { return try remove(run.first) }
    let protected = try connection.fetchOne(
      "SELECT id FROM customer_record WHERE id BETWEEN ?1 AND ?1 + ?2 - 1 AND can_edit = 0 ORDER BY id",
      [.id(run.first), .integer(run.count)]
    ) { CustomerID(rawValue: $0.integer(0)) }
    if let protected { throw ListError.editForbidden(protected) }
    try edit(
      "INSERT INTO logged_delete_rows VALUES (?, ?, ?, ?)",
      [.id(run.first), .integer(run.count), .id(run.place.section), .integer(run.place.order)]
    ) { _ in nil }
  }
}
