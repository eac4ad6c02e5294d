/// Checks whether what the caller saw has changed.
extension CustomerList {
  /// Refuses if fields or protection of a customer were changed after a version.
  ///
  /// - Throws: `ListError.contentChanged`, `tooLongAgo`, `otherHistory`.
  func refuseChangedContent(of customers: [CustomerID], since version: ListVersion) throws {
    try refuseChangedContent(since: version, of: Set(customers).contains)
  }

  /// Refuses if fields or protection of one of some customers were changed after a version.
  ///
  /// - Throws: `ListError.contentChanged`, `tooLongAgo`, `otherHistory`.
  func refuseChangedContent(since version: ListVersion, of customers: (CustomerID) -> Bool) throws {
    try forEachChange(after: version) { edit, change in
      switch change {
      case .update(let id, _) where customers(id): throw ListError.contentChanged(id)
      case .column:
        if let id = try self.customers(ofEdit: edit).first(where: customers) {
          throw ListError.contentChanged(id)
        }
      default: break
      }
    }
  }

  /// Refuses if a customer of a section was changed, or came into it, after a version.
  ///
  /// - Throws: `ListError.contentChanged`, `orderChanged`, `tooLongAgo`, `otherHistory`.
  package func refuseChangedSection(_ section: SectionID, since version: ListVersion) throws {
    var rows: Set<CustomerID> = []
    try forEach(in: section) { rows.insert($0.id).inserted }
    try refuseChangedContent(since: version, of: rows.contains)
    try forEachChange(after: version) { _, change in
      switch change {
      case .insert(let id, let place), .insertMany(let id, _, let place):
        if place.section == section, rows.contains(id) { throw ListError.orderChanged(id) }
      case .move(let id, let from, let to) where from.section != to.section && to.section == section:
        if rows.contains(id) { throw ListError.orderChanged(id) }
      default: break
      }
    }
  }

  /// Refuses if the place of a customer among its neighbors was changed after a version.
  ///
  /// That is the case if it moved to another section or past a row that was not moved itself. Rows that were
  /// added, deleted, or moved around it do not count.
  ///
  /// - Throws: `ListError.orderChanged`, `tooLongAgo`, `otherHistory`.
  func refuseChangedOrder(of customers: [CustomerID], since version: ListVersion) throws {
    var tracker = PlaceTracker()
    try forEachChange(after: version) { tracker.follow($1) }
    let touched = tracker.touched
    guard customers.contains(where: { touched.contains($0.rawValue) }) else { return }
    let (origins, places, untouched) = (tracker.origins, tracker.places, tracker.untouched(touched))
    for id in customers where touched.contains(id.rawValue) {
      guard let from = origins[id], let to = places[id], from.section == to.section,
        untouched.before.unmovedRows(before: from) == untouched.after.unmovedRows(before: to)
      else { throw ListError.orderChanged(id) }
    }
  }

  /// Refuses if the list has another history than in a version: then its ids may be those of other customers.
  ///
  /// - Throws: `ListError.otherHistory`.
  package func refuseOtherHistory(than version: ListVersion) throws {
    guard try version.isOf(historyID()) else { throw ListError.otherHistory }
  }

  private func forEachChange(
    after version: ListVersion, _ body: (_ edit: Int64, ListChange) throws -> Void
  ) throws {
    try refuseOtherHistory(than: version)
    var known = version
    while true {
      guard let page = try numberedChanges(after: known) else {
        throw ListError.tooLongAgo(edit: version.edit)
      }
      for (edit, change) in page.changes { try body(edit, change) }
      guard page.version != known else { return }
      known = page.version
    }
  }
}
