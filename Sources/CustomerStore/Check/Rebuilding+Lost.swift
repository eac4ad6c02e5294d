internal import CustomersMigrations
internal import CustomersSQLite

/// What a damaged file still has of rows that are lost.
extension Rebuilding {
  /// Notes an entry of one of our indexes, which may name a row that its table no longer has.
  func note(_ entry: StoredRow, inIndex name: String?) throws {
    switch name {
    case "line_by_customer":
      if let customer = entry.value(0)?.number, entry.value(1)?.string != nil,
        let uid = entry.value(2)?.number
      {
        try target.execute("INSERT INTO found_line VALUES (?, ?)", [.integer(uid), .integer(customer)])
      }
    case "section_by_title":
      if entry.value(0)?.string != nil, let id = entry.value(1)?.number {
        try target.execute("INSERT INTO found_section VALUES (?)", [.integer(id)])
      }
    default: break
    }
  }

  /// Removes the entries of indexes whose rows were found; if there are no more entries than rows, the others are damaged.
  func keepLostEntries() throws {
    func keep(_ entries: String, _ id: String, of table: String, _ key: String) throws {
      try target.executeScript(
        """
        DELETE FROM \(entries) WHERE (SELECT count(*) FROM \(entries)) <= (SELECT count(*) FROM \(table))
          OR \(id) IN (SELECT \(key) FROM \(table))
        """)
    }
    try keep("found_section", "id", of: "section_record", "id")
    if format > 11 { try keep("found_line", "uid", of: "line_record", "uid") }
  }

  /// Restores lines that no edit of the history deleted; those of customers that can't be read are lost.
  func carryLines() throws {
    try restore("line", "customer", unless: CustomerList.isLineDeletion) {
      "a deleted line is in the log of customer @\($0) again"
    }
    let condition = "FROM line_record WHERE customer NOT IN (SELECT id FROM customer_record)"
    let lost = try target.fetchOne("SELECT count(*) \(condition)") { $0.int(0) } ?? 0
    if lost > 0 { lose("\(counted(lost, "line")) of the log") }
    try target.executeScript("DELETE \(condition)")
    try nameLostLines()
    if incomplete.contains("line_record"), !wholeIndexes.contains("line_by_customer") {
      lose("lines of the log that can't be read")
    }
  }

  /// Names the lines that only the index has.
  private func nameLostLines() throws {
    let lost = try target.fetchAll(
      "SELECT customer, count(*) FROM found_line GROUP BY customer ORDER BY customer"
    ) { (customer: $0.integer(0), count: $0.int(1)) }
    for (customer, count) in lost {
      lose("\(counted(count, "line")) of the log of customer @\(customer)")
    }
  }

  /// Restores what the list says about itself, if no edit of the history deleted it, and declares all fields.
  ///
  /// Of two with one name, one gets another.
  func carryEntries() throws {
    try target.executeScript(
      "UPDATE entry_record SET type = 'column' WHERE uid BETWEEN 1 AND \(CustomerList.fieldCount)")
    let unknown = try target.fetchAll(
      "DELETE FROM entry_record WHERE NOT \(CustomerList.isKnownEntry) RETURNING uid"
    ) { $0.integer(0) }
    let isNumber = "uid BETWEEN 1 AND \(CustomerList.fieldCount)"
    let second =
      "uid NOT IN (SELECT min(uid) FROM entry_record WHERE deleted_by IS NULL GROUP BY type, name, uid < 0)"
    try target.executeScript(
      """
      UPDATE entry_record SET deleted_by = NULL WHERE deleted_by IS NOT NULL AND NOT \(CustomerList.isEntryDeletion);
      DELETE FROM entry_record WHERE uid >= 0 AND NOT (\(isNumber) AND type = 'column' AND deleted_by IS NULL);
      UPDATE entry_record SET name = name || ' ' || -uid WHERE deleted_by IS NULL AND \(second);
      \(Migrations.fields.replacing("INSERT ", with: "INSERT OR IGNORE ", maxReplacements: 1))
      """)
    let lost = try target.fetchAll(
      """
      SELECT DISTINCT row FROM history_edit
      WHERE kind IN ('entry insert', 'entry update', 'entry delete') AND row NOT IN (SELECT uid FROM entry_record)
      """
    ) { $0.integer(0) }
    if !unknown.isEmpty || incomplete.contains("entry_record") || !lost.isEmpty {
      lose("declared columns, settings, or persons that can't be read")
    }
  }

  /// The condition of places of customers that the new list does not have.
  private static let isOfLostCustomer = """
    typeof(customer) = 'integer' AND customer BETWEEN 1 AND \(CustomerList.greatestID)
    AND customer NOT IN (SELECT id FROM customer_record)
    """

  /// Whether there are places of customers that were not found.
  func lacksCustomers() throws -> Bool {
    try target.fetchOne("SELECT 1 FROM found_place WHERE \(Self.isOfLostCustomer) LIMIT 1") { _ in true }
      ?? false
  }

  /// The ids of customers that only the history names: deleted ones, unless places can't be read.
  ///
  /// If all pages of customers can be read, the number in an edit of one customer may be wrong.
  private func lostWithoutPlace(isIncomplete: Bool) throws -> [Range<Int64>] {
    let single = """
      UNION ALL SELECT row, 1 FROM history_edit
      WHERE kind IN ('insert', 'delete', 'move', 'update') AND \(CustomerList.isSinceRepair("id"))
      UNION ALL SELECT customer, 1 FROM history_row WHERE \(CustomerList.isSinceRepair("edit"))
      """
    let named = try target.fetchAll("\(CustomerList.lackingRuns) \(isIncomplete ? single : "")") { run in
      let first = run.integer(0)
      return (first..<first.saturatingAdding(max(0, run.integer(1)))).clamped(
        to: 1..<CustomerList.greatestID + 1)
    }
    let known = try target.fetchAll(
      """
      SELECT id FROM customer_record WHERE id BETWEEN 1 AND \(CustomerList.greatestID)
      UNION SELECT customer FROM found_place WHERE customer BETWEEN 1 AND \(CustomerList.greatestID) ORDER BY 1
      """
    ) { $0.integer(0) }
    // A damaged run may have a million ids, so they are not taken one by one.
    return IDRanges(joining: named).subtracting(known).ranges
  }

  /// Names the rows that are known from their places, but are nowhere, even if every page can be read.
  ///
  /// A section gets a title with its id, so that its rows stay together.
  func nameLostRows() throws {
    let customers = try target.fetchAll(
      "SELECT DISTINCT customer FROM found_place WHERE \(Self.isOfLostCustomer) ORDER BY customer"
    ) { $0.integer(0) }
    lose(customers: customers.map { CustomerID(rawValue: $0) })
    let isIncomplete = incomplete.contains("customer_record")
    let deleted = try lostWithoutPlace(isIncomplete: isIncomplete)
    if hasLostPlaces {
      if isIncomplete || !deleted.isEmpty { lose("customers that can't be read") }
    } else if deleted.isEmpty, customers.isEmpty, isIncomplete {
      lose("deleted customers that can't be read")
    }
    for ids in deleted where !hasLostPlaces {
      lose("the deleted \(ids.count == 1 ? "customer" : "customers") \(ids.asIDs)")
    }
    // A part without rows may be a wrong number, and lead to a section that never was.
    let hasRows = """
      parent IN (SELECT part.parent FROM customer_record AS c JOIN found_place AS place ON place.customer = c.id
        JOIN found_node AS block ON block.id = place.block JOIN found_node AS chapter ON chapter.id = block.parent
        JOIN found_node AS part ON part.id = chapter.parent WHERE c.deleted_by IS NULL)
      """
    let areUnreadable = incomplete.contains("section_record")
    let sections = try target.fetchAll(
      """
      SELECT DISTINCT -parent FROM found_node
      WHERE typeof(parent) = 'integer' AND parent BETWEEN -\(CustomerList.greatestID) AND -1
        AND -parent NOT IN (SELECT id FROM section_record) \(areUnreadable ? "" : "AND \(hasRows)")
      ORDER BY parent DESC
      """
    ) { $0.integer(0) }
    for id in sections {
      lose("the title, the footer, and the place of section @\(id)")
      let key = format > 10 ? (", title_key", ", 'section ' || ?1") : ("", "")
      try target.execute(
        "INSERT INTO section_record (id, title, footer\(key.0)) VALUES (?1, 'Section ' || ?1, ''\(key.1))",
        [.integer(id)])
    }
    let empty = try target.fetchAll(
      """
      SELECT DISTINCT id FROM found_section WHERE id NOT IN (SELECT id FROM section_record) ORDER BY id
      """
    ) { $0.integer(0) }
    for id in empty { lose("section @\(id), which has no rows") }
    if areUnreadable, !wholeIndexes.contains("section_by_title") {
      lose("sections without rows that can't be read")
    }
    if !incomplete.isDisjoint(with: ["receipt", "identity"]) {
      note("receipts or the identity can't be read")
    }
  }
}
