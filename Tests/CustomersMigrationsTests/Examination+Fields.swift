import CustomerFixtures
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport

extension Examination {
  /// Each field of a customer, and the titles of sections: changed, undone, and redone one by one.
  static func fields() throws -> String? {
    let connection = try Connection.newList()
    try connection.execute("INSERT INTO customers (other_contacts, tags) VALUES ('phone: 1', 'old')")
    let all = "SELECT * FROM customers"
    for (column, value) in values {
      let before = try connection.fetchAll(all) { $0.texts(18) }
      try connection.step { try connection.execute("UPDATE customers SET \(column) = \(value)") }
      let after = try connection.fetchAll(all) { $0.texts(18) }
      let isSet = try connection.fetchOne("SELECT \(column) = \(value) FROM customers") { $0.bool(0) }
      guard isSet == true, before != after else { return "\(column) was not set" }
      try connection.revert("undo")
      guard try connection.fetchAll(all, [], { $0.texts(18) }) == before else { return "undo of \(column)" }
      try connection.revert("redo")
      guard try connection.fetchAll(all, [], { $0.texts(18) }) == after else { return "redo of \(column)" }
    }
    try connection.execute("UPDATE sections SET title = ' Ab '")
    guard connection.refusal(of: "INSERT INTO sections (title) VALUES ('aB')") == "title" else {
      return "titles"
    }
    try connection.execute("INSERT INTO sections (title) VALUES (' Cd')")
    guard connection.refusal(of: "UPDATE sections SET title = 'cd' WHERE id = 1") == "title" else {
      return "titles"
    }
    return try connection.brokenInvariants().first
  }

  fileprivate static let values = [
    ("first_name", "'A'"), ("last_name", "'B'"), ("company", "'C'"), ("email", "'D'"), ("phone", "'E'"),
    ("address", "'F'"), ("note", "'G'"), ("extra", "'{\"H\":1}'"), ("other_contacts", "'email: b@y'"),
    ("tags", "'new'"), ("next", "'2026-12-24'"), ("address_parts", "'{}'"),
    ("is_favorite", "1"), ("can_move", "0"), ("can_edit", "0"),
  ]

  /// New values of many rows at once, undo, and redo: the same lists and logs as by an edit for each of the rows.
  ///
  /// A step may have several such edits, with a move after each, and then the same row more than once.
  static func manyValues() throws -> String? {
    var random = SplitMix64(seed: 3)
    let (connection, twin) = (try Connection.newList(), try Connection.newList())
    for list in [connection, twin] { try list.step { try list.append(48) } }
    for _ in 0..<25 {
      let batches = (0...random.below(2)).map { _ in
        let share = 1 + random.below(8)
        return (1...48).filter { _ in random.below(8) < share }.map { id in
          NewValues(of: id, Array(values.shuffled(using: &random).prefix(1 + random.below(3))), &random)
        }
      }
      let move = "INSERT INTO logged_move VALUES (\(1 + random.below(48)), 1, \(1 + random.below(48)))"
      try connection.step {
        for batch in batches {
          try NewList.manyRows.begin(connection)
          for row in batch { try connection.execute(row.staging) }
          if try connection.count("staged_value") > 0 { try NewList.manyRows.update(connection) }
          try connection.execute(move)
        }
      }
      try twin.step {
        for batch in batches {
          for row in batch { try twin.execute(row.edit) }
          try twin.execute(move)
        }
      }
      for kind in [nil, "undo", "redo"] {
        if let kind {
          try connection.revertLast(kind)
          try twin.revert(kind)
        }
        guard try connection.customersAndLog() == twin.customersAndLog() else {
          return "\(kind ?? "an edit") of the values of many rows"
        }
      }
    }
    try connection.step {
      try NewList.manyRows.begin(connection)
      try connection.execute("INSERT INTO staged_value (customer, note) SELECT id, 'last' FROM customers")
      try NewList.manyRows.update(connection)
    }
    try connection.execute("UPDATE customer_record SET block = NULL WHERE id = 7")
    let refusal = connection.refusal { try connection.revertLast("undo") }
    return refusal == "history" ? nil : "a deleted row has values"
  }

  /// A list keeps its id; its history has another one after a repair, or when it is forgotten.
  static func identity() throws -> String? {
    let connection = try Connection.newList()
    try connection.append(2)
    var seen = try connection.identity()
    guard seen.list.count == 32, seen.history.count == 32, seen.list != seen.history else { return "\(seen)" }
    let list = seen.list
    for statement in [
      "INSERT INTO forget_history SELECT max(id) FROM history_step",
      "INSERT INTO break_history VALUES ('2026')",
    ] {
      try connection.execute(statement)
      let now = try connection.identity()
      guard now.list == list, now.history != seen.history, now.history.count == 32 else { return statement }
      seen = now
    }
    try connection.execute("DELETE FROM customers WHERE id = 1")
    return try connection.identity() == seen ? nil : "an edit changed the identity"
  }

  /// What rows and sections are called in every copy of the list.
  static func names() throws -> String? {
    let connection = try Connection.newList(.small)
    let uids = "SELECT uid FROM customer_uid ORDER BY id"
    func all() throws -> [Int64] { try connection.fetchAll(uids) { $0.integer(0) } }
    // As rows of an older format.
    try connection.append(3)
    try connection.execute("UPDATE customer_record SET uid = NULL")
    try connection.execute("INSERT INTO uid_run VALUES (1, 3, 1)")
    try connection.execute("INSERT INTO logged_delete_rows VALUES (2, 2, 1, 2)")
    try connection.execute("INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step")
    guard try connection.count("uid_run") == 1 else { return "an older row gets a uid" }
    try connection.insertRun(4...9)
    try connection.append(2)
    try connection.insertRun(12...14)
    try connection.execute("INSERT INTO sections (title) VALUES ('Two'), ('Three')")
    let first = try all()
    guard first.count == 14, Set(first).count == 14, first[3...].allSatisfy({ $0 < 0 }) else {
      return "\(first)"
    }
    guard first[..<3] == [1, 2, 3], try connection.count("uid_run") == 3 else {
      return "older rows: \(first)"
    }
    for (before, after) in [(3, 8), (11, 13)] where first[after] - first[before] != Int64(after - before) {
      return "a run: \(first)"
    }
    let sections = try connection.fetchAll("SELECT uid FROM section_uid ORDER BY id") { $0.integer(0) }
    guard sections[0] == 1, sections[1] < 0, sections[2] < 0, sections[1] != sections[2] else {
      return "\(sections)"
    }
    // What was deleted comes back as itself.
    for sql in [
      "DELETE FROM customers WHERE id = 1", "DELETE FROM customers WHERE id BETWEEN 4 AND 9",
      "INSERT INTO logged_delete_rows SELECT 2, 2, section, \"order\" FROM customers WHERE id = 2",
      "INSERT INTO logged_delete_rows SELECT 12, 3, section, \"order\" FROM customers WHERE id = 12",
    ] {
      try connection.execute(sql)
      guard try all() == first else { return "\(sql): other uids" }
      try connection.execute(
        "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step WHERE kind = 'edit'")
      guard try all() == first, try connection.count("uid_run") == 3 else {
        return "undone: \(sql): other uids"
      }
    }
    guard try connection.count("uid_run JOIN customer_uid USING (uid) WHERE id = first") == 3 else {
      return "the first of a run"
    }
    // An older row after a run is not in it.
    try connection.execute("UPDATE customer_record SET uid = NULL WHERE id = 10")
    guard try all()[9] == 10 else { return "a row after a run" }
    // No list calls a row as another does.
    let other = try Connection.newList(.small)
    try other.insertRun(1...4)
    try other.append(4)
    let others = try other.fetchAll(uids) { $0.integer(0) }
    return Set(others).isDisjoint(with: first) && Set(others).count == 8 ? nil : "two lists: \(others)"
  }

  /// The marks of states: each step has one, even if the history has forgotten the step.
  static func states() throws -> String? {
    let connection = try Connection.newList()
    let steps = "SELECT id, first_edit + edits - 1, mark FROM history_step ORDER BY id"
    func read(_ sql: String) throws -> [[String]] { try connection.fetchAll(sql) { $0.texts(3) } }
    try connection.execute("UPDATE history_limit SET steps = 3")
    var known: [[String]] = []
    for number in 1...10 {
      try connection.step { try connection.append(number) }
      known.append(try read(steps).last ?? [])
    }
    guard Set(known.map(\.[2])).count == 10, known.allSatisfy({ $0[2].hasPrefix("-") }) else {
      return "\(known)"
    }
    let old = "SELECT step, last_edit, mark FROM old_mark ORDER BY step"
    guard try read(old) + read(steps) == known else { return "the marks of forgotten steps" }
    try connection.execute("INSERT INTO forget_history SELECT max(id) FROM history_step")
    guard try read(old) == Array(known[..<9]), try read(steps)[0][2] == known[9][2] else {
      return "forgotten marks"
    }
    try connection.execute("UPDATE history_step SET id = 10005")
    for _ in 0..<4 { try connection.step { try connection.append(1) } }
    let kept = try connection.fetchAll("SELECT step FROM old_mark ORDER BY step") { $0.int(0) }
    guard kept == [6, 7, 8, 9, 10_005, 10_006] || kept == [7, 8, 9, 10_005, 10_006] else { return "\(kept)" }
    // A step that came out of order, as in a damaged file.
    try connection.execute("UPDATE history_step SET id = 8 WHERE id = (SELECT max(id) FROM history_step)")
    try connection.execute("DELETE FROM history_step WHERE id = 8")
    return try connection.brokenInvariants().first
  }

  /// Deletions that are reverted, and the reverts undone: what counts is where a row is, not which edit brought it there.
  static func reverts() throws -> String? {
    let connection = try Connection.newList(.small)
    try connection.append(12)
    try connection.statement("INSERT INTO sections (title) VALUES ('2')")
    for deletion in [
      "DELETE FROM customers WHERE id = 5", "DELETE FROM customers WHERE id = 12",
      "INSERT INTO logged_delete_rows VALUES (2, 3, 1, 2)", "DELETE FROM sections WHERE id = 2",
    ] {
      let before = try connection.contents()
      try connection.step { try connection.execute(deletion) }
      let after = try connection.contents()
      let edits = "history_edit WHERE step = (SELECT id FROM last_step)"
      let made = try connection.fetchAll("SELECT id FROM \(edits) ORDER BY id DESC") { $0.integer(0) }
      for _ in 1...2 {
        try connection.step {
          for edit in made {
            try connection.execute(
              "INSERT INTO revert_edit SELECT * FROM history_edit WHERE id = ?", [.integer(edit)])
          }
        }
        guard try connection.contents() == before else { return "\(deletion): revert" }
        try connection.revert("undo")
        guard try connection.contents() == after else { return "\(deletion): undo of its revert" }
      }
      try connection.revert("undo")
      guard try connection.contents() == before else { return "\(deletion): undo" }
      try connection.revert("redo")
      guard try connection.contents() == after else { return "\(deletion): redo" }
      try connection.revert("undo")
    }
    if let broken = try connection.brokenInvariants().first { return broken }
    try connection.statement("DELETE FROM customers WHERE id = 5")
    try connection.execute("UPDATE customer_record SET deleted_by = NULL WHERE id = 5")
    let undo = "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step"
    return connection.refusal(of: undo) == "history" ? nil : "a row that is not deleted is restored"
  }

  /// A list of format 10, with history, converted: the same list, whose history can be undone and redone.
  static func conversion(_ migrator: Migrator) throws -> String? {
    for capacity in Capacity.allCases {
      let connection = try Connection(path: ":memory:")
      try connection.makeList(ofFormat: 10)
      try connection.setCapacity(capacity)
      try connection.execute("INSERT INTO sections (title) VALUES (' Two')")
      try connection.append(40)
      try connection.append(5, to: 2)
      try connection.step {
        for id in 1...9 as ClosedRange<Int64> {
          let place = SQLiteValue.integer(40 - 4 * id)
          try connection.execute(#"UPDATE customers SET "order" = ? WHERE id = ?"#, [place, .integer(id)])
        }
      }
      try connection.step { try connection.execute("DELETE FROM customers WHERE id % 3 = 0") }
      try connection.step { try connection.execute("UPDATE customers SET section = 2 WHERE id = 7") }
      try connection.revert("undo")
      let before = try connection.contents()
      try migrator.migrate(connection)
      try connection.setCapacity(capacity)
      guard try connection.contents() == before else { return "converted: not the same list" }
      if let broken = try connection.brokenInvariants().first { return "converted: \(broken)" }
      try connection.revert("redo")
      for _ in 0..<3 { try connection.revert("undo") }
      for _ in 0..<3 { try connection.revert("redo") }
      try connection.revert("undo")
      guard try connection.contents() == before else { return "converted: undo" }
      if let broken = try connection.brokenInvariants().first { return "converted, then undone: \(broken)" }
      guard connection.refusal(of: "INSERT INTO sections (title) VALUES ('two')") == "title" else {
        return "titles"
      }
    }
    return nil
  }
}

extension Connection {
  /// Adds rows with these ids to the end of section 1, all at once.
  fileprivate func insertRun(_ ids: ClosedRange<Int64>) throws {
    for id in ids {
      try execute(
        """
        INSERT INTO customer_record (
          id, first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra)
        VALUES (?, '', '', '', '', '', '', '', 0, 1, 1, '{}')
        """, [.integer(id)])
    }
    try execute(
      "INSERT INTO logged_insert_rows SELECT ?, ?, 1, count + 1 FROM sections WHERE id = 1",
      [.integer(ids.lowerBound), .integer(ids.count)])
  }

  fileprivate func identity() throws -> (list: String, history: String) {
    try fetchOne("SELECT list_id, history_id FROM list_identity") { ($0.text(0), $0.text(1)) } ?? ("", "")
  }

  /// All customers, and the log, in which the edits of a step are in the order of the rows.
  fileprivate func customersAndLog() throws -> [[String]] {
    let values = Examination.values.map { "quote(\($0.0))" }.joined(separator: " || ")
    return try [
      ("SELECT * FROM customers ORDER BY id", 18),
      ("SELECT id, state, last, first_edit, edits, bytes_before, bytes FROM history_step", 7),
      ("SELECT step, kind, row, count, \(values) FROM history_edit ORDER BY step, row, \(values)", 5),
      ("SELECT id FROM edit_record", 1),
    ].flatMap { sql, count in try fetchAll(sql, [], { $0.texts(Int32(count)) }) }
  }

  /// Undoes the last step that is done, or redoes the first that is undone.
  fileprivate func revert(_ kind: String) throws {
    let next = kind == "undo" ? "max(id)" : "min(id)"
    try execute(
      "INSERT INTO revert_step SELECT \(next), ? FROM history_step WHERE kind = 'edit' AND state = ?",
      [.text(kind), .text(kind == "undo" ? "done" : "undone")])
  }
}

/// New values of a row; some may be those that it has.
private struct NewValues {
  private let id: Int
  private let values: [(column: String, value: String)]

  init(of id: Int, _ columns: [(String, String)], _ random: inout SplitMix64) {
    self.id = id
    values = columns.map { column, value in
      let number = random.below(2)
      return (column, value.hasPrefix("'") ? "'\(number)' || \(value)" : "\(number)")
    }
  }

  private var change: (columns: String, values: String) {
    (values.map(\.column).joined(separator: ", "), values.map(\.value).joined(separator: ", "))
  }

  private var condition: String { "WHERE id = \(id) AND (\(change.columns)) IS NOT (\(change.values))" }

  /// The statement that stages them for an edit of many.
  var staging: String {
    """
    INSERT INTO staged_value (customer, \(change.columns))
    SELECT id, \(change.values) FROM customer_record \(condition)
    """
  }

  /// The statement that gives them to the row.
  var edit: String {
    let all = Examination.values.map(\.0)
    let new = Dictionary(values) { first, _ in first }
    return """
      INSERT INTO logged_update (id, \(all.joined(separator: ", ")))
      SELECT id, \(all.map { new[$0] ?? $0 }.joined(separator: ", ")) FROM customer_record \(condition)
      """
  }
}
