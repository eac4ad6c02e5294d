import CustomersSQLite
import Testing

/// The steps of a schema.
@Suite struct MigratorTests {
  private let connection: Connection

  init() throws { connection = try Connection(path: ":memory:") }

  @Test func `the missing steps are made, in order and once`() throws {
    var migrator = Migrator(
      applicationID: 7, steps: ["PRAGMA application_id = 7; CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"])
    #expect(try migrator.state(of: connection) == .new)
    try migrator.migrate(connection)
    try migrator.migrate(connection)
    #expect(try migrator.state(of: connection) == .known(steps: 2))
    migrator.steps.append("INSERT INTO t VALUES (2)")
    try migrator.migrate(connection)
    #expect(try connection.fetchAll("SELECT x FROM t") { $0.int(0) } == [1, 2])
    #expect(try migrator.state(of: connection) == .known(steps: 3))
  }

  @Test func `a failing migration leaves the file unchanged`() throws {
    var migrator = Migrator(applicationID: 7, steps: ["PRAGMA application_id = 7; CREATE TABLE t (x)"])
    let bad = ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2); SELECT nonsense"]
    migrator.steps += bad
    #expect(throws: Migrator.Failure.self) { try migrator.migrate(connection) }
    #expect(try migrator.state(of: connection) == .new)
    migrator.steps.removeLast(2)
    try migrator.migrate(connection)
    migrator.steps += bad
    #expect(throws: Migrator.Failure.self) { try migrator.migrate(connection) }
    #expect(try migrator.state(of: connection) == .known(steps: 1))
    #expect(try connection.fetchOne("SELECT count(*) FROM t") { $0.int(0) } == 0)
  }

  @Test(arguments: ["CREATE TABLE t (x)", "PRAGMA user_version = 1", "PRAGMA application_id = 8"])
  func `a database with another schema is left alone`(script: String) throws {
    try connection.executeScript(script)
    let migrator = Migrator(applicationID: 7, steps: ["PRAGMA application_id = 7; CREATE TABLE u (x)"])
    #expect(try migrator.state(of: connection).isForeign)
    try migrator.migrate(connection)
    #expect(try connection.fetchOne("SELECT count(*) FROM sqlite_schema WHERE name = 'u'") { $0.int(0) } == 0)
  }
}

extension Migrator.State {
  fileprivate var isForeign: Bool {
    if case .foreign = self { true } else { false }
  }
}
