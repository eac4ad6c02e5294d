import CustomerFixtures
import CustomerStore
import Foundation
@testable import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Rehearses a later change of the schema, as described in `Migrations/README.md`, with a format that is in no
/// release: a trigger is another one, and a table gets a column.
@Suite(.onThreads) struct NextStepTests {
  private static let migrator = NextFormat.migrator

  /// Lends a file with a list, some history, and one connection.
  private func withList(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      let store = try CustomerStore(path: path)
      try store.write { list in for number in 1...40 { try list.insert(CustomerFields(note: "\(number)")) } }
      try store.write { list in try list.move([CustomerID(rawValue: 40)], to: .place(2)) }
      try store.write { list in try list.delete([CustomerID(rawValue: 7)]) }
      try body(path)
    }
  }

  @Test func `a step upgrades a file with data, and what was done before it can be undone`() throws {
    try withList { path in
      let connection = try Connection(path: path)
      let before = try connection.contents()
      try Self.migrator.migrate(connection)
      #expect(try Self.migrator.state(of: connection) == .known(format: NextFormat.number))
      #expect(try Set(connection.schema()) == Set(Self.migrator.objects(ofFormat: NextFormat.number)))
      #expect(try connection.contents() == before)
      #expect(try connection.brokenInvariants() == [])
      // The trigger is the new one, the column is there, and a client finds both.
      #expect(throws: SQLiteError.self) {
        try connection.execute(#"UPDATE customers SET "order" = 0 WHERE id = 1"#)
      }
      #expect(
        connection.refusal(of: #"UPDATE customers SET "order" = 0 WHERE id = 1"#) == "place (rehearsal)")
      #expect(
        try connection.fetchOne("SELECT count(*) FROM customer_record WHERE website = ''") { $0.int(0) } == 40
      )
      try connection.execute("INSERT INTO customers (note) VALUES ('new')")
      for _ in 0..<4 {
        try connection.execute(
          """
          INSERT INTO revert_step SELECT id, 'undo' FROM history_step
          WHERE kind = 'edit' AND state = 'done' ORDER BY id DESC LIMIT 1
          """)
      }
      #expect(try connection.ids() == [])
      #expect(try connection.brokenInvariants() == [])
    }
  }

  @Test func `the objects that the schema names are those of a new file`() throws {
    let connection = try Connection(path: ":memory:")
    try Self.migrator.migrate(connection)
    let objects = SchemaObjects(Array(Self.migrator.base(NextFormat.number).utf8))
    let triggers = try connection.fetchAll("SELECT sql FROM sqlite_schema WHERE type = 'trigger'") {
      $0.text(0)
    }
    #expect(Set(objects.triggers) == Set(triggers))
    let tables = try connection.fetchAll(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    ) { $0.text(0) }
    #expect(objects.tables == Set(tables))
    #expect(objects.triggers != Migrations.triggers)
  }

  /// Damage with which a file still opens, and the upgrade's message about it.
  static let damages: [(script: String, reason: String)] = [
    ("ALTER TABLE customer_record ADD COLUMN website", "duplicate column name: website"),
    ("DROP TABLE node; DROP TABLE customer_record", "no such table: customer_record"),
    (
      "DROP VIEW check_place; CREATE TABLE check_place (x)",
      "another program made the table \"check_place\", whose name the list needs now"
    ),
  ]

  @Test(arguments: ["DROP TRIGGER check_place", "DROP VIEW check_place"])
  func `a view or trigger that is missing is there afterward`(script: String) throws {
    try withList { path in
      let connection = try Connection(path: path)
      try connection.executeScript(script)
      try Self.migrator.migrate(connection)
      #expect(try Set(connection.schema()) == Set(Self.migrator.objects(ofFormat: NextFormat.number)))
    }
  }

  @Test func `a row of another program that refers to nothing does not matter`() throws {
    try withList { path in
      let connection = try Connection(path: path)
      try connection.executeScript(
        "CREATE TABLE own (section REFERENCES section_record); INSERT INTO own VALUES (77)")
      try Self.migrator.migrate(connection)
      #expect(try connection.count("own") == 1)
    }
  }

  @Test(arguments: damages.indices)
  func `a damaged file that can be opened is refused with the reason, and left unchanged`(index: Int) throws {
    let (script, reason) = Self.damages[index]
    try withList { path in
      try Connection(path: path).executeScript(script)
      let before = try bytes(of: path)
      do {
        let connection = try Connection(path: path)
        #expect(
          throws:
            Migrator.Failure(
              format: Migrations.format, reason: reason, isNameTaken: reason.contains("another program"))
        ) {
          try Self.migrator.migrate(connection)
        }
      }
      #expect(try bytes(of: path) == before)
    }
  }

  @Test func `a file with a damaged page is refused and left unchanged`() throws {
    try withList { path in
      // A page in the middle, where the schema is or the records are.
      let size = try bytes(of: path).count
      for page in stride(from: 1, to: size / 4096, by: 3) {
        var damaged = try bytes(of: path)
        for index in page * 4096..<page * 4096 + 64 { damaged[index] = 0xa5 }
        let copy = path + "-\(page)"
        try write(damaged, to: copy)
        do {
          let connection = try Connection(path: copy)
          try Self.migrator.migrate(connection)
          // The conversion did not come by this page.
          #expect(try Self.migrator.state(of: connection) == .known(format: NextFormat.number))
        } catch let error as SQLiteError {
          #expect(error.code.primary == .corrupt, "page \(page): \(error)")
          #expect(try bytes(of: copy) == damaged)
        }
      }
    }
  }

  @Test func `ten programs that start at once make the step once`() throws {
    try withList { path in
      let programs = try (0..<10).map { _ in try UpgradeProgram(path) }
      for program in programs { program.begin() }
      for program in programs { #expect(program.outcome() == "known(format: \(NextFormat.number))\n") }
      let connection = try Connection(path: path)
      #expect(try Self.migrator.state(of: connection) == .known(format: NextFormat.number))
      #expect(try connection.count("customers") == 39)
      #expect(try connection.brokenInvariants() == [])
    }
  }
}

/// Another program that knows the step.
private final class UpgradeProgram {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  init(_ path: String) throws {
    // The programs of the package are beside the tests.
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent()
      .appendingPathComponent("CustomersUpgradeRehearsal")
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Lets it start.
  func begin() { try? input.fileHandleForWriting.close() }

  /// Waits for its end and returns its output.
  func outcome() -> String {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
