import CustomerFixtures
import CustomerStore
import CustomerStoreCluster
@testable import CustomersCluster
import CustomersSystem
@testable import CustomersSQLite
import CustomersTestSupport
import Testing

/// Clients that send a node hostile SQL or malformed messages.
@Suite(.serialized, .onThreads)
struct HostileClientTests {
  /// Statements that, without our guard, crash a node of dqlite 1.11.1 or make the nodes differ.
  private static let statements = [
    "PRAGMA journal_mode = DELETE", "PRAGMA journal_mode = WAL", "VACUUM", "ATTACH ':memory:' AS other",
    "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA writable_schema = ON",
    "INSERT INTO note VALUES (1) RETURNING value", "PRAGMA cache_spill = 1", "PRAGMA page_size = 512",
  ]

  @Test func `no SQL statement crashes a node`() throws {
    let cluster = try TestCluster(1)
    let node = try #require(cluster.process(of: 0))
    _ = try opened(cluster).execute(.execute(sql: "CREATE TABLE note (value)", []))
    for (count, sql) in Self.statements.enumerated() {
      _ = try? opened(cluster).execute(.execute(sql: sql, []))
      let other = try opened(cluster)
      if let rows = try? other.askForRows(.query(sql: sql, [])) { _ = try? rows.readAll() }
      #expect(throws: Never.self, "\(sql)") {
        _ = try opened(cluster).execute(.execute(sql: "INSERT INTO note VALUES (2)", []))
      }
      let rows = try opened(cluster).askForRows(.query(sql: "SELECT count(*) FROM note", []))
      guard case .integer(let found)? = try rows.next()?.cells.first else {
        throw SQLiteError.malformedAnswer
      }
      #expect(found == count + 1, "\(sql)")
      try #require(!Spawn.hasEnded(node), "\(sql)")
    }
  }

  @Test func `many temporary rows that are rolled back crash no node`() throws {
    let cluster = try TestCluster(1)
    let node = try #require(cluster.process(of: 0))
    let connection = try opened(cluster)
    let statements = [
      "CREATE TEMP TABLE note (value)",
      """
      INSERT INTO note WITH number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 100)
      SELECT zeroblob(3000) FROM number
      """,
      "BEGIN", "UPDATE note SET value = 1", "ROLLBACK",
    ]
    for sql in statements { _ = try connection.execute(.execute(sql: sql, [])) }
    let rows = try connection.askForRows(.query(sql: "SELECT count(*) FROM note WHERE value <> 1", []))
    guard case .integer(100)? = try rows.next()?.cells.first else { throw SQLiteError.malformedAnswer }
    #expect(!Spawn.hasEnded(node))
  }

  @Test func `malformed messages may crash a node, but never change the list`() throws {
    let cluster = try TestCluster(1)
    try CustomerStore(cluster: cluster.url()).fill(with: "a b c")
    let contents = try copy(of: cluster).contents
    var generator = SplitMix64(seed: 3)
    let end = ContinuousClock.now + .seconds(isLong ? 300 : 2)
    var (messages, crashes) = (0, 0)
    while ContinuousClock.now < end {
      messages += 1
      if let socket = try? Socket(cluster.addresses[0]) {
        try? socket.send(message(&generator))
        if generator.oneIn(10) { _ = try? socket.receive(8) { _ in false } }
      }
      guard Spawn.hasEnded(try #require(cluster.process(of: 0))) else { continue }
      crashes += 1
      let copy = try copy(of: cluster)
      try #require(copy.isSound && copy.contents == contents, "after \(messages) messages")
    }
    print("\(messages) malformed messages crashed the node \(crashes) times")
    let copy = try copy(of: cluster)
    #expect(copy.isSound && copy.contents == contents)
  }

  /// Copies the only node, after restarting it if it has crashed.
  private func copy(of cluster: TestCluster) throws -> NodeCopy {
    var copy: NodeCopy?
    try waitUntil("the node can be copied") {
      if Spawn.hasEnded(try #require(cluster.process(of: 0))) {
        cluster.kill(0)
        try cluster.start(0, joining: false)
      }
      if cluster.leader != nil { copy = try? NodeCopy(of: cluster.addresses[0]) }
      return copy != nil
    }
    return try #require(copy)
  }

  private func opened(_ cluster: TestCluster) throws -> DqliteConnection {
    try waitUntil("there is a leader") { cluster.leader != nil }
    let connection = try DqliteConnection(cluster.addresses[0])
    try connection.open(database: "other")
    return connection
  }

  /// The protocol version and some requests, with random bytes changed; often truncated.
  private func message(_ generator: inout SplitMix64) -> [UInt8] {
    var version = WordWriter()
    version.write(generator.oneIn(10) ? UInt64(generator.below(1 << 30)) : 1)
    let requests: [ClusterRequest] = [
      .leader, .cluster, .open(database: "fuzz"), .query(sql: "SELECT 1", [.integer(1)]),
      .execute(sql: "CREATE TABLE t (a)", []), .prepare(sql: "SELECT ?"), .dump(database: "fuzz"),
      .queryPrepared(statement: 0, [.text("x")]), .executePrepared(statement: 7, [.null]),
    ]
    var bytes: [UInt8] = []
    for _ in 0...generator.below(4) { bytes += requests[generator.below(requests.count)].bytes }
    for _ in 0..<generator.below(4) { bytes[generator.below(bytes.count)] = UInt8(generator.below(256)) }
    if generator.oneIn(10) { bytes[..<4] = [0xff, 0xff, 0xff, 0xff] }
    if generator.oneIn(3) { bytes.removeLast(generator.below(bytes.count)) }
    return version.bytes + bytes
  }
}
