internal import CustomersMigrations
internal import CustomersSQLite
internal import CustomersSystem

/// Places, sections, ids, and the history: numbers that the rows of a damaged file contain.
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
  private func keepLostEntries() throws {
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
      try separateUIDs()
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

  /// Starts a new history if the old one is not whole: an undo could not be trusted.
  private func carryHistory() throws -> Bool {
    if try !target.fetchAll(CustomerList.brokenLimit, [], { _ in true }).isEmpty {
      try target.executeScript(
        "DELETE FROM history_limit; INSERT INTO history_limit VALUES (10000, 64000000)")
      note("the limit of the history is the usual one")
    }
    let losesHistory = try eraseBrokenHistory()
    // Without these, a copy may bring back what was deleted here since, which can be seen and undone.
    if try format > 11 && !target.fetchAll(CustomerList.brokenStates, [], { _ in true }).isEmpty {
      try target.executeScript("DELETE FROM known_state; DELETE FROM undone_pull; DELETE FROM pulled_time")
      lose("what other copies of the list have", isInCopies: false)
    }
    return losesHistory
  }

  /// Erases the history if it is not whole; returns whether it did.
  private func eraseBrokenHistory() throws -> Bool {
    let tables = ["edit_record", "history_edit", "history_row", "history_step"]
    let isIncomplete = !incomplete.isDisjoint(with: tables)
    let log = format > 11 ? LogRules.current : .older
    guard try losesHistory || isIncomplete || !target.fetchAll(log.broken, [], { _ in true }).isEmpty else {
      return false
    }
    let steps = try target.fetchOne("SELECT count(*) FROM history_step") { $0.int(0) } ?? 0
    let customers = try customers()
    try target.executeScript(log.erase)
    let count = steps == 1 ? "1 step" : "\(steps) steps"
    lose(incomplete.contains("history_step") ? "the history" : "the history (\(count))", isInCopies: false)
    if format > 11 { try continueSteps() }
    for id in try customers.subtracting(self.customers()).sorted() {
      lose("the deleted customer @\(id)", isInCopies: false)
    }
    return true
  }

  /// Keeps a step with the number of the last one, so that the states of other copies stay those that earlier steps took in.
  private func continueSteps() throws {
    try target.executeScript(
      """
      INSERT INTO history_step (id, at, program, user, host, action, kind, state, last, is_open, first_edit, bytes_before, bytes)
      SELECT id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), '', '', '', '', 'edit', 'dropped', id, 0, 1 + ifnull(edit, 0), 0, 0
      FROM (SELECT max(
          ifnull((SELECT max(step) FROM old_mark WHERE step <= \(CustomerList.greatestID)), 0),
          ifnull((SELECT max(step) FROM known_state WHERE step <= \(CustomerList.greatestID)), 0)) AS id,
        (SELECT max(last_edit) FROM old_mark WHERE last_edit <= \(CustomerList.greatestID)) AS edit)
      WHERE id > 0
      """)
  }

  private func customers() throws -> Set<Int64> {
    Set(try target.fetchAll("SELECT id FROM customer_record") { $0.integer(0) })
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
      try carryNextID(of: table)
    }
  }

  /// Restores and names the deleted rows that no edit of the history deleted.
  private func restore(
    _ thing: String, _ id: String, unless isDeletion: String, _ words: (Int64) -> String
  ) throws {
    let condition = "WHERE deleted_by IS NOT NULL AND NOT \(isDeletion)"
    let ids = try target.fetchAll("SELECT \(id) FROM \(thing)_record \(condition) ORDER BY \(id)") {
      $0.integer(0)
    }
    for id in ids { note(words(id)) }
    try target.executeScript("UPDATE \(thing)_record SET deleted_by = NULL \(condition)")
  }

  /// Gives the customers that have lost their uids others.
  ///
  /// If runs of uids are lost, a copy would take the customers for new ones, so the list is no longer the one it is of.
  private func nameCustomers() throws {
    let uids = try CustomerList(connection: target).scanRecords().uids
    var areRunsLost = false
    for id in uids.unnamed {
      let hadID = 1...CustomerList.greatestID ~= id.rawValue
      areRunsLost = areRunsLost || (hadID && !unnamed.contains(id.rawValue))
      try setUID(uids.newUID(of: id), of: "customer", id.rawValue)
    }
    guard areRunsLost else { return }
    try target.executeScript("DELETE FROM identity")
    lose("what other copies of the list call its customers")
  }

  private func setUID(_ uid: UID, of thing: String, _ id: Int64) throws {
    try target.execute("UPDATE \(thing)_record SET uid = ? WHERE id = ?", [.integer(uid), .integer(id)])
  }

  /// Restores lines that no edit of the history deleted; those of customers that can't be read are lost.
  private func carryLines() throws {
    try restore("line", "customer", unless: CustomerList.isLineDeletion) {
      "a deleted line is in the log of customer @\($0) again"
    }
    let condition = "FROM line_record WHERE customer NOT IN (SELECT id FROM customer_record)"
    let lost = try target.fetchOne("SELECT count(*) \(condition)") { $0.int(0) } ?? 0
    if lost > 0 { lose(lost == 1 ? "1 line of the log" : "\(lost) lines of the log") }
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
      lose("\(count == 1 ? "1 line" : "\(count) lines") of the log of customer @\(customer)")
    }
  }

  /// Restores what the list says about itself, if no edit of the history deleted it, and declares all fields.
  ///
  /// Of two with one name, one gets another.
  private func carryEntries() throws {
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
    if incomplete.contains("entry_record") || !lost.isEmpty {
      lose("declared columns, settings, or persons that can't be read")
    }
  }

  /// Makes ids continue from the greatest one in the file, including those of deleted customers.
  private func carryNextID(of table: String) throws {
    try target.continueIDs(of: table, after: greatestID(of: table))
  }

  /// The greatest id of a table that is anywhere in the file, also those of deleted rows; 0 if there is none.
  func greatestID(of table: String) throws -> Int64 {
    try target.fetchOne(
      """
      SELECT max(
        (SELECT id FROM (\(CustomerList.knownIDs)) WHERE "table" = ?1),
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

  /// Names the rows that are known from their places, but are nowhere, even if every page can be read.
  ///
  /// A section gets a title with its id, so that its rows stay together.
  private func nameLostRows() throws {
    let customers = try target.fetchAll(
      "SELECT DISTINCT customer FROM found_place WHERE \(Self.isOfLostCustomer) ORDER BY customer"
    ) { $0.integer(0) }
    lose(customers: customers.map { CustomerID(rawValue: $0) })
    if incomplete.contains("customer_record"), hasLostPlaces || customers.isEmpty {
      lose(hasLostPlaces ? "customers that can't be read" : "deleted customers that can't be read")
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

  /// Forgets what the list has in common with its copies: what is lost would be as good as deleted, and a take would delete it
  /// in the other one, too.
  private func forgetStates() throws {
    try target.executeScript(
      "DELETE FROM known_state; DELETE FROM undone_pull; DELETE FROM old_mark; UPDATE history_step SET mark = NULL"
    )
    note("a take no longer knows what the list has in common with its copies, so it deletes nothing")
  }

  /// Gives a uid of its own to each customer and section that has the one of another.
  private func separateUIDs() throws {
    let list = CustomerList(connection: target)
    func separate<ID>(_ uids: UIDs<ID>, _ thing: String) throws {
      for id in uids.repeated {
        try setUID(uids.newUID(of: id), of: thing, id.rawValue)
        note("the uid of \(thing) @\(id.rawValue) was that of another one")
      }
    }
    try separate(list.scanRecords().uids, "customer")
    try separate(list.sectionUIDs(), "section")
  }

  private func placeSections() throws {
    let key = format > 10 ? ("title_key, ", "'customers', ") : ("", "")
    try target.executeScript(
      """
      INSERT INTO section_record (title, \(key.0)footer, "order")
      SELECT 'Customers', \(key.1)'', 1 WHERE NOT EXISTS (SELECT 1 FROM section_record WHERE deleted_by IS NULL);
      """)
    let ids = try target.fetchAll(
      #"SELECT id FROM section_record WHERE deleted_by IS NULL ORDER BY "order", id"#
    ) { $0.integer(0) }
    try target.executeScript(#"UPDATE section_record SET "order" = NULL"#)
    for (index, id) in ids.enumerated() {
      try target.execute(
        #"UPDATE section_record SET "order" = ? WHERE id = ?"#, [.integer(index + 1), .integer(id)])
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
  private var hasLostPlaces: Bool { !incomplete.isDisjoint(with: ["node", "place"]) }

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

extension UIDs {
  /// Another uid for one that is there.
  ///
  /// It follows from what is in the file, so that copies that are repaired apart call the same by one uid.
  fileprivate func newUID(of id: ID) -> UID {
    var digest = SHA256()
    repeat { digest.update(Array("\(self[id] ?? 0) \(id.rawValue)".utf8)) } while self[digest.uid] != nil
    return digest.uid
  }
}
