internal import CustomersSQLite

extension RowCondition {
  /// The one rule of who is due: whose next date is `today` or earlier, and who has neither a date nor a line of log.
  ///
  /// What another program wrote and is no date counts as none.
  static func due(on today: CalendarDay) -> RowCondition {
    RowCondition(
      sql: """
        CASE WHEN next <> '' AND date(next, '+0 days') IS next THEN next <= ? ELSE NOT EXISTS (
          SELECT 1 FROM line_record AS line WHERE line.customer = customer_record.id AND line.deleted_by IS NULL) END
        """, values: [.text(today.description)])
  }
}

extension CustomerList {
  /// Whether a customer is due.
  private func isDue(_ id: CustomerID, on today: CalendarDay) throws -> Bool {
    let due = RowCondition.due(on: today)
    return try connection.fetchOne(
      "SELECT \(due.sql) FROM customer_record WHERE id = ?", due.values + [.id(id)]
    ) { $0.bool(0) } ?? false
  }

  /// The number of customers that are due.
  ///
  /// - Complexity: O(rows).
  func countDue(on today: CalendarDay) throws -> Int {
    try requireRows()
    try requireLineIndex()
    let due = RowCondition.due(on: today)
    let sql = "SELECT count(*) FROM customer_record WHERE deleted_by IS NULL AND \(due.sql)"
    return try connection.fetchOne(sql, due.values) { $0.int(0) } ?? 0
  }

  /// The first customer in list order that is due, of those that match a filter, and the values that it could not compare.
  ///
  /// - Complexity: O(rows above it) near the top, otherwise O(rows).
  package func firstDue(
    on today: CalendarDay, matching filter: RowFilter
  ) throws -> (customer: Customer?, skipped: SkippedValues) {
    try requireLineIndex()
    let near = try dueNearTop(today, filter)
    guard near.customer == nil, near.hasMore else { return (near.customer, near.skipped) }
    var filter = filter
    filter.due = today
    let skipped = SkippedValues()
    return (try customers(matching: filter, limit: 1, noting: skipped).first, skipped)
  }

  /// How many rows `firstDue` reads at most.
  package func rowsRead(toFirstDueOn today: CalendarDay, matching filter: RowFilter) throws -> Int {
    let near = try dueNearTop(today, filter)
    return near.customer == nil && near.hasMore ? try count() : 0
  }

  /// The first customer that is due, if it is one of the first rows; any other search begins with a look at all of them.
  private func dueNearTop(
    _ today: CalendarDay, _ filter: RowFilter
  ) throws -> (customer: Customer?, hasMore: Bool, skipped: SkippedValues) {
    let most = 256
    var (found, seen) = (Customer?.none, 0)
    let skipped = SkippedValues()
    for section in try wholeSections() where section.id == filter.section ?? section.id {
      guard found == nil, seen < most else { break }
      try forEach(in: section.id, count: section.count) { customer in
        seen += 1
        if filter.matches(customer, noting: skipped), try isDue(customer.id, on: today) { found = customer }
        return found == nil && seen < most
      }
    }
    return (found, seen == most, skipped)
  }
}
