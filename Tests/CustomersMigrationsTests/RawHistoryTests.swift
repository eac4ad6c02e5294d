import CustomersSQLite
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Undo and redo of random statements of foreign clients.
@Suite(.onThreads) struct RawHistoryTests {
  static let statements = 240

  @Test(arguments: sampled(0..<12, oneIn: 12))
  func `in SQL, undo leads back to the new list through every state, and redo forward again`(seed: Int) throws
  {
    var client = try RandomClient(seed: 100 + seed)
    let connection = client.connection
    var history = try HistoryModel(connection)
    for number in 1...Self.statements {
      try client.beginOrEnd()
      try history.note(connection)
      if let difference = try client.runOne() {
        Issue.record("seed \(seed), statement \(number): \(difference)")
        return
      }
      try history.note(connection)
    }
    if connection.isInTransaction { try connection.execute("COMMIT") }
    let steps = history.undoCount
    #expect(steps > Self.statements / 4)
    for _ in 0..<1 {
      for step in 0..<steps {
        try client.undo()
        history.undo()
        guard try expectSame(connection, history, "seed \(seed), \(step) steps back") else { return }
      }
      #expect(try client.undo() == false)
      for step in 0..<steps {
        try client.redo()
        history.redo()
        guard try expectSame(connection, history, "seed \(seed), \(step) steps forward") else { return }
      }
      #expect(try client.redo() == false)
    }
  }

  @Test(arguments: sampled(0..<12, oneIn: 12))
  func `in SQL, edits, undo, and redo in any order go through the right states`(seed: Int) throws {
    var client = try RandomClient(seed: 200 + seed)
    let connection = client.connection
    var history = try HistoryModel(connection)
    for number in 1...Self.statements {
      let (undone, redone) = (history.undoCount, history.redoCount)
      switch client.generator.below(10) {
      case 0..<3:
        #expect(try client.undo() == (undone > 0))
        history.undo()
      case 3..<5:
        #expect(try client.redo() == (redone > 0))
        history.redo()
      default:
        if let difference = try client.runOne() {
          Issue.record("seed \(seed), statement \(number): \(difference)")
          return
        }
        try history.note(connection)
      }
      guard try expectSame(connection, history, "seed \(seed), statement \(number)") else { return }
      try client.model.reload(from: connection)
    }
  }

  @Test func `one statement on many rows is one step`() throws {
    let client = try RandomClient(seed: 0)
    let connection = client.connection
    try connection.execute(
      """
      INSERT INTO customers (note)
      WITH number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000) SELECT n FROM number
      """)
    #expect(try connection.count("history_step") == 1)
    #expect(try connection.count("history_edit") == 5000)
    #expect(try client.undo())
    #expect(try connection.count("customers") == 0)
    #expect(try connection.brokenInvariants() == [])
  }

  @Test func `NULL in place of an empty value changes nothing and adds no step`() throws {
    let connection = try Connection.newList()
    try connection.append(2)
    try connection.execute("UPDATE customers SET can_edit = 0 WHERE id = 2")
    let before = try connection.dump()
    for column in [
      "first_name", "last_name", "company", "email", "phone", "address", "note", "is_favorite", "can_move",
      "extra", "other_contacts", "tags",
    ] {
      try connection.execute("UPDATE customers SET \(column) = NULL")
    }
    try connection.execute("UPDATE customers SET can_edit = NULL WHERE id = 1")
    try connection.execute("UPDATE sections SET footer = NULL")
    #expect(try connection.dump() == before)
    // Other values are cleared, and undo restores them.
    try connection.execute("UPDATE customers SET note = 'x' WHERE id = 1")
    try connection.execute("UPDATE customers SET note = NULL WHERE id = 1")
    let edits = "SELECT note FROM history_edit WHERE kind = 'update' AND row = 1"
    #expect(try connection.fetchAll(edits) { $0.text(0) } == ["", "x"])
  }

  /// Whether the list is the one it must be, and whole inside.
  private func expectSame(_ connection: Connection, _ history: HistoryModel, _ place: String) throws -> Bool {
    let (contents, broken) = (try connection.contents(), try connection.brokenInvariants())
    #expect(contents == history.contents, "\(place)")
    #expect(broken == [], "\(place)")
    return contents == history.contents && broken == []
  }
}

extension RandomClient {
  /// Undoes the last step, if there is one.
  @discardableResult
  func undo() throws -> Bool {
    try revert(
      """
      INSERT INTO revert_step SELECT id, 'undo' FROM history_step
      WHERE kind = 'edit' AND state = 'done' ORDER BY id DESC LIMIT 1
      """)
  }

  /// Redoes the step that was last undone, if there is one.
  @discardableResult
  func redo() throws -> Bool {
    try revert(
      "INSERT INTO revert_step SELECT id, 'redo' FROM history_step WHERE state = 'undone' ORDER BY id LIMIT 1"
    )
  }

  private func revert(_ sql: String) throws -> Bool {
    let before = try connection.count("history_step")
    try connection.execute(sql)
    return try connection.count("history_step") > before
  }
}
