internal import CustomersSQLite

extension CustomerList {
  /// The log of a customer, the latest line first.
  ///
  /// - Parameters:
  ///   - id: the customer.
  ///   - limit: the maximum number of lines.
  /// - Returns: the lines; none if the customer is not in the list.
  /// - Throws: `ListError.damaged` if a line of the customer is lost; `StoreError`.
  /// - Complexity: O(lines), whatever the length of the list.
  package func log(of id: CustomerID, limit: Int = .max) throws -> [LogLine] {
    // One statement, because over a network each is a round trip. What it says of a lost line comes before all lines.
    let sql = """
      SELECT \(LogLine.columns) FROM log_lines WHERE customer = ?1
      UNION ALL SELECT 0, 0, '~', '', ''
      WHERE EXISTS (SELECT 1 FROM line_record WHERE customer = ?1 AND \(Self.isLostLine))
      ORDER BY 3 DESC, 1 DESC LIMIT ?2
      """
    return try connection.fetchAll(sql, [.id(id), .integer(max(0, limit))]) { row in
      guard row.integer(1) != 0 else { throw ListError.damaged }
      return LogLine(row)
    }
  }

  /// Whether a line is marked as deleted, but no edit deleted it, as SQL: no one would see that it is missing.
  private static let isLostLine = """
    deleted_by IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM edit_record WHERE id = deleted_by AND kind = 'line delete' AND row = uid)
    """

  /// Verifies that no line is lost, for those who read the logs of all.
  ///
  /// - Throws: `ListError.damaged`.
  /// - Complexity: O(lines).
  func requireLines() throws {
    try requireLineIndex()
    let sql = """
      SELECT 1 FROM line_record WHERE \(Self.isLostLine) OR customer NOT IN (SELECT id FROM customer_record) LIMIT 1
      """
    if try connection.fetchOne(sql, [], { _ in true }) != nil { throw ListError.damaged }
  }

  /// Verifies that the index by which the lines of a customer are found has all of them.
  ///
  /// - Throws: `ListError.damaged`.
  /// - Complexity: O(lines), but only their number is read.
  func requireLineIndex() throws {
    let sql = """
      SELECT 1 WHERE (SELECT count(*) FROM line_record NOT INDEXED)
        <> (SELECT count(*) FROM line_record INDEXED BY line_by_customer)
      """
    if try connection.fetchOne(sql, [], { _ in true }) != nil { throw ListError.damaged }
  }

  private mutating func insertLine(_ text: String, of id: CustomerID) throws {
    let person = recorder.author.person
    try edit(
      "INSERT INTO log_lines (customer, text, author) VALUES (?, ?, nullif(?, ''))",
      [.id(id), .text(text), .text(person)]
    ) { $0.reason(of: id) }
  }

  /// Adds a line to the log of each of some customers, all of them or none.
  ///
  /// - Parameters:
  ///   - text: what was said or done.
  ///   - customers: the customers, as they are.
  ///   - next: when to be in touch again, such as `2026-12-24`; empty for no date, nil to leave it as it is.
  ///   - move: moves them then.
  /// - Throws: `ListError.editForbidden`, `duplicateID`, or what `move` throws.
  mutating func log(
    _ text: String, of customers: [Customer], next: String?, then move: (inout CustomerList) throws -> Void
  ) throws {
    var seen: Set<CustomerID> = []
    for customer in customers {
      guard customer.canEdit else { throw ListError.editForbidden(customer.id) }
      guard seen.insert(customer.id).inserted else { throw ListError.duplicateID(customer.id) }
    }
    try atomically { list in
      for customer in customers { try list.insertLine(text, of: customer.id) }
      if let next { try list.revise(customers) { $0.fields.next = next } }
      try move(&list)
    }
  }

  /// Ends what was to do with customers: adds a line to the log of each, clears the next date, and moves the rows to the
  /// ends of their sections, in their order.
  ///
  /// - Throws: `ListError.editForbidden`, `moveForbidden`, `duplicateID`; nothing is changed.
  mutating func finish(_ customers: [Customer], _ text: String, _ found: FoundRows?) throws {
    if let fixed = customers.first(where: { !$0.canMove }) { throw ListError.moveForbidden(fixed.id) }
    try log(text, of: customers, next: "") { list in
      var rest = try customers.map { try list.row($0.id, found) }.inOrder()[...]
      while let first = rest.first {
        let rows = rest.prefix { $0.section.id == first.section.id }
        try list.move(Array(rows), to: .last, in: nil)
        rest = rest.dropFirst(rows.count)
      }
    }
  }

  /// Deletes a line.
  ///
  /// - Throws: `ListError.noSuchLine`, `editForbidden`.
  package mutating func deleteLine(_ id: LogLineID) throws {
    let line = try line(id)
    try edit("DELETE FROM log_lines WHERE uid = ?", [.integer(id.rawValue)]) { $0.reason(of: line.customer) }
  }

  private func line(_ id: LogLineID) throws -> LogLine {
    let sql = "SELECT \(LogLine.columns) FROM log_lines WHERE uid = ?"
    guard let line = try connection.fetchOne(sql, [.integer(id.rawValue)], { LogLine($0) }) else {
      throw ListError.noSuchLine
    }
    return line
  }

  /// Moves all lines of a customer to another one, as an edit for each.
  mutating func moveLog(of id: CustomerID, to other: CustomerID) throws {
    guard try !log(of: id, limit: 1).isEmpty else { return }
    try edit("UPDATE log_lines SET customer = ? WHERE customer = ?", [.id(other), .id(id)]) {
      $0.reason(of: other)
    }
  }

  /// Adds lines that another copy of the list, or a file of it, has; those that this list has or had stay as they are.
  ///
  /// - Returns: the number of new lines.
  /// - Throws: `ListError.noSuchCustomer`, `editForbidden`.
  @discardableResult
  package mutating func addLines(_ lines: [LogLine], to id: CustomerID) throws -> Int {
    let last = try lines.isEmpty ? 0 : lastEdit()
    for line in lines {
      try edit(
        """
        INSERT INTO log_lines (uid, customer, at, author, text) SELECT ?1, ?2, ?3, ?4, ?5
        WHERE NOT EXISTS (SELECT 1 FROM line_record WHERE uid = ?1)
        """, [.integer(line.id.rawValue), .id(id), .text(line.time), .text(line.author), .text(line.text)]
      ) { $0.reason(of: id) }
    }
    return try lines.isEmpty ? 0 : Int(lastEdit() - last)
  }

  /// Whether some customer has a next date, and whether some has a log.
  ///
  /// - Throws: `ListError.damaged` if a line is lost; `StoreError`.
  /// - Complexity: O(rows).
  package func usesLog() throws -> (next: Bool, log: Bool) {
    try requireLines()
    let sql = """
      SELECT EXISTS (SELECT 1 FROM customer_record WHERE deleted_by IS NULL AND next <> ''),
             EXISTS (SELECT 1 FROM log_lines)
      """
    return try connection.fetchOne(sql, []) { ($0.bool(0), $0.bool(1)) } ?? (false, false)
  }

  /// The customers that have a log. O(lines)
  ///
  /// - Throws: `ListError.damaged` if a line is lost; `StoreError`.
  package func customersWithLog() throws -> Set<CustomerID> {
    try requireLines()
    return Set(
      try connection.fetchAll("SELECT DISTINCT customer FROM log_lines") {
        CustomerID(rawValue: $0.integer(0))
      })
  }
}

extension LogLine {
  static let columns = "uid, customer, at, author, text"

  /// Decodes `columns`.
  init(_ row: borrowing Statement) {
    self.init(
      id: LogLineID(rawValue: row.integer(0)), customer: CustomerID(rawValue: row.integer(1)),
      time: row.text(2), author: row.text(3), text: row.text(4))
  }
}

extension Refusal {
  /// The error for a line of this customer.
  fileprivate func reason(of id: CustomerID) -> ListError? {
    switch self {
    case .customer: .noSuchCustomer(id)
    case .protected: .editForbidden(id)
    default: nil
    }
  }
}
