/// Checks whether what the caller saw has changed.
extension CustomerList {
  /// Refuses if fields or rights of a customer were changed after an edit.
  ///
  /// - Throws: `ListError.contentChanged`, `tooLongAgo`.
  func refuseChangedContent(of customers: [CustomerID], since edit: Int64) throws {
    try refuseChangedContent(since: edit, of: Set(customers).contains)
  }

  /// Refuses if fields or rights of one of some customers were changed after an edit.
  ///
  /// - Throws: `ListError.contentChanged`, `tooLongAgo`.
  func refuseChangedContent(since edit: Int64, of customers: (CustomerID) -> Bool) throws {
    try forEachChange(after: edit) { change in
      if case .update(let id, _) = change, customers(id) { throw ListError.contentChanged(id) }
    }
  }

  /// Refuses if the place of a customer among its neighbors was changed after an edit.
  ///
  /// That is the case if it moved to another section, or past a row that was not moved itself. Rows that were
  /// added, deleted or moved around it do not count.
  ///
  /// - Throws: `ListError.orderChanged`, `tooLongAgo`.
  func refuseChangedOrder(of customers: [CustomerID], since edit: Int64) throws {
    var tracker = PlaceTracker()
    try forEachChange(after: edit) { tracker.follow($0) }
    let touched = tracker.touched
    guard customers.contains(where: { touched.contains($0.rawValue) }) else { return }
    let (origins, places, untouched) = (tracker.origins, tracker.places, tracker.untouched(touched))
    for id in customers where touched.contains(id.rawValue) {
      guard let from = origins[id], let to = places[id], from.section == to.section,
        untouched.before.stayers(before: from) == untouched.after.stayers(before: to)
      else { throw ListError.orderChanged(id) }
    }
  }

  private func forEachChange(after edit: Int64, _ body: (ListChange) throws -> Void) throws {
    var known = edit
    while true {
      guard let page = try changes(after: known) else { throw ListError.tooLongAgo(edit: edit) }
      for change in page.changes { try body(change) }
      guard page.lastEdit > known else { return }
      known = page.lastEdit
    }
  }
}
