import CustomersSQLite
import CustomersTestSupport
import Testing

/// How a schema is made, and how it changes from one format to the next.
@Suite(.onThreads) struct MigratorTests {
  private let connection: Connection

  init() throws { connection = try Connection(path: ":memory:") }

  /// Formats 3 to 6: a whole step leads to 4; 5 and 6 have other views, and 6 a second column.
  private static let migrator = Migrator(
    formats: 3...6, applicationID: 8, olderApplicationID: 7,
    base: { format in
      "CREATE TABLE t (x\(format > 5 ? ", y" : "")); CREATE VIEW v AS SELECT \(format);"
        + (format > 3 ? "CREATE VIEW w AS SELECT \(format);" : "")
    },
    wholeSteps: [4: { "DROP VIEW v; CREATE VIEW v AS SELECT 4; CREATE VIEW w AS SELECT 4" }],
    moves: [
      5: { "INSERT INTO t VALUES (5)" }, 6: { "ALTER TABLE t ADD COLUMN y; INSERT INTO t VALUES (6, 0)" },
    ])

  private func make(_ format: Int) throws {
    try connection.executeScript(
      """
      \(Self.migrator.base(format)); PRAGMA user_version = \(format);
      PRAGMA application_id = \(format == 6 ? 8 : 7);
      """)
  }

  @Test func `a new database gets the newest schema, once`() throws {
    #expect(try Self.migrator.state(of: connection) == .new)
    var finished = 0
    for _ in 1...2 { try Self.migrator.migrate(connection) { finished += 1 } }
    #expect(finished == 1)
    #expect(try Self.migrator.state(of: connection) == .known(format: 6))
    #expect(try connection.fetchOne("PRAGMA application_id") { $0.int(0) } == 8)
    #expect(try connection.schema() == Self.migrator.objects(ofFormat: 6))
  }

  @Test(arguments: 3...5) func `a database of an older format is converted`(format: Int) throws {
    try make(format)
    try connection.executeScript("INSERT INTO t VALUES (1)")
    #expect(try Self.migrator.state(of: connection) == .known(format: format))
    try Self.migrator.migrate(connection)
    #expect(try Self.migrator.state(of: connection) == .known(format: 6))
    #expect(try Set(connection.schema()) == Set(Self.migrator.objects(ofFormat: 6)))
    #expect(try connection.fetchAll("SELECT x FROM t") { $0.int(0) } == (format == 5 ? [1, 6] : [1, 5, 6]))
  }

  @Test(arguments: [3, 5]) func `a failing conversion leaves the file unchanged`(format: Int) throws {
    try make(format)
    var migrator = Self.migrator
    migrator.moves[6] = { "INSERT INTO t VALUES (2); SELECT nonsense" }
    #expect(throws: Migrator.Failure(format: format, reason: "no such column: nonsense")) {
      try migrator.migrate(connection)
    }
    #expect(try connection.schema() == Self.migrator.objects(ofFormat: format))
    #expect(try connection.fetchOne("SELECT count(*) FROM t") { $0.int(0) } == 0)
    try Self.migrator.migrate(connection)
    #expect(try Self.migrator.state(of: connection) == .known(format: 6))
  }

  @Test(arguments: [1, 2]) func `a format that was never written is refused`(format: Int) throws {
    try connection.executeScript("PRAGMA application_id = 7; PRAGMA user_version = \(format)")
    #expect(throws: Migrator.Failure(format: format, reason: "no version wrote this format")) {
      try Self.migrator.migrate(connection)
    }
  }

  @Test(arguments: [
    "CREATE TABLE u (x)", "PRAGMA user_version = 3", "PRAGMA application_id = 9",
    "PRAGMA application_id = 8; PRAGMA user_version = 5",
    "PRAGMA application_id = 7; PRAGMA user_version = 6",
  ])
  func `a database with another schema is left alone`(script: String) throws {
    try connection.executeScript(script)
    #expect(try Self.migrator.state(of: connection).isForeign)
    try Self.migrator.migrate(connection)
    #expect(try connection.fetchOne("SELECT count(*) FROM sqlite_schema WHERE name = 't'") { $0.int(0) } == 0)
  }

  @Test func `a newer format is known and left alone`() throws {
    try connection.executeScript("PRAGMA application_id = 8; PRAGMA user_version = 9")
    #expect(try Self.migrator.state(of: connection) == .known(format: 9))
    try Self.migrator.migrate(connection)
    #expect(try connection.schema().isEmpty)
  }
}

extension Migrator.State {
  fileprivate var isForeign: Bool {
    if case .foreign = self { true } else { false }
  }
}
