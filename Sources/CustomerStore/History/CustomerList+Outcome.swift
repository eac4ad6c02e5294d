internal import SQLite

extension CustomerList {
  /// What a step that was just made changed.
  ///
  /// - Parameters:
  ///   - step: the last step of the history.
  ///   - before: the outline of the list before the step.
  ///   - limit: the most edits to describe; of a step that has more, they are only counted.
  /// - Returns: the outcome, with the rows that are different now.
  /// - Throws: `StoreError`.
  func outcome(of step: HistoryStep, before: Outline, limit: Int) throws -> EditOutcome {
    var outcome = EditOutcome(before: before, after: try outline())
    guard step.editCount <= limit else {
      outcome.omitted = step.editCount
      return outcome
    }
    let changes = try changes(of: step.id)
    var tracker = PlaceTracker()
    for change in changes { tracker.follow(change) }
    let places = tracker.places
    var rows: [CustomerID: EditOutcome.Row] = [:]
    for id in Set(tracker.origins.keys).union(places.keys) {
      guard let customer = try record(id, at: places[id] ?? tracker.origins[id]) else { continue }
      var row = EditOutcome.Row(customer: customer, from: tracker.origins[id], to: places[id])
      row.isMoved = row.from != nil && row.to != nil && row.from != row.to
      rows[id] = row
    }
    for (id, old) in try updatedCustomers(of: step) {
      // A row that came in, or went, has no other changes.
      var row = rows[id] ?? EditOutcome.Row(customer: old, from: tracker.origin(of: old.place), to: old.place)
      guard row.from != nil, let to = row.to, let new = try record(id, at: to) else { continue }
      row.customer = new
      row.fields = new.fields.differences(from: old.fields)
      row.hasOtherRights = (new.canEdit, new.canMove) != (old.canEdit, old.canMove)
      rows[id] = row
    }
    let sections = changes.compactMap(\.section)
    let unique = sections.enumerated().filter { !sections[..<$0.offset].contains($0.element) }
    return EditOutcome(
      rows.values.filter(\.isChanged), sections: unique.map(\.element), before: before, after: outcome.after)
  }

  /// The customers whose fields or rights the step changed, with those that they had before.
  private func updatedCustomers(of step: HistoryStep) throws -> [CustomerID: Customer] {
    var customers: [CustomerID: Customer] = [:]
    let columns = CustomerField.standard.map(\.column) + ["extra", "can_edit", "can_move"]
    try connection.query(
      """
      SELECT row, \(columns.joined(separator: ", ")) FROM history_edit
      WHERE kind = 'update' AND id >= (SELECT first_edit FROM history_step WHERE id = ?) ORDER BY id DESC
      """, [.integer(step.id)]
    ) { row in
      while try row.step() {
        let id = CustomerID(rawValue: row.integer(0))
        // One that the step deleted after the update.
        guard var customer = try customers[id] ?? existing(id) else { continue }
        for (index, field) in CustomerField.standard.enumerated() where !row.isNull(Int32(index + 1)) {
          customer.fields[field] =
            field == .isFavorite ? .flag(row.bool(Int32(index + 1))) : .text(row.text(Int32(index + 1)))
        }
        if !row.isNull(9) { customer.fields.extra = row.text(9) }
        if !row.isNull(10) { customer.canEdit = row.bool(10) }
        if !row.isNull(11) { customer.canMove = row.bool(11) }
        customers[id] = customer
      }
    }
    return customers
  }

  /// A customer as it is recorded, also one that is deleted.
  private func record(_ id: CustomerID, at place: Place?) throws -> Customer? {
    guard let place else { return nil }
    let sql = "SELECT \(Customer.columns) FROM customer_record WHERE id = ?"
    return try connection.fetchOne(sql, [.id(id)]) { Customer($0, place: place) }
  }
}
