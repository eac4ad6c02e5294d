internal import CustomersSQLite

/// Places, sections, and ids: numbers that the rows of a damaged file contain.
extension Rebuilding {
  /// Creates temporary tables for places, nodes, and greatest ids as they are found.
  func createFoundNumbers() throws {
    let place =
      format > 10
      ? #"slot, customer, block AS (slot / 64), "order" AS (slot % 64)"# : #"block, "order", customer"#
    try target.executeScript(
      """
      CREATE TEMP TABLE found_node (parent, id PRIMARY KEY, start);
      CREATE TEMP TABLE found_place (\(place));
      CREATE TEMP TABLE found_sequence (name, seq);
      CREATE TEMP TABLE found_line (uid, customer);
      CREATE TEMP TABLE found_section (id);
      """)
  }

  /// Numbers everything as far as it can be recognized, and the rest after that.
  ///
  /// A program that follows the changes gets a reload, if there is something else to read than before.
  func number(by author: StepAuthor) throws {
    try target.executeScript("CREATE INDEX temp.found_place_by_customer ON found_place (customer)")
    try keepLostEntries()
    let losesHistory = try carryHistory()
    try carryNumbers()
    try nameLostRows()
    try placeSections()
    try placeRows()
    if format > 11 {
      try separateSections()
      if lacksContent { try forgetStates() }
    }
    try target.beginTransaction(by: author)
    if losesHistory || !report.moves.isEmpty || !report.losses.isEmpty || !report.changes.isEmpty {
      try target.execute("INSERT INTO break_history VALUES (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))")
    }
    try target.endTransaction(by: author)
    try target.executeScript(
      """
      DROP TABLE temp.found_node; DROP TABLE temp.found_place; DROP TABLE temp.found_sequence;
      DROP TABLE temp.found_line; DROP TABLE temp.found_section
      """)
  }

  /// Replaces numbers that can't be right.
  ///
  /// A customer keeps its id if it is valid; a deleted customer without a deletion in the history is restored.
  private func carryNumbers() throws {
    try restore("customer", "id", unless: CustomerList.isCustomerDeletion) {
      "the deleted customer @\($0) is in the list again"
    }
    try restore("section", "id", unless: CustomerList.isSectionDeletion) {
      "the deleted section @\($0) is in the list again"
    }
    try target.executeScript(
      """
      UPDATE section_record SET "order" = NULL WHERE deleted_by IS NOT NULL AND "order" IS NOT NULL;
      DELETE FROM receipt WHERE id NOT BETWEEN 1 AND \(CustomerList.greatestID);
      DELETE FROM sqlite_sequence WHERE name IN (SELECT name FROM found_sequence);
      INSERT INTO sqlite_sequence (name, seq) SELECT name, max(seq) FROM found_sequence GROUP BY name;
      """)
    if format > 10 {
      try target.executeScript(
        """
        UPDATE section_record SET title_key = lower(trim(title)) WHERE title_key IS NULL;
        DELETE FROM identity WHERE rowid > (SELECT min(rowid) FROM identity);
        """)
      if format > 11 { try nameCustomers() }
      if try target.fetchOne("SELECT 1 FROM identity", [], { _ in true }) == nil {
        try target.executeScript(CustomerList.newIdentity)
        note("the list has a new identity")
        if incomplete.contains("identity") {
          lose("the identity, without which copies are of another list", isInCopies: false)
        }
      }
    }
    if format > 11 {
      try carryLines()
      try carryEntries()
    }
    for table in ["customer_record", "section_record"] {
      let lost = try target.fetchAll(
        "SELECT id FROM \(table) WHERE id NOT BETWEEN 1 AND \(CustomerList.greatestID) ORDER BY id"
      ) { $0.integer(0) }
      for id in lost { try renumber(id, in: table) }
      // Ids continue from the greatest one in the file, including those of deleted customers.
      try target.continueIDs(of: table, after: greatestID(of: table))
    }
  }

  /// Restores and names the deleted rows that no edit of the history deleted.
  func restore(
    _ thing: String, _ id: String, unless isDeletion: String, _ words: (Int64) -> String
  ) throws {
    let condition = "WHERE deleted_by IS NOT NULL AND NOT \(isDeletion)"
    let ids = try target.fetchAll("SELECT \(id) FROM \(thing)_record \(condition) ORDER BY \(id)") {
      $0.integer(0)
    }
    for id in ids { note(restored: words(id)) }
    try target.executeScript("UPDATE \(thing)_record SET deleted_by = NULL \(condition)")
  }

  /// The greatest id of a table that is anywhere in the file, also those of deleted rows; 0 if there is none.
  func greatestID(of table: String) throws -> Int64 {
    try greatest("SELECT id FROM (\(CustomerList.knownIDs)) WHERE \"table\" = ?1", of: table)
  }

  /// The greatest id of a customer that is anywhere but in the history.
  func greatestFoundID() throws -> Int64 {
    let records = "SELECT ifnull(max(id), 0) FROM customer_record WHERE id <= \(CustomerList.greatestID)"
    return try greatest(records, of: "customer_record")
  }

  private func greatest(_ known: String, of table: String) throws -> Int64 {
    try target.fetchOne(
      """
      SELECT max(
        (\(known)),
        ifnull((SELECT max(seq) FROM found_sequence
          WHERE name = ?1 AND seq BETWEEN 0 AND \(CustomerList.greatestID)), 0),
        CASE ?1 WHEN 'customer_record' THEN ifnull((SELECT max(customer) FROM found_place
          WHERE typeof(customer) = 'integer' AND customer BETWEEN 1 AND \(CustomerList.greatestID)), 0) ELSE 0 END)
      """, [.text(table)]
    ) { $0.integer(0) } ?? 0
  }

  /// Gives a record a valid id.
  private func renumber(_ id: Int64, in table: String) throws {
    let next = try greatestID(of: table) + 1
    let values: [SQLiteValue] = [.integer(next), .integer(id)]
    if table == "customer_record" {
      try target.execute("UPDATE found_place SET customer = ? WHERE customer = ?", values)
      if format > 11 { try target.execute("UPDATE line_record SET customer = ? WHERE customer = ?", values) }
    } else {
      // -id overflows for the least id.
      try target.execute("UPDATE OR IGNORE found_node SET parent = -?1 WHERE parent = -1 * ?2", values)
    }
    try target.execute("UPDATE \(table) SET id = ? WHERE id = ?", values)
    note("the id \(id) is now @\(next)")
  }

  private func placeSections() throws {
    let key = format > 10 ? ("title_key, ", "'customers', ") : ("", "")
    try target.executeScript(
      """
      INSERT INTO section_record (title, \(key.0)footer, "order")
      SELECT 'Customers', \(key.1)'', 1 WHERE NOT EXISTS (SELECT 1 FROM section_record WHERE deleted_by IS NULL);
      """)
    let sections = try target.fetchAll(
      #"SELECT id, "order" FROM section_record WHERE deleted_by IS NULL ORDER BY "order" IS NULL, "order", id"#
    ) { (id: $0.integer(0), order: $0.isNull(1) ? nil : $0.integer(1)) }
    try target.executeScript(#"UPDATE section_record SET "order" = NULL"#)
    for (index, section) in sections.enumerated() {
      try target.execute(
        #"UPDATE section_record SET "order" = ? WHERE id = ?"#, [.integer(index + 1), .integer(section.id)])
      if section.order != Int64(index) + 1 {
        let known = section.order.map { "not \($0)" } ?? "and had none"
        note("the section @\(section.id) is number \(index + 1), \(known)")
      }
    }
  }

  /// Places all customers in the order that can still be recognized: by the old numbers and, where two are equal, by id.
  ///
  /// Those without a place go to the end of the block that their record names, or of the first section.
  private func placeRows() throws {
    let home = try target.fetchOne(#"SELECT id FROM section_record WHERE "order" = 1"#) { $0.integer(0) }
    let rows = try recognizableRows(home: SectionID(rawValue: home ?? 1))
    try target.executeScript("UPDATE section_record SET count = 0; UPDATE customer_record SET block = NULL")
    let list = CustomerList(connection: target)
    let moves = try rows.flatMap { section, rows in
      try list.stage(rows.map(\.id))
      try target.execute("INSERT INTO put_rows VALUES (?, 1)", [.id(section)])
      return rows.enumerated().compactMap { index, row in
        let place = CustomerPlace(section: section, order: index + 1)
        return row.place == place ? nil : ListRepair(customer: row.id, from: row.place, to: place)
      }
    }
    noteMoves(moves)
  }

  /// A customer and the place that is still in the tables, if any.
  private struct KnownRow {
    var id: CustomerID
    var place: CustomerPlace?
  }

  /// Whether places can't be read, not only wrong.
  var hasLostPlaces: Bool { !incomplete.isDisjoint(with: ["node", "place"]) }

  /// All customers, each once, by section in the recognizable order.
  private func recognizableRows(home: SectionID) throws -> [(SectionID, [KnownRow])] {
    var seen: Set<CustomerID> = []
    var sections: [SectionID: [KnownRow]] = [:]
    // A record knows its block, too.
    let block = "ifnull(place.block, c.block)"
    try target.query(
      """
      SELECT c.id, section_record.id, part.start + chapter.start + block.start + place."order"
      FROM customer_record AS c
      LEFT JOIN found_place AS place ON place.customer = c.id
      LEFT JOIN found_node AS block ON block.id = \(block)
      LEFT JOIN found_node AS chapter ON chapter.id = block.parent
      LEFT JOIN found_node AS part ON part.id = chapter.parent
      LEFT JOIN section_record ON section_record.id = -part.parent AND section_record."order" IS NOT NULL
      WHERE c.deleted_by IS NULL
      ORDER BY section_record."order" IS NULL, section_record."order", part.start, chapter.start, block.start,
        CASE WHEN section_record.id IS NULL THEN place.block END, place."order" IS NULL, place."order", c.id
      """
    ) { row in
      while try row.step() {
        let id = CustomerID(rawValue: row.integer(0))
        guard seen.insert(id).inserted else { continue }
        let section = row.isNull(1) ? nil : SectionID(rawValue: row.integer(1))
        let place = row.isNull(2) ? nil : section.map { CustomerPlace(section: $0, order: row.int(2)) }
        if place == nil, hasLostPlaces { lose("the place of customer @\(id.rawValue)") }
        sections[section ?? home, default: []].append(KnownRow(id: id, place: place))
      }
    }
    return sections.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }
}
