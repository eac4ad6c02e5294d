import CustomerFixtures
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport

/// The checks of this suite in sequence; each ends at the first problem.
enum Examination {
  /// The first problem with the lists that `NewList.template` makes; nil if there is none.
  ///
  /// - Parameter migrator: what made them, to convert an older list, too.
  /// - Returns: the problem, for people.
  static func finding(_ migrator: Migrator = Migrations.migrator) -> String? {
    for part in [
      refusals, edits, history, manyRows, almostRuns, appended, upkeep, fields, manyValues, lines, entries,
      identity,
      names,
      states,
      reverts, damage,
      { try conversion(migrator) },
    ] {
      do {
        if let finding = try part() { return finding }
      } catch {
        return "\(error)"
      }
    }
    return nil
  }

  private static func refusals() throws -> String? {
    // Nothing has an id yet that the new one could be compared with.
    let first = "INSERT INTO customers (id) VALUES (9223372036854775807)"
    guard try Connection.newList().refusal(of: first) == "id" else { return "the first id is the greatest" }
    // Only counting leads beyond the greatest id that may be chosen.
    let counting = try Connection.newList()
    for id in ["4503599627370496", "4503599627370497"] {
      let refusal = counting.refusal(of: "INSERT INTO customers (id) VALUES (\(id))")
      guard refusal == nil else { return "id \(id): \(refusal ?? "")" }
    }
    for clause in ["", " OR IGNORE"] {
      let connection = try Connection.protectedList(.small)
      let before = try connection.dump()
      for (sql, kind) in Refused.statements {
        let found = connection.refusal(of: sql.replacing("{or}", with: clause))
        guard found == kind else { return "\(sql): \(found ?? "not refused"), not \(kind)" }
      }
      guard try connection.dump() == before else { return "a refused statement changed something" }
      try connection.execute("UPDATE sections SET footer = 'f'")
    }
    return nil
  }

  private static func edits() throws -> String? {
    for seed in 0..<12 {
      var client = try RandomClient(seed: seed)
      for _ in 0..<250 { if let difference = try client.step() { return difference } }
    }
    return nil
  }

  private static func history() throws -> String? {
    for seed in 0..<6 {
      var client = try RandomClient(seed: 300 + seed)
      let connection = client.connection
      var history = try HistoryModel(connection)
      for _ in 0..<80 {
        let (undone, redone) = (history.undoCount, history.redoCount)
        switch client.generator.below(10) {
        case 0..<3:
          guard try client.undo() == (undone > 0) else { return "undo" }
          history.undo()
        case 3..<5:
          guard try client.redo() == (redone > 0) else { return "redo" }
          history.redo()
        default:
          if let difference = try client.runOne() { return difference }
          try history.note(connection)
        }
        guard try connection.contents() == history.contents else { return "not the list that history led to" }
        if let broken = try connection.brokenInvariants().first { return broken }
        try client.model.reload(from: connection)
      }
    }
    return nil
  }

  /// What the program does to many rows at once, against arrays, and its undo.
  private static func manyRows() throws -> String? {
    var random = SplitMix64(seed: 1)
    for capacity in Capacity.allCases {
      let connection = try Connection.newList(capacity)
      try connection.append(20)
      try connection.execute("INSERT INTO sections (title) VALUES ('2')")
      // A repair places all rows of a section.
      for number in 1...3 {
        let id = try connection.nextID()
        try connection.addRecord()
        try connection.execute("INSERT INTO staged VALUES (?, ?)", [.integer(number), .integer(id)])
      }
      try connection.execute("INSERT INTO put_rows VALUES (2, 1)")
      for _ in 0..<25 {
        let rows = try connection.ids()
        var expected = rows
        try connection.step {
          switch random.below(5) {
          case 0:
            let (first, count, order) = (
              try connection.nextID(), 1 + random.below(30), 1 + random.below(rows.count + 1)
            )
            for _ in 0..<count { try connection.addRecord() }
            expected.insert(contentsOf: (0..<count).map { first + Int64($0) }, at: order - 1)
            try connection.execute(
              "INSERT INTO logged_insert_rows VALUES (?, ?, 1, ?)",
              [.integer(first), .integer(count), .integer(order)])
          case 1:
            guard let run = rows.longestRun, run.count > 0 else { break }
            expected.removeSubrange(run)
            try connection.execute(
              "INSERT INTO logged_delete_rows VALUES (?, ?, 1, ?)",
              [.integer(rows[run.lowerBound]), .integer(run.count), .integer(run.lowerBound + 1)])
          case 2:
            expected.shuffle(using: &random)
            guard expected != rows else { break }
            let moved = expected.enumerated().filter { $1 != rows[$0] }
            try connection.arrange(moved.map { ($1, (rows.firstIndex(of: $1) ?? 0) + 1, $0 + 1) })
          case 3:
            // A run stays together and goes elsewhere.
            let (first, count) = (random.below(rows.count + 1), random.below(rows.count + 1))
            let run = rows[min(first, rows.count)..<min(first + count, rows.count)]
            expected.removeSubrange(run.indices)
            let target = random.below(expected.count + 1)
            expected.insert(contentsOf: run, at: target)
            guard !run.isEmpty else { break }
            try connection.stage(run.enumerated().map { ($1, target + 1 + $0) })
            try NewList.manyRows.write(connection)
          default:
            try connection.rearrange(&expected, &random)
          }
        }
        if let difference = try connection.difference(from: expected) { return difference }
        if expected != rows {
          try connection.revertLast("undo")
          if let difference = try connection.difference(from: rows) { return difference }
          try connection.revertLast("redo")
          if let difference = try connection.difference(from: expected) { return difference }
        }
      }
    }
    return nil
  }

  /// Many rows that are nearly a run which stays together: apart by as much before and after, or in reverse.
  private static func almostRuns() throws -> String? {
    let apart = (1...8).map { (id: Int64(2 * $0), order: Int?(2 * $0 + 2)) }
    let reversed = (1...8).map { (id: Int64(2 + $0), order: Int?(15 - $0)) }
    for changes in [apart, reversed] {
      let connection = try Connection.newList(.small)
      try connection.append(20)
      var expected = try connection.ids().filter { id in !changes.contains { $0.id == id } }
      for (id, order) in changes.sorted(by: { $0.order ?? 0 < $1.order ?? 0 }) {
        expected.insert(id, at: (order ?? 0) - 1)
      }
      try connection.step {
        try connection.stage(changes)
        try NewList.manyRows.write(connection)
      }
      guard try connection.ids() == expected else { return "rows that are no run were moved as one" }
      if let broken = try connection.brokenInvariants().first { return broken }
      let undo = "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step"
      guard connection.refusal(of: undo) == "rows" else { return "another client undoes many rows" }
    }
    return nil
  }

  /// What the program adds to the ends of many sections, against what a client adds row by row.
  private static func appended() throws -> String? {
    var random = SplitMix64(seed: 4)
    for capacity in Capacity.allCases {
      let (connection, twin) = (try Connection.newList(capacity), try Connection.newList(capacity))
      for list in [connection, twin] { try list.step { try list.append(3) } }
      for step in 0..<6 {
        let known = try Int(connection.count("section_record"))
        let new = random.below(4)
        let runs = (0...(step * 8)).map { _ in
          // Some sections stay empty.
          (section: 1 + random.below(max(1, known + new - 1)), count: 1 + random.below(4))
        }
        try connection.step { try connection.append(runs, sections: known + 1..<known + new + 1) }
        try twin.step { try twin.appendOneByOne(runs, sections: known + 1..<known + new + 1) }
        for kind in [nil, "undo", "redo"] {
          for list in [connection, twin] { if let kind { try list.revertLast(kind) } }
          guard try connection.contentsAndLog() == twin.contentsAndLog() else {
            return "\(kind ?? "an edit") of rows at the ends of sections"
          }
          if let broken = try connection.brokenInvariants().first { return broken }
        }
      }
      guard try connection.count("customer_record WHERE uid IS NULL") == 0 else {
        return "uids of added rows"
      }
    }
    for damage in [
      "UPDATE section_record SET count = 4", "UPDATE place SET slot = slot + 1 WHERE customer = 3",
      #"UPDATE section_record SET "order" = 3"#, "UPDATE section_record SET title_key = 's2'",
    ] {
      let connection = try Connection.newList()
      try connection.append(3)
      try connection.execute(damage)
      guard connection.refusal({ try connection.append([(1, 1)], sections: 2..<3) }) != nil else {
        return "no refusal after \(damage)"
      }
    }
    return nil
  }

  /// What the history lets go, and the receipts of transactions.
  private static func upkeep() throws -> String? {
    let connection = try Connection.newList()
    try connection.execute("UPDATE history_limit SET steps = 3")
    for number in 1...10 {
      try connection.step {
        try connection.append(2)
        if number > 2, number.isMultiple(of: 2) {
          try connection.execute("DELETE FROM customers WHERE id = ?", [.integer(number)])
        } else if number > 2 {
          try connection.stage([(Int64(number), nil)])
          try NewList.manyRows.write(connection)
        }
      }
      guard try connection.count("open_receipt") == 0 else { return "a receipt is open" }
      guard try connection.count("history_step") == min(number, 3) else { return "steps are kept" }
    }
    let deleted = "customer_record WHERE deleted_by IS NOT NULL"
    guard try connection.count(deleted) == 3 else { return "records are kept" }
    try connection.execute("UPDATE history_limit SET steps = 100, bytes = 500")
    for number in 1...10 {
      try connection.step {
        try connection.execute(
          "UPDATE customers SET note = ? WHERE id = 1",
          [.text("\(number)" + String(repeating: "x", count: 200))])
      }
    }
    if let finding = try stepsOfPrograms() { return finding }
    let bytes = "SELECT max(bytes_before) - min(bytes_before) FROM history_step"
    guard try connection.fetchOne(bytes, [], { $0.int(0) }) ?? 0 <= 500 else { return "bytes are kept" }
    try connection.execute("INSERT INTO forget_history SELECT max(id) FROM history_step")
    guard try connection.count(deleted) == 0, try connection.count("history_edit") == 0,
      try connection.count("edit_record") == 0
    else {
      return "the history is kept"
    }
    return try connection.brokenInvariants().first
  }

  /// What a program does is a step of its own, even within a millisecond of another client's; and a step ends when
  /// its transaction undoes another.
  private static func stepsOfPrograms() throws -> String? {
    let connection = try Connection.newList()
    for number in 1...50 {
      try connection.append(1)
      let steps = try connection.count("history_step WHERE program <> ''")
      try connection.step { try connection.append(1) }
      let found = try connection.count("history_step WHERE program <> ''")
      guard found == steps + 1 else { return "step \(number) of a program" }
    }
    try connection.step {
      try connection.append(1)
      try connection.execute(
        "INSERT INTO revert_step SELECT max(id) - 1, 'undo' FROM history_step WHERE kind = 'edit'")
    }
    return try connection.count("history_step WHERE is_open") == 0 ? nil : "a step is open"
  }
}

extension Connection {
  /// Runs edits as a program that records its name: they are one step.
  func step(_ edits: () throws -> Void) throws {
    try execute("BEGIN")
    try execute("INSERT INTO begin_transaction VALUES ('token', 'program', 'user', 'host', 'action')")
    try edits()
    try execute("INSERT INTO end_transaction VALUES ('token')")
    try execute("COMMIT")
  }

  /// Runs a statement of another client as a step by itself, after the millisecond of the step before it.
  func statement(_ sql: String, _ arguments: [SQLiteValue] = []) throws {
    while try count("last_step WHERE at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now')") > 0 {}
    try execute(sql, arguments)
  }

  fileprivate func nextID() throws -> Int64 {
    try fetchOne("SELECT seq + 1 FROM sqlite_sequence WHERE name = 'customer_record'") { $0.integer(0) } ?? 1
  }

  /// Stages rows for an edit of many, with the places that they get in section 1; nil for those to delete.
  func stage(_ rows: [(id: Int64, order: Int?)]) throws {
    try NewList.manyRows.begin(self)
    for row in rows {
      try execute(
        "INSERT INTO staged_row (customer, to_section, to_order) VALUES (?, ?, ?)",
        [.integer(row.id), row.order == nil ? .null : .integer(1), row.order.map { .integer($0) } ?? .null])
    }
  }

  /// Adds sections, and rows at the ends of sections, all at once.
  fileprivate func append(_ runs: [(section: Int, count: Int)], sections: Range<Int>) throws {
    try NewList.manyRows.begin(self)
    for id in sections {
      try execute("INSERT INTO staged_section VALUES (?, ?)", [.integer(id), .text("s\(id)")])
    }
    for run in runs {
      for _ in 0..<run.count {
        try addRecord()
        try execute(
          "INSERT INTO staged_row (customer, to_section) SELECT last_insert_rowid(), ?",
          [.integer(run.section)])
      }
    }
    try NewList.manyRows.append(self)
  }

  /// The same, one after another; rows with consecutive ids and places are added together.
  fileprivate func appendOneByOne(_ runs: [(section: Int, count: Int)], sections: Range<Int>) throws {
    for id in sections { try execute("INSERT INTO sections (title) VALUES (?)", [.text("s\(id)")]) }
    var joined: [(section: Int, count: Int)] = []
    for run in runs {
      if joined.last?.section == run.section {
        joined[joined.count - 1].count += run.count
      } else {
        joined.append(run)
      }
    }
    for run in joined {
      let first = try nextID()
      for _ in 0..<run.count { try addRecord() }
      let place = "section, count + 1 FROM (SELECT id AS section, count FROM section_record WHERE id = ?2)"
      if run.count == 1 {
        try execute(
          "INSERT INTO logged_insert SELECT ?1, \(place)", [.integer(first), .integer(run.section)])
      } else {
        try execute(
          "INSERT INTO logged_insert_rows SELECT ?1, ?3, \(place)",
          [.integer(first), .integer(run.section), .integer(run.count)])
      }
    }
  }

  /// What people can see, and the log.
  fileprivate func contentsAndLog() throws -> [String] {
    let log = #"quote(kind) || quote(row) || quote(count) || quote(to_section) || quote(to_order)"#
    return try [contents()]
      + fetchAll("SELECT \(log) FROM history_edit ORDER BY step, id") { $0.text(0) }
      + fetchAll("SELECT quote(edits) || quote(bytes_before) || quote(bytes) FROM history_step ORDER BY id") {
        $0.text(0)
      }
  }

  /// Gives rows of a section the places of each other.
  func arrange(_ rows: [(id: Int64, from: Int, to: Int)], of section: Int64 = 1) throws {
    try NewList.manyRows.begin(self)
    for row in rows {
      try execute(
        #"INSERT INTO arranged_row (customer, "order", to_order) VALUES (?, ?, ?)"#,
        [.integer(row.id), .integer(row.from), .integer(row.to)])
    }
    try NewList.manyRows.arrange(section: section, self)
  }

  /// Undoes or redoes the last step that was not one itself.
  func revertLast(_ kind: String) throws {
    let last = try fetchOne("SELECT max(id) FROM history_step WHERE kind = 'edit'") { $0.integer(0) }
    try savepoint { try NewList.manyRows.revert(step: last ?? 0, kind, self) }
  }

  /// Deletes some rows of section 1, moves some, and adds some, all at once.
  fileprivate func rearrange(_ rows: inout [Int64], _ random: inout SplitMix64) throws {
    let share = random.below(5)
    let leaving = rows.filter { _ in random.below(4) < share }
    rows.removeAll(where: leaving.contains)
    var coming = leaving.filter { _ in random.below(3) > 0 }
    var changes = leaving.filter { !coming.contains($0) }.map { (id: $0, order: Int?.none) }
    for _ in 0..<random.below(12) {
      coming.append(try nextID())
      try addRecord()
    }
    coming.shuffle(using: &random)
    for id in coming { rows.insert(id, at: random.below(rows.count + 1)) }
    changes += rows.enumerated().filter { coming.contains($1) }.map { ($1, $0 + 1) }
    guard !changes.isEmpty else { return }
    try stage(changes)
    try NewList.manyRows.write(self)
  }

  fileprivate func addRecord() throws {
    try execute(
      """
      INSERT INTO customer_record (
        first_name, last_name, company, email, phone, address, note, is_favorite, can_edit, can_move, extra)
      VALUES ('', '', '', '', '', '', '', 0, 1, 1, '{}')
      """)
  }

  /// How section 1, or the inside of the file, differs from what is expected.
  fileprivate func difference(from ids: [Int64]) throws -> String? {
    let found = try self.ids()
    guard found == ids, try self.ids(in: 2).count == 3 else { return "\(found), not \(ids)" }
    return try brokenInvariants().first
  }
}

extension [Int64] {
  /// The longest run of consecutive ids, which were inserted together.
  fileprivate var longestRun: Range<Int>? {
    var best = 0..<0
    var start = 0
    for index in indices.dropFirst() where self[index] != self[index - 1] + 1 {
      if index - start > best.count { best = start..<index }
      start = index
    }
    return count - start > best.count ? start..<count : best
  }
}
