@testable import CustomerStore
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Testing

/// What the conversion makes of the log of an older list: uids, marks, and the number of each step's edits.
@Suite(.onThreads) struct ConversionTests {
  /// When the first step was made, in milliseconds since 1970.
  private static let start: Int64 = 1_700_000_000_000

  /// The uid of what was added then.
  private static func uid(_ row: Int64, after milliseconds: Int64 = 0) -> Int64 {
    -(((start + milliseconds) << 22) | (1 << 21)) + row
  }

  /// Makes a list of format 11 by statements, each of which is a step of its own, a second after the one before, and converts
  /// it.
  private func converted(
    _ statements: String..., changing changes: String = "", format: Int = 11
  ) throws -> Connection {
    // An open connection keeps the file.
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      try write([], to: path)
      do {
        let connection = try Connection(path: path)
        try connection.makeList(ofFormat: format)
        for statement in statements {
          try connection.execute(statement)
          try connection.execute("UPDATE history_step SET is_open = 0")
        }
        let time = "strftime('%Y-%m-%dT%H:%M:%fZ', \(Self.start / 1000) + id - 1, 'unixepoch')"
        try connection.execute("UPDATE history_step SET at = \(time)")
        try connection.executeScript(changes)
      }
      let connection = try Connection(path: path)
      try Migrations.migrator.migrate(connection)
      return connection
    }
  }

  private static let three = "INSERT INTO customers (note) VALUES ('a'), ('b'), ('c')"

  @Test func `a row has the time of its insertion in its uid, and so has a section`() throws {
    let list = try converted(Self.three, "INSERT INTO sections (title) VALUES ('Two')")
    #expect(try list.uids("customer_uid") == [1: Self.uid(1), 2: Self.uid(2), 3: Self.uid(3)])
    #expect(try list.uids("section_uid") == [1: 1, 2: Self.uid(2, after: 1000)])
    #expect(try list.brokenInvariants() == [])
  }

  @Test func `what others did in the same millisecond has other marks and uids`() throws {
    let makers = [
      "", "program = 'ann'", "user = 'ann'", "host = 'ann'", "action = 'ann'", "user = 'bob'",
      "user = 'an', host = 'n'", "user = 'a', host = 'nn'", "user = '\(String(repeating: "é", count: 5000))'",
    ]
    var found: [[Int64]] = []
    for maker in makers + makers {
      let list = try converted(
        Self.three, "INSERT INTO sections (title) VALUES ('Two')",
        changing: maker.isEmpty ? "" : "UPDATE history_step SET \(maker)")
      let marks = try list.fetchAll("SELECT mark FROM history_step ORDER BY id") { $0.integer(0) }
      let (rows, sections) = try (list.uids("customer_uid"), list.uids("section_uid"))
      found.append(marks + [rows[1], rows[2], rows[3], sections[2]].compactMap(\.self))
      #expect(found.last?.count == 6 && rows.values.allSatisfy { $0 < 0 })
      #expect(try list.brokenInvariants() == [])
    }
    #expect(found[..<makers.count] == found[makers.count...])
    #expect(Set(found.joined()).count == makers.count * 6)
    // Whoever made it, the time says whether a uid fits.
    let late = try converted(
      Self.three, changing: "UPDATE history_step SET at = '2040-01-01T00:00:00.000Z', user = 'ann'")
    #expect(try late.uids("customer_uid") == [1: 1, 2: 2, 3: 3])
  }

  @Test func `rows of an import have uids that follow each other, and no other row has one`() throws {
    let late = "UPDATE history_step SET at = '2040-01-01T00:00:00.000Z' WHERE id = 2"
    let list = try converted(
      Self.three, "INSERT INTO customers (note) VALUES ('late')",
      changing: """
        UPDATE history_edit SET kind = 'insert rows', count = 3 WHERE id = 1;
        DELETE FROM history_edit WHERE id IN (2, 3); \(late)
        """
    )
    #expect(try list.uids("customer_uid") == [1: Self.uid(1), 2: Self.uid(2), 3: Self.uid(3), 4: 4])
  }

  @Test func `what was added after 2039 keeps its id, and so do more rows than an id has bits`() throws {
    let list = try converted(
      Self.three, "INSERT INTO sections (title) VALUES ('Two')",
      changing: "UPDATE history_step SET at = '2040-01-01T00:00:00.000Z'"
    )
    #expect(try list.uids("customer_uid") == [1: 1, 2: 2, 3: 3])
    #expect(try list.uids("section_uid") == [1: 1, 2: 2])
    for (count, isKept) in [(1 << 20, false), ((1 << 20) + 1, true)] {
      let list = try converted(
        Self.three,
        changing: """
          DELETE FROM history_edit WHERE id > 1;
          UPDATE history_edit SET kind = 'insert rows', count = \(count);
          """
      )
      let uids = try list.uids("customer_uid")
      #expect(uids[2] == (isKept ? 2 : Self.uid(2)))
    }
  }

  @Test func `rows whose uids would be the same keep their ids, whichever comes first`() throws {
    for (first, second) in [(Int64(5), Int64(5 + (1 << 21))), (5, 5 + (2 << 21))] {
      let list = try converted(
        "INSERT INTO customers (id) VALUES (\(first))", "INSERT INTO customers (id) VALUES (\(second))",
        "INSERT INTO customers (note) VALUES ('other')",
        changing: "UPDATE history_step SET at = (SELECT at FROM history_step WHERE id = 1) WHERE id = 2"
      )
      #expect(
        try list.uids("customer_uid") == [
          first: first, second: second,
          second + 1: Self.uid((second + 1) & 0x1fffff, after: 2000),
        ])
      #expect(try list.brokenInvariants() == [])
    }
  }

  @Test(arguments: ["revert", ""]) func `a row that comes again has the uid of its insertion, or its id`(
    action: String
  ) throws {
    let comesAgain = """
      UPDATE history_step SET kind = 'edit', action = '\(action)', state = 'done', last = id WHERE id = 3;
      """
    let list = try converted(
      Self.three, "DELETE FROM customers WHERE id = 2", "INSERT INTO revert_step VALUES (2, 'undo')",
      changing: comesAgain
    )
    #expect(try list.uids("customer_uid") == [1: Self.uid(1), 2: Self.uid(2), 3: Self.uid(3)])
    guard action == "revert" else { return }
    // The log has forgotten the insertion, and has only the return.
    let forgetful = try converted(
      Self.three, "DELETE FROM customers WHERE id = 2", "INSERT INTO revert_step VALUES (2, 'undo')",
      changing: comesAgain
        + """
        DELETE FROM history_step WHERE id = 1;
        DELETE FROM history_edit WHERE id < (SELECT min(first_edit) FROM history_step);
        """
    )
    #expect(try forgetful.uids("customer_uid") == [1: 1, 2: 2, 3: 3])
  }

  @Test func `each step keeps the number of its edits, and a repair skips one`() throws {
    let list = try converted(
      Self.three, "INSERT INTO break_history VALUES ('2024-01-01T00:00:00.000Z')",
      "INSERT INTO customers (note) VALUES ('d'), ('e')"
    )
    let edits = try list.fetchAll("SELECT edits FROM history_step ORDER BY id") { $0.int(0) }
    #expect(edits == [3, 0, 2])
    // Numbers of 12 are given after the last one of before.
    let counted = try list.fetchOne("SELECT counted FROM identity") { $0.int(0) }
    #expect(counted == 6)
    let uids = try list.uids("customer_uid")
    #expect(uids[5] == Self.uid(5, after: 2000))
  }

  @Test func `an edit has all the values that it had`() throws {
    let list = try converted(
      "INSERT INTO customers (other_contacts, tags) VALUES ('tel: 1', 'old')",
      "UPDATE customers SET other_contacts = 'tel: 2', tags = 'new'"
    )
    let values = try list.fetchAll("SELECT other_contacts, tags FROM edit_record WHERE kind = 'update'") {
      $0.texts(2)
    }
    #expect(values == [["tel: 1", "old"]])
  }

  @Test func `a list of format 10 gets an id for itself and another for its history`() throws {
    var found: [[String]] = []
    for _ in 0..<2 {
      let list = try converted(Self.three, format: 10)
      found += try list.fetchAll("SELECT list_id, history_id FROM list_identity") { $0.texts(2) }
    }
    #expect(found.count == 2 && found[0] == found[1])
    #expect(found[0][0].count == 32 && found[0][1].count == 32 && found[0][0] != found[0][1])
  }
}

extension Connection {
  /// The uid of each row.
  fileprivate func uids(_ view: String) throws -> [Int64: Int64] {
    Dictionary(
      uniqueKeysWithValues: try fetchAll("SELECT id, uid FROM \(view)") { ($0.integer(0), $0.integer(1)) })
  }
}
