import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport

extension Examination {
  /// Declared columns, settings, and persons, as plain clients write and read them.
  static func entries() throws -> String? {
    try entriesOneByOne() ?? revertedEntries() ?? forgottenEntries() ?? randomEntries() ?? addressParts()
  }

  private static func entriesOneByOne() throws -> String? {
    let connection = try Connection.newList()
    let places = (1...11).map { "\($0)" }
    guard try connection.fetchAll("SELECT place FROM columns WHERE uid = place", [], { $0.text(0) }) == places
    else {
      return "the fields are not declared"
    }
    try connection.executeScript(
      """
      INSERT INTO columns (name) VALUES ('Due'); INSERT INTO columns (uid, name, place) VALUES (-5, 'email', 3);
      INSERT INTO settings VALUES ('sort', NULL); INSERT INTO persons (name) VALUES ('Due'), ('sort');
      INSERT INTO settings VALUES ('Due', 5);
      """)
    let due =
      "name = 'Due' AND kind = 'text' AND choices = '' AND place = 12 AND uid < 0 AND typeof(uid) = 'integer'"
    let parts = [
      "columns WHERE \(due)", "columns WHERE uid = -5 AND name = 'email' AND place = 3",
      "settings WHERE name = 'sort' AND value = ''", "settings WHERE name = 'Due' AND value = '5'",
      "persons WHERE name = 'sort' AND uid < 0",
    ]
    for part in parts where try connection.count(part) != 1 { return part }
    guard try connection.count("persons") == 2, try connection.count("columns") == 13 else { return "views" }
    let edits = try connection.count("history_edit")
    try connection.executeScript(
      """
      UPDATE columns SET uid = uid, name = name, kind = kind, place = place, choices = choices;
      UPDATE settings SET name = name, value = value; UPDATE persons SET uid = uid, name = name;
      """)
    guard try connection.count("history_edit") == edits else { return "an edit of nothing is logged" }
    for (view, column, value, row) in [
      ("columns", "name", "'Last'", "uid = -5"), ("columns", "kind", "'choice'", "uid = -5"),
      ("columns", "place", "99", "uid = -5"), ("columns", "choices", "'a'", "uid = -5"),
      ("columns", "place", "99", "uid = 7"), ("columns", "choices", "'a'", "uid = 7"),
      ("settings", "name", "'x'", "name = 'sort'"), ("settings", "value", "'x'", "name = 'x'"),
      ("persons", "name", "'x'", "name = 'sort'"),
    ] {
      let before = try connection.entries()
      try connection.statement("UPDATE \(view) SET \(column) = \(value) WHERE \(row)")
      let after = try connection.entries()
      guard after != before, after.count == before.count else { return "\(view).\(column) was not set" }
      try connection.revertLast("undo")
      guard try connection.entries() == before else { return "undo of \(view).\(column)" }
      try connection.revertLast("redo")
      guard try connection.entries() == after else { return "redo of \(view).\(column)" }
    }
    // The history counts what it keeps.
    let long = SQLiteValue.text(String(repeating: "x", count: 1000))
    for (sql, statement) in [
      ("UPDATE columns SET choices = ? WHERE uid = -5", "DELETE FROM columns WHERE uid = -5"),
      ("UPDATE columns SET name = ? WHERE uid = -5", "UPDATE columns SET name = 'q' WHERE uid = -5"),
      ("UPDATE settings SET value = ? WHERE name = 'Due'", "DELETE FROM settings WHERE name = 'Due'"),
    ] {
      try connection.step { try connection.execute(sql, [long]) }
      try connection.step { try connection.execute(statement) }
      let bytes = try connection.fetchOne("SELECT bytes FROM last_step") { $0.int(0) } ?? 0
      guard (1000..<2500).contains(bytes) else { return "\(statement): \(bytes) bytes" }
      // Others have the name, too.
      let columns = try connection.count("columns")
      guard try connection.count("persons") == 2,
        columns == (statement.hasPrefix("DELETE FROM columns") ? 12 : 13)
      else { return "\(statement): \(columns) columns" }
      try connection.revertLast("undo")
    }
    return try connection.brokenInvariants().first
  }

  /// Only an entry that is as the edit left it is reverted, and never to a name that another one has.
  private static func revertedEntries() throws -> String? {
    let connection = try Connection.newList()
    try connection.statement("INSERT INTO columns (uid, name) VALUES (-1, 'A')")
    let insertion = try connection.fetchOne("SELECT id FROM last_edit") { $0.integer(0) } ?? 0
    try connection.statement("UPDATE columns SET name = 'B' WHERE uid = -1")
    try connection.statement("INSERT INTO columns (uid, name) VALUES (-2, 'A')")
    try connection.statement("INSERT INTO persons (name) VALUES ('B')")
    func refusal(_ edit: Int64) -> String? {
      connection.refusal(of: "INSERT INTO revert_edit SELECT * FROM history_edit WHERE id = \(edit)")
    }
    guard refusal(insertion + 1) == "history" else { return "a name that another column has" }
    try connection.statement("DELETE FROM columns WHERE uid = -2")
    guard refusal(insertion + 1) == nil else { return "the name of a deleted column" }
    try connection.statement("DELETE FROM columns WHERE uid = -1")
    let deletion = try connection.fetchOne("SELECT id FROM last_edit") { $0.integer(0) } ?? 0
    guard refusal(insertion) == "history", refusal(insertion + 1) == "history" else {
      return "a deleted column"
    }
    try connection.statement("INSERT INTO columns (uid, name) VALUES (-3, 'A')")
    guard refusal(deletion) == "history" else { return "a column whose name another one has now" }
    try connection.statement("DELETE FROM columns WHERE uid = -3")
    guard refusal(deletion) == nil, refusal(deletion) == "history" else { return "a column that is there" }
    return try connection.brokenInvariants().first
  }

  private static func forgottenEntries() throws -> String? {
    let connection = try Connection.newList()
    try connection.executeScript(
      """
      INSERT INTO columns (name) VALUES ('A'), ('B'); INSERT INTO persons (name) VALUES ('C'), ('D');
      DELETE FROM columns WHERE name = 'A'; DELETE FROM persons WHERE name = 'D';
      """)
    guard try connection.count("entry_record") == 15 else { return "a deleted column is not kept" }
    try connection.statement("INSERT INTO forget_history SELECT max(id) FROM history_step")
    let left = try connection.fetchAll("SELECT name FROM entry_record WHERE uid < 0 ORDER BY 1") {
      $0.text(0)
    }
    return left == ["B", "C"] ? nil : "\(left) are left"
  }

  /// Random statements, undone and redone, against a dictionary.
  private static func randomEntries() throws -> String? {
    for seed in 0..<4 {
      let connection = try Connection.newList(.small)
      try connection.execute("PRAGMA recursive_triggers = \(seed % 2)")
      var random = SplitMix64(seed: seed)
      var states: [[String: String]] = [[:]]
      var now = 0
      for _ in 0..<80 {
        var settings = states[now]
        let clause = ["", " OR IGNORE", " OR REPLACE", " OR FAIL"][random.below(4)]
        let (name, value) = ("\(random.below(6))", "\(random.below(1000))")
        switch random.below(5) {
        case 0 where now > 0:
          try connection.execute(
            "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step WHERE kind = 'edit' AND state = 'done'"
          )
          now -= 1
          guard try connection.settings() == states[now] else { return "undo, seed \(seed)" }
          continue
        case 1 where now + 1 < states.count:
          try connection.execute(
            "INSERT INTO revert_step SELECT min(id), 'redo' FROM history_step WHERE state = 'undone'")
          now += 1
          guard try connection.settings() == states[now] else { return "redo, seed \(seed)" }
          continue
        case 2:
          try connection.step { try connection.execute("DELETE FROM settings WHERE name = ?", [.text(name)]) }
          settings[name] = nil
        case 3 where settings[name] != nil:
          try connection.step {
            try connection.execute(
              "UPDATE\(clause) settings SET value = ? WHERE name = ?", [.text(value), .text(name)])
          }
          settings[name] = value
        default:
          let sql = "INSERT\(clause) INTO settings VALUES (?, ?)"
          guard settings[name] == nil else {
            let refusal = connection.refusal { try connection.execute(sql, [.text(name), .text(value)]) }
            guard refusal == "name" else { return "a second setting of a name: \(refusal ?? "")" }
            continue
          }
          try connection.step { try connection.execute(sql, [.text(name), .text(value)]) }
          settings[name] = value
        }
        guard try connection.settings() == settings else {
          return "\(try connection.settings()), not \(settings)"
        }
        guard settings != states[now] else { continue }
        states = states[...now] + [settings]
        now += 1
      }
      if let broken = try connection.brokenInvariants().first { return broken }
    }
    return nil
  }

  /// A client that does not know of the parts of an address changes it without them.
  private static func addressParts() throws -> String? {
    let connection = try Connection.newList()
    try connection.statement("INSERT INTO customers (address, address_parts) VALUES ('a', 'p')")
    for (change, parts) in [
      ("note = 'n'", "p"), ("address = 'a', note = ''", "p"), ("address = 'b'", ""),
      ("address = 'c', address_parts = 'q'", "q"), ("address_parts = 'r'", "r"), ("address_parts = NULL", ""),
    ] {
      let before = try connection.parts()
      try connection.statement("UPDATE customers SET \(change)")
      guard try connection.parts() == parts else { return "\(change): \(try connection.parts())" }
      try connection.revertLast("undo")
      guard try connection.parts() == before else { return "undo of \(change)" }
      try connection.revertLast("redo")
    }
    return nil
  }
}

extension Connection {
  fileprivate func entries() throws -> [[String]] {
    try fetchAll("SELECT uid, type, name, value, place, choices FROM entry_record ORDER BY uid") {
      $0.texts(6)
    }
  }

  fileprivate func settings() throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try fetchAll("SELECT name, value FROM settings") { ($0.text(0), $0.text(1)) })
  }

  fileprivate func parts() throws -> String {
    try fetchOne("SELECT address_parts FROM customers") { $0.text(0) } ?? ""
  }
}
