/// What was in a list at a version, as far as it has changed since.
package struct ListPast: Sendable {
  /// The sections at the version, in order.
  package let sections: [CustomerSection]
  /// The customers whose fields or protection were changed since, or that were deleted, as they were.
  private let changed: [CustomerID: Customer]
  private let deleted: IDRanges
  private let tracker: PlaceTracker
  private let origins: [CustomerID: CustomerPlace]
  private let touched: IDRanges
  private let untouched: (before: UnmovedRowCount, after: UnmovedRowCount)

  /// Reads the log from an edit on, up to another one.
  fileprivate init(from first: Int64, to last: Int64, in list: borrowing CustomerList) throws {
    var tracker = PlaceTracker()
    var (ids, deleted) = (Set<CustomerID>(), [Range<Int64>]())
    var next = first
    while true {
      let page = try list.changes(from: next, to: last.saturatingAdding(1), limit: 1000)
      for (edit, change) in page {
        tracker.follow(change)
        switch change {
        case .update(let id, _): ids.insert(id)
        case .delete(let id, _): deleted.append(id.rawValue..<id.rawValue + 1)
        case .deleteMany(let first, let count, _):
          deleted.append(first.rawValue..<first.rawValue + Int64(count))
        case .column: ids.formUnion(try list.customers(ofColumnEdit: edit))
        default: break
        }
      }
      guard let last = page.last else { break }
      next = last.edit + 1
    }
    self.tracker = tracker
    self.deleted = IDRanges(joining: deleted)
    origins = tracker.origins
    touched = tracker.touched
    untouched = tracker.untouched(touched)
    // A deleted customer that was added after the version was never in it.
    let gone = origins.keys.filter { [deleted = self.deleted] in deleted.contains($0.rawValue) }
    var past = try PastList(list, following: ids.union(gone), placesOf: [])
    try EditLog(from: first, in: list).forEachBackwards(in: list) { try past.goBack($0, in: list) }
    (sections, changed) = (past.outline.sections, past.customers)
  }

  /// A customer as it was, at its place then; nil if it was not in the list.
  ///
  /// - Parameters:
  ///   - id: the customer.
  ///   - now: the customer as it is; nil if it is not in the list.
  /// - Returns: the customer.
  package func customer(_ id: CustomerID, now: Customer?) -> Customer? {
    guard let then = place(of: id, at: now?.place), var customer = changed[id] ?? now else { return nil }
    customer.place = then
    return customer
  }

  /// The place that a customer had; nil if it was not in the list.
  ///
  /// - Parameters:
  ///   - id: the customer.
  ///   - now: its place before the edits of the transaction; nil if it was not in the list then.
  /// - Returns: the place.
  package func place(of id: CustomerID, at now: CustomerPlace?) -> CustomerPlace? {
    guard let now, !touched.contains(id.rawValue) else { return origins[id] }
    return tracker.origin(of: now)
  }

  /// Whether a customer that was in the list is in another section since or was moved past a row that was not moved
  /// itself.
  package func isMoved(_ id: CustomerID, to now: CustomerPlace) -> Bool {
    guard touched.contains(id.rawValue), let from = origins[id] else { return false }
    return from.section != now.section
      || untouched.before.unmovedRows(before: from) != untouched.after.unmovedRows(before: now)
  }
}

extension CustomerList {
  /// What was in the list at a version, compared with the list before the edits of this transaction.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - last: the last edit before those of this transaction: what it moves or adds is not considered.
  /// - Returns: the past; nil if the history does not reach back to the version or is another one.
  /// - Throws: `StoreError`.
  /// - Complexity: O(edits since the version × rows that they updated).
  package func past(at version: ListVersion, beforeEditsAfter last: Int64) throws -> ListPast? {
    guard let found = try changes(after: version, limit: 1) else { return nil }
    // A list that was never edited is the same in all histories.
    guard version.edit > 0 || found.version.history == version.history else { return nil }
    return try ListPast(from: version.edit + 1, to: last, in: self)
  }
}
