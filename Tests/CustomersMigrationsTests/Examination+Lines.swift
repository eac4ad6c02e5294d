import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport

/// A line of a log as a plain client expects it; the time is that of a given one, or nil.
private struct ExpectedLine: Equatable {
  var uid: Int64
  var customer: Int64
  var time: String?
  var author: String
  var text: String
}

extension Examination {
  /// Lines of logs, as plain clients write and read them.
  static func lines() throws -> String? {
    try linesOneByOne() ?? revertedLines() ?? forgottenLines() ?? randomLines()
  }

  private static func linesOneByOne() throws -> String? {
    let connection = try Connection.newList()
    try connection.append(2)
    try connection.statement("INSERT INTO log_lines (customer, text) VALUES (1, 'a')")
    let first =
      "SELECT uid < 0 AND typeof(uid) = 'integer' AND at = (SELECT at FROM last_step) AND author = ''"
    guard try connection.fetchOne("\(first) FROM log_lines", [], { $0.bool(0) }) == true else {
      return "a line"
    }
    try connection.statement(
      "INSERT INTO log_lines (uid, customer, at, author, text) VALUES (-5, 1, '2026-01-02', 'b', 5)")
    try connection.step { try connection.execute("INSERT INTO log_lines (uid, customer) VALUES (-6, 2)") }
    // A line of another time, even a later one, makes no difference.
    try connection.statement(
      "INSERT INTO log_lines (customer, at) VALUES (2, '2999-01-01'), (2, '2026-01-01')")
    let numbers = (1...6).map { "\($0)" }
    let values = numbers.map { "(2, '\($0)')" }.joined(separator: ", ")
    try connection.statement("INSERT INTO log_lines (customer, text) VALUES \(values)")
    let latest = "FROM log_lines WHERE customer = 2 AND text <> '' ORDER BY at"
    let texts = try connection.fetchAll("SELECT text \(latest)") { $0.text(0) }
    guard texts == numbers, try connection.count("log_lines WHERE at > '2998'") == 1 else {
      return "\(texts)"
    }
    try connection.statement("DELETE FROM log_lines WHERE customer = 2 AND uid <> -6")
    var all = try connection.lines()
    let given = ExpectedLine(uid: -5, customer: 1, time: "2026-01-02T00:00:00.000Z", author: "b", text: "5")
    guard all.contains(given) else { return "\(all), not \(given)" }
    guard let own = all.first(where: { $0.uid == -6 }), own.author == "user", own.text == "" else {
      return "\(all)"
    }
    let edits = try connection.count("history_edit")
    try connection.statement(
      "UPDATE log_lines SET customer = customer, at = at, author = author, text = text")
    guard try connection.count("history_edit") == edits else { return "an edit of nothing is logged" }
    for (column, value) in [
      ("customer", "2"), ("at", "'2026-01-03 04:05'"), ("author", "NULL"), ("text", "'c'"),
    ] {
      try connection.statement("UPDATE log_lines SET \(column) = \(value) WHERE uid = -5")
      let changed = try connection.lines()
      guard changed != all, changed.count == 3 else { return "\(column) was not set" }
      try connection.revertLast("undo")
      guard try connection.lines() == all else { return "undo of \(column)" }
      try connection.revertLast("redo")
      guard try connection.lines() == changed else { return "redo of \(column)" }
      all = changed
    }
    try connection.statement("UPDATE log_lines SET at = NULL, text = 'd' WHERE uid = -5")
    let last = ExpectedLine(uid: -5, customer: 2, time: "2026-01-03T04:05:00.000Z", author: "", text: "d")
    guard try connection.lines().contains(last) else { return "\(try connection.lines()), not \(last)" }
    // The history counts what it keeps.
    for statement in [
      "UPDATE log_lines SET text = 'e' WHERE uid = -5", "DELETE FROM customers WHERE id = 2",
      "DELETE FROM log_lines WHERE uid = -5",
    ] {
      try connection.statement(
        "UPDATE log_lines SET text = ? WHERE uid = -5", [.text(String(repeating: "x", count: 1000))])
      try connection.statement(statement)
      let bytes = try connection.fetchOne("SELECT bytes FROM last_step") { $0.int(0) } ?? 0
      guard (1000..<1500).contains(bytes) else { return "\(statement): \(bytes) bytes" }
      try connection.revertLast("undo")
    }
    return try connection.brokenInvariants().first
  }

  /// Only a line that is as the edit left it is reverted, of a customer in the list.
  private static func revertedLines() throws -> String? {
    let connection = try Connection.newList()
    try connection.append(2)
    try connection.statement("INSERT INTO log_lines (uid, customer) VALUES (-1, 1)")
    let insertion = try connection.fetchOne("SELECT id FROM last_edit") { $0.integer(0) } ?? 0
    try connection.statement("UPDATE log_lines SET customer = 2")
    let moving = insertion + 1
    try connection.statement("DELETE FROM customers WHERE id = 1")
    func refusal(_ edit: Int64) -> String? {
      connection.refusal(of: "INSERT INTO revert_edit SELECT * FROM history_edit WHERE id = \(edit)")
    }
    guard refusal(moving) == "history" else { return "a line goes to a deleted customer" }
    try connection.revertLast("undo")
    try connection.statement("DELETE FROM customers WHERE id = 2")
    guard refusal(moving) == "history" else { return "a line leaves a deleted customer" }
    try connection.revertLast("undo")
    try connection.statement("DELETE FROM log_lines")
    let deletion = try connection.fetchOne("SELECT id FROM last_edit") { $0.integer(0) } ?? 0
    guard refusal(moving) == "history", refusal(insertion) == "history" else {
      return "a line that is deleted"
    }
    try connection.statement("DELETE FROM customers WHERE id = 2")
    guard refusal(deletion) == "history" else { return "a line of a deleted customer" }
    try connection.revertLast("undo")
    guard refusal(deletion) == nil, refusal(deletion) == "history" else { return "a line that is there" }
    try connection.statement("DELETE FROM customers WHERE id = 2")
    guard try connection.lines() == [], try connection.count("line_record") == 1 else {
      return "a deleted customer"
    }
    return try connection.brokenInvariants().first
  }

  /// A deleted line, and those of a deleted customer, are kept while the history keeps the deletion.
  private static func forgottenLines() throws -> String? {
    for deletion in [
      "DELETE FROM customers WHERE id = 2", "INSERT INTO logged_delete_rows VALUES (2, 1, 1, 2)",
    ] {
      let connection = try Connection.newList()
      try connection.append(3)
      try connection.execute(
        "INSERT INTO log_lines (customer, text) VALUES (1, 'a'), (1, 'b'), (2, 'c'), (3, 'd')")
      try connection.execute("DELETE FROM log_lines WHERE text = 'b'")
      try connection.step { try connection.execute(deletion) }
      guard try connection.count("line_record") == 4, try connection.count("log_lines") == 2 else {
        return deletion
      }
      try connection.execute("INSERT INTO forget_history SELECT max(id) FROM history_step")
      let left = try connection.fetchAll("SELECT text FROM line_record ORDER BY 1") { $0.text(0) }
      guard left == ["a", "d"] else { return "\(left) are left after \(deletion)" }
    }
    return nil
  }

  /// Random statements, undone and redone, against an array.
  private static func randomLines() throws -> String? {
    for seed in 0..<4 {
      let connection = try Connection.newList(.small)
      try connection.append(4)
      try connection.execute("PRAGMA recursive_triggers = \(seed % 2)")
      var random = SplitMix64(seed: seed)
      var states: [[ExpectedLine]] = [[]]
      var (now, next) = (0, Int64(-10))
      for _ in 0..<80 {
        let lines = states[now]
        var changed = lines
        let clause = ["", " OR IGNORE", " OR REPLACE", " OR FAIL"][random.below(4)]
        let index = lines.isEmpty ? 0 : random.below(lines.count)
        let customer = Int64(1 + random.below(4))
        let text = "\(random.below(1000))"
        switch random.below(lines.isEmpty ? 3 : 7) {
        case 0 where now > 0:
          let done = "SELECT max(id), 'undo' FROM history_step WHERE kind = 'edit' AND state = 'done'"
          try connection.execute("INSERT INTO revert_step \(done)")
          now -= 1
          guard try connection.lines() == states[now] else { return "undo, seed \(seed)" }
          continue
        case 1 where now + 1 < states.count:
          let undone = "SELECT min(id), 'redo' FROM history_step WHERE state = 'undone'"
          try connection.execute("INSERT INTO revert_step \(undone)")
          now += 1
          guard try connection.lines() == states[now] else { return "redo, seed \(seed)" }
          continue
        case 0...2:
          next -= 1
          let sql = "INSERT\(clause) INTO log_lines (uid, customer, at, text) VALUES (?, ?, '2026-01-01', ?)"
          try connection.step {
            try connection.execute(sql, [.integer(next), .integer(customer), .text(text)])
          }
          changed.insert(
            .init(
              uid: next, customer: customer, time: "2026-01-01T00:00:00.000Z", author: "user", text: text),
            at: 0)
        case 3:
          try connection.step {
            try connection.execute("DELETE FROM log_lines WHERE uid = ?", [.integer(lines[index].uid)])
          }
          changed.remove(at: index)
        case 4:
          try connection.step {
            try connection.execute(
              "UPDATE\(clause) log_lines SET text = text || ? WHERE customer = ?",
              [.text(text), .integer(customer)])
          }
          for index in changed.indices where changed[index].customer == customer {
            changed[index].text += text
          }
        default:
          try connection.step {
            try connection.execute(
              "UPDATE\(clause) log_lines SET customer = ? WHERE uid = ?",
              [.integer(customer), .integer(lines[index].uid)])
          }
          changed[index].customer = customer
        }
        guard try connection.lines() == changed else { return "\(try connection.lines()), not \(changed)" }
        guard changed != lines else { continue }
        states = states[...now] + [changed]
        now += 1
      }
      if let broken = try connection.brokenInvariants().first { return broken }
    }
    return nil
  }
}

extension Connection {
  fileprivate func lines() throws -> [ExpectedLine] {
    try fetchAll("SELECT uid, customer, at, author, text FROM log_lines ORDER BY uid") { row in
      ExpectedLine(
        uid: row.integer(0), customer: row.integer(1), time: row.text(2), author: row.text(3),
        text: row.text(4))
    }
  }
}
