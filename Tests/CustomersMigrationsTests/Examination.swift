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
      refusals, edits, history, manyRows, upkeep, fields, identity, reverts, damage,
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
      try connection.append(3, to: 2)
      for _ in 0..<25 {
        let rows = try connection.ids()
        var expected = rows
        try connection.step {
          switch random.below(3) {
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
          default:
            expected.shuffle(using: &random)
            for (index, id) in expected.enumerated() {
              try connection.execute("INSERT INTO staged VALUES (?, ?)", [.integer(index + 1), .integer(id)])
            }
            try connection.execute("INSERT INTO logged_arrange VALUES (1)")
          }
        }
        if let difference = try connection.difference(from: expected) { return difference }
        let undo = "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step WHERE kind = 'edit'"
        if expected != rows {
          try connection.execute(undo)
          if let difference = try connection.difference(from: rows) { return difference }
          try connection.execute(undo.replacing("undo", with: "redo"))
          if let difference = try connection.difference(from: expected) { return difference }
        }
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
        if number > 2 { try connection.execute("DELETE FROM customers WHERE id = ?", [.integer(number)]) }
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
    guard try connection.count(deleted) == 0, try connection.count("history_edit") == 0 else {
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

  fileprivate func nextID() throws -> Int64 {
    try fetchOne("SELECT seq + 1 FROM sqlite_sequence WHERE name = 'customer_record'") { $0.integer(0) } ?? 1
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
