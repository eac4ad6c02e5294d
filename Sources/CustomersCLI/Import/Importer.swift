internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText

/// Imports the customers of a file into the list.
struct Importer {
  /// The numbers of customers by outcome.
  struct Counts {
    var added = 0
    var updated = 0
    var skipped = 0
  }

  private let rows: ImportRows
  private let options: ImportOptions
  private var goals: ImportGoals
  private var duplicates: Duplicates?
  private var counts = Counts()

  /// Imports all rows at the placement; without one, to the sections named in the file.
  init(
    _ rows: ImportRows, _ options: ImportOptions, to target: Placement.Target?,
    in list: borrowing CustomerList
  ) throws {
    self.rows = rows
    self.options = options
    goals = try ImportGoals(target, in: list)
    duplicates =
      options.onDuplicate == .add
      ? nil : try Duplicates(by: CustomerField(recognizing: options.key, in: rows), in: list)
  }

  /// Imports the whole file.
  ///
  /// - Throws: whatever ends the import; the transaction must be rolled back.
  mutating func run(on list: inout CustomerList) throws -> Counts {
    while let row = try rows.peek() {
      if let match = duplicates?.match(row) {
        rows.advance()
        try take(row, knownAs: match, in: &list)
      } else {
        try insertRun(from: row, into: &list)
      }
    }
    return counts
  }

  /// Inserts the customer, and those that follow it in the file to the same section.
  private mutating func insertRun(from row: ImportRows.Row, into list: inout CustomerList) throws {
    let title = row.customer.section
    let goal = try goals.goal(title, in: &list)
    let first = try list.largestID() + 1
    var inserted = 0
    try list.insertCustomers(at: goal.destination, in: goal.section) {
      guard let row = try rows.peek(), row.customer.section == title, duplicates?.match(row) == nil
      else { return nil }
      rows.advance()
      let customer = row.customer
      duplicates?.add(customer.fields, CustomerID(rawValue: first + Int64(inserted)))
      inserted += 1
      return NewCustomer(customer.fields, canEdit: customer.canEdit, canMove: customer.canMove)
    }
    counts.added += inserted
    goals.advance(after: CustomerID(rawValue: first + Int64(inserted) - 1))
  }

  /// Updates a customer of the list from the file.
  private mutating func take(
    _ row: ImportRows.Row, knownAs match: Duplicates.Match, in list: inout CustomerList
  ) throws {
    guard options.onDuplicate == .update else {
      counts.skipped += 1
      return
    }
    guard let id = match.id else {
      let column = match.field.column
      throw Failure.notFound(
        "\(rows.place(of: row)): several customers of the list have the \(column) \(quoted(match.value))",
        hint: "nothing was imported; --key names another column, or merge them: customers duplicates")
    }
    let before = try list.customer(id)
    let after = try ImportedCustomer(row.record, row.plan, null: options.null, onto: before)
    do {
      try list.update(id) { $0 = after.fields }
    } catch ListError.editForbidden {
      throw Failure(
        code: .refused,
        message: "\(rows.place(of: row)): \(quoted(before.name)) (@\(id.rawValue)) is protected",
        hint: "nothing was imported; to allow it: customers protect @\(id.rawValue) --allow-edit")
    }
    let keepsRights = before.canEdit == after.canEdit && before.canMove == after.canMove
    if !keepsRights { try list.protect(id, canEdit: after.canEdit, canMove: after.canMove) }
    duplicates?.add(after.fields, id)
    if keepsRights && before.fields == after.fields { counts.skipped += 1 } else { counts.updated += 1 }
  }
}
