import Foundation
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The properties of a new file on which other programs rely.
@Suite(.onThreads) struct SchemaTests {
  /// The tests of the package.
  private static let tests = URL(fileURLWithPath: #filePath).appendingPathComponent("../..")
    .standardizedFileURL

  @Test(arguments: [10, 11]) func `an empty list of this format is what its steps made`(format: Int) throws {
    let folder = Self.tests.appendingPathComponent("CustomersMigrationsTests/Samples/Steps")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files.count == 10)
    let shipped = try Connection(path: ":memory:")
    for file in files {
      try shipped.executeScript(String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
    }
    if format == 11 {
      let step = try #require(Migrations.migrator.wholeSteps[11])
      try shipped.executeScript(step())
    }
    let list = try Connection(path: ":memory:")
    try list.makeList(ofFormat: format)
    #expect(try list.schema() == shipped.schema())
    #expect(try list.rows() == shipped.rows())
    #expect(try list.rows(of: "sqlite_sequence") == shipped.rows(of: "sqlite_sequence"))
    #expect(
      try shipped.fetchOne("PRAGMA application_id") { $0.integer(0) } == Migrations.releasedApplicationID)
  }

  @Test(arguments: [10, 11]) func `an empty list of this format, converted, is a new one`(format: Int) throws
  {
    let list = try Connection(path: ":memory:")
    try list.makeList(ofFormat: format)
    try Migrations.migrator.migrate(list)
    let new = try Connection.newList()
    #expect(try Set(list.schema()) == Set(new.schema()))
    #expect(try list.rows() == new.rows())
    #expect(try list.rows(of: "sqlite_sequence") == new.rows(of: "sqlite_sequence"))
    #expect(try Migrations.migrator.state(of: list) == .known(format: Migrations.format))
  }

  @Test(arguments: [10, 11]) func `a list of this format gets the schema of a new one`(format: Int) throws {
    try withTemporaryFolder { folder in
      let sample = Self.tests.appendingPathComponent("CustomerStoreTests/Samples/format-\(format).sqlite")
      let path = folder + "/list.sqlite"
      try write(bytes(of: sample.path), to: path)
      let list = try Connection(path: path)
      let before = try list.contents()
      try Migrations.migrator.migrate(list)
      #expect(try Set(list.schema()) == Set(Connection.newList().schema()))
      #expect(try list.contents() == before)
      #expect(try list.brokenInvariants() == [])
    }
  }

  /// What other programs may have added to a list.
  private static let additions = [
    "CREATE TABLE visits (customer INTEGER, at TEXT)", "CREATE INDEX visits_by_customer ON visits (customer)",
    "CREATE INDEX places_by_customer ON place (customer)",
    "CREATE INDEX records_by_phone ON customer_record (phone)",
    "CREATE VIEW vips AS SELECT id, first_name FROM customers WHERE is_favorite",
    "CREATE VIEW Visited AS SELECT vips.*, at FROM vips JOIN visits ON customer = id",
    "CREATE TRIGGER new_vip INSTEAD OF INSERT ON vips BEGIN INSERT INTO visits VALUES (NEW.id, 'x'); END",
    "CREATE TRIGGER seen AFTER UPDATE ON customer_record BEGIN INSERT INTO visits VALUES (NEW.id, 'y'); END",
    "CREATE TRIGGER noted INSTEAD OF UPDATE OF note ON customers BEGIN INSERT INTO visits VALUES (NEW.id, 'z'); END",
  ]

  @Test(arguments: [10, 11]) func `what other programs added stays in a conversion`(format: Int) throws {
    let list = try Connection(path: ":memory:")
    try list.makeList(ofFormat: format)
    for addition in Self.additions { try list.executeScript(addition) }
    try list.append(3)
    try list.executeScript(
      "UPDATE customers SET is_favorite = 1 WHERE id = 2; INSERT INTO visits VALUES (2, 'a')")
    try Migrations.migrator.migrate(list)
    let ours = try Set(Connection.newList().schema())
    let found = try list.schema()
    #expect(ours.isSubset(of: found))
    #expect(Set(found.filter { !ours.contains($0) }.map(\.sql)) == Set(Self.additions))
    #expect(try list.fetchAll("SELECT id, at FROM Visited WHERE at = 'a'") { $0.texts(2) } == [["2", "a"]])
  }

  @Test(arguments: [
    ("table", "CREATE TABLE Clash (x); CREATE INDEX clash_by_x ON Clash (x)"),
    ("view", "CREATE VIEW Clash AS SELECT 1"),
    ("index", "CREATE TABLE own (x); CREATE INDEX Clash ON own (x)"),
    ("trigger", "CREATE TABLE own (x); CREATE TRIGGER Clash AFTER INSERT ON own BEGIN SELECT 1; END"),
  ])
  func `what has a new name stops the conversion, named, and goes from a copy that is only read`(
    kind: String, addition: String
  ) throws {
    let list = try Connection(path: ":memory:")
    try list.makeList(ofFormat: 11)
    try list.executeScript(addition)
    let before = try list.schema()
    var migrator = Migrations.migrator
    let ours =
      "CREATE VIEW clash AS SELECT 2; CREATE TRIGGER clash INSTEAD OF INSERT ON clash BEGIN SELECT 1; END;"
    migrator.base = { Migrations.base(ofFormat: $0) + ($0 == 12 ? ours : "") }
    let reason = "another program made the \(kind) \"Clash\", whose name the list needs now"
    #expect(throws: Migrator.Failure(format: 11, reason: reason, isNameTaken: true)) {
      try migrator.migrate(list)
    }
    #expect(try list.schema() == before)
    try migrator.migrate(list, isPrivate: true)
    #expect(try list.fetchAll("SELECT * FROM clash") { $0.int(0) } == [2])
  }

  @Test func `the file records its application and its format`() throws {
    let connection = try Connection.newList()
    #expect(try connection.fetchOne("PRAGMA application_id") { $0.integer(0) } == Migrations.applicationID)
    #expect([0x436C_7374, 0x4375_7374].contains(Migrations.applicationID))
    #expect(try connection.fetchOne("PRAGMA user_version") { $0.int(0) } == Migrations.format)
  }

  @Test func `the triggers and tables that Migrations names are those of a new file`() throws {
    let connection = try Connection.newList()
    let triggers = try connection.fetchAll("SELECT sql FROM sqlite_schema WHERE type = 'trigger'") {
      $0.text(0)
    }
    #expect(!triggers.isEmpty)
    #expect(triggers == Migrations.triggers)
    let tables = try connection.fetchAll(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    ) { $0.text(0) }
    #expect(Set(tables) == Migrations.tables)
    #expect(try Migrations.migrator.objects(ofFormat: Migrations.format) == Migrations.schema)
  }

  @Test func `the columns of the views are these`() throws {
    let connection = try Connection.newList()
    let columns = { view in
      try connection.fetchAll("SELECT name FROM pragma_table_info(?)", [.text(view)]) { $0.text(0) }
    }
    #expect(
      try columns("customers") == [
        "id", "section", "order", "first_name", "last_name", "company", "email", "phone", "address", "note",
        "is_favorite", "can_edit", "can_move", "extra", "other_contacts", "tags", "next",
        "address_parts",
      ])
    #expect(try columns("log_lines") == ["uid", "customer", "at", "author", "text"])
    #expect(try columns("columns") == ["uid", "name", "kind", "place", "choices"])
    #expect(try columns("settings") == ["name", "value"])
    #expect(try columns("persons") == ["uid", "name"])
    #expect(try columns("sections") == ["id", "title", "footer", "order", "count"])
  }

  @Test func `a new file has one empty section`() throws {
    let connection = try Connection.newList()
    let found = try connection.fetchAll(#"SELECT id, title, footer, "order", count FROM sections"#) {
      $0.texts(5)
    }
    #expect(found == [["1", "Customers", "", "1", "0"]])
    #expect(try connection.ids() == [])
    #expect(try connection.brokenInvariants() == [])
  }

  @Test func `omitted columns are empty after an insert, and the protection are granted`() throws {
    let connection = try Connection.newList()
    try connection.execute("INSERT INTO customers (first_name) VALUES ('Ann')")
    let found = try connection.fetchAll("SELECT * FROM customers") { $0.texts(16) }
    #expect(found == [["1", "1", "1", "Ann", "", "", "", "", "", "", "0", "1", "1", "{}", "", ""]])
  }

  @Test func `an id is not used again`() throws {
    let connection = try Connection.newList()
    try connection.append(3)
    try connection.execute("DELETE FROM customers WHERE id >= 2")
    try connection.append(1)
    #expect(try connection.ids() == [1, 4])
    try connection.execute("INSERT INTO sections (title) VALUES ('2')")
    try connection.execute("DELETE FROM sections WHERE id = 2")
    try connection.execute("INSERT INTO sections (title) VALUES ('3')")
    #expect(
      try connection.fetchAll("SELECT id FROM sections ORDER BY \"order\"") { $0.integer(0) } == [1, 3])
  }
}

extension Connection {
  /// The rows of all our tables, except the random ids of a list.
  fileprivate func rows() throws -> [String: [[String]]] {
    let tables = try schema().filter { $0.type == "table" && $0.name != "identity" }.map(\.name)
    return try Dictionary(uniqueKeysWithValues: tables.map { ($0, try rows(of: $0)) })
  }

  fileprivate func rows(of table: String) throws -> [[String]] {
    try fetchAll("SELECT * FROM \(table)") { $0.texts($0.columnCount) }
  }
}
