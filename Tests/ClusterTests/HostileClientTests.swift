#if Cluster
  import CustomerFixtures
  import CustomerStore
  @testable import Dqlite
  import Platform
  @testable import SQLite
  import TestSupport
  import Testing

  /// Whoever reaches the port of a node can send it anything.
  @Suite struct HostileClientTests {
    /// Statements that end a node of dqlite 1.11.1 without our guard, or make the nodes differ.
    @Test(arguments: [
      "PRAGMA journal_mode = DELETE", "PRAGMA journal_mode = WAL", "VACUUM", "ATTACH ':memory:' AS other",
      "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA writable_schema = ON",
      "INSERT INTO note VALUES (1) RETURNING value", "PRAGMA cache_spill = 1", "PRAGMA page_size = 512",
    ])
    func `a statement that could end a node does not`(sql: String) throws {
      let cluster = try TestCluster(1)
      let client = try opened(cluster)
      _ = try client.execute(.execute(sql: "CREATE TABLE note (value)", []))
      _ = try? client.execute(.execute(sql: sql, []))
      let other = try opened(cluster)
      if let rows = try? other.askForRows(.query(sql: sql, [])) { _ = try? rows.readAll() }
      _ = try opened(cluster).execute(.execute(sql: "INSERT INTO note VALUES (2)", []))
      let rows = try opened(cluster).askForRows(.query(sql: "SELECT count(*) FROM note", []))
      #expect(try rows.next()?.cells.count == 1)
      #expect(Spawn.hasEnded(try #require(cluster.process(of: 0))) == false)
    }

    @Test func `garbage at the port changes nothing in the list`() throws {
      let cluster = try TestCluster(1)
      let store = try CustomerStore(cluster: cluster.url())
      try store.fill(with: "a b c")
      var generator = SplitMix64(seed: 3)
      let end = ContinuousClock.now + .seconds(isLong ? 300 : 4)
      var (messages, deaths) = (0, 0)
      while ContinuousClock.now < end {
        messages += 1
        guard let socket = try? Socket(cluster.addresses[0]) else { continue }
        try? socket.send(message(&generator))
        if generator.oneIn(2) { _ = try? socket.receive(8) { _ in false } }
        guard Spawn.hasEnded(try #require(cluster.process(of: 0))) else { continue }
        deaths += 1
        cluster.kill(0)
        try cluster.start(0, joining: false)
        try waitUntil("there is a leader") { cluster.leader != nil }
      }
      print("\(messages) hostile messages ended the node \(deaths) times")
      #expect(try store.read { list in try list.count() } == 3)
      #expect(try NodeCopy(of: cluster.addresses[0]).isSound)
    }

    private func opened(_ cluster: TestCluster) throws -> DqliteConnection {
      try waitUntil("there is a leader") { cluster.leader != nil }
      let connection = try DqliteConnection(cluster.addresses[0])
      try connection.open(database: "other")
      return connection
    }

    /// The version of the protocol and some requests, with some bytes changed; often cut off.
    private func message(_ generator: inout SplitMix64) -> [UInt8] {
      var version = WordWriter()
      version.write(generator.oneIn(10) ? UInt64(generator.below(1 << 30)) : 1)
      let requests: [Request] = [
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
#endif
