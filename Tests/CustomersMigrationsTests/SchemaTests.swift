import Foundation
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The properties of a new file on which other programs rely.
@Suite struct SchemaTests {
  @Test func `the steps are the files of the folder, in order`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Migrations").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".sql") && $0 != "schema.sql" }.sorted()
    let texts = try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    #expect(texts == Migrations.steps)
    for (index, file) in files.enumerated() {
      #expect(file.hasPrefix(String(repeating: "0", count: 4 - "\(index + 1)".count) + "\(index + 1)-"))
    }
  }

  @Test func `schema.sql is the schema that the steps add up to`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Migrations/schema.sql").standardizedFileURL
    let list = try Connection.newList()
    let text = try SchemaFile(Migrations.steps).text(list)
    if ProcessInfo.processInfo.environment["CUSTOMERS_RECORD"] != nil {
      try write(Array(text.utf8), to: file.path)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    // Nothing is missing, and what is there means the same.
    let copy = try Connection(path: ":memory:")
    try copy.executeScript(text)
    #expect(try Set(copy.schema()) == Set(list.schema()))
  }

  @Test func `the file records its application and its migrations`() throws {
    let connection = try Connection.newList()
    #expect(try connection.fetchOne("PRAGMA application_id") { $0.integer(0) } == 0x436C_7374)
    #expect(Migrations.applicationID == 0x436C_7374)
    #expect(try connection.fetchOne("PRAGMA user_version") { $0.int(0) } == Migrations.steps.count)
  }

  @Test func `the triggers and tables that Migrations names are those of a new file`() throws {
    let connection = try Connection.newList()
    let triggers = try connection.fetchAll("SELECT sql FROM sqlite_schema WHERE type = 'trigger'") {
      $0.text(0)
    }
    #expect(!triggers.isEmpty)
    #expect(Set(triggers) == Migrations.triggers)
    #expect(triggers.count == Migrations.triggers.count)
    let tables = try connection.fetchAll(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    ) { $0.text(0) }
    #expect(Set(tables) == Migrations.tables)
  }

  @Test func `the columns of the views are these`() throws {
    let connection = try Connection.newList()
    let columns = { view in
      try connection.fetchAll("SELECT name FROM pragma_table_info(?)", [.text(view)]) { $0.text(0) }
    }
    #expect(
      try columns("customers") == [
        "id", "section", "order", "first_name", "last_name", "company", "email", "phone", "address", "note",
        "is_favorite", "can_edit", "can_move", "extra", "other_contacts", "tags",
      ])
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
