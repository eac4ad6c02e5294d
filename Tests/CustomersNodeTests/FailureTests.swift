import CustomerFixtures
import CustomerStore
import CustomerStoreCluster
import CustomersSystem
import CustomersTestSupport
import Testing

/// Nodes fail while two programs write: every acknowledged row is there once, and no rejected row is.
@Suite(.serialized, .onThreads)
struct FailureTests {
  @Test func `no acknowledged row is lost when nodes are killed`() throws {
    let cluster = try TestCluster()
    let writers = Writers(2, on: cluster.url())
    _ = try writers.waitForMore(3)
    var pauses: [String: [Duration]] = [:]
    for round in 0..<(isLong ? 35 : 6) {
      let kind = round < (isLong ? 20 : 4) ? "leader" : round < (isLong ? 30 : 5) ? "follower" : "all"
      try waitUntil("there is a leader") { cluster.leader != nil }
      let leader = try #require(cluster.leader)
      let killed =
        switch kind {
        case "leader": [leader]
        case "follower": [(leader + 1) % 3]
        default: [0, 1, 2]
        }
      for node in killed { cluster.kill(node) }
      if kind == "all" { for node in killed { try cluster.start(node) } }
      pauses[kind, default: []].append(try writers.waitForMore(3))
      if kind != "all" { for node in killed { try cluster.start(node) } }
    }
    try writers.end().expectTruth(on: cluster)
    for (kind, pauses) in pauses.sorted(by: { $0.key < $1.key }) {
      print("killed \(kind): \(pauses.count) times, pauses of \(pauses.min()!) to \(pauses.max()!)")
    }
  }

  @Test func `a suspended leader is replaced, and does no harm when it resumes`() throws {
    let cluster = try TestCluster()
    let writers = Writers(2, on: cluster.url())
    _ = try writers.waitForMore(3)
    for _ in 0..<(isLong ? 10 : 1) {
      try waitUntil("there is a leader") { cluster.leader != nil }
      let leader = try #require(cluster.leader)
      cluster.signal(leader, SIGSTOP)
      print("leader suspended: a pause of \(try writers.waitForMore(3))")
      cluster.signal(leader, SIGCONT)
      _ = try writers.waitForMore(3)
    }
    try writers.end().expectTruth(on: cluster)
  }

  @Test func `a leader whose disk is full exits, and the others continue`() throws {
    let cluster = try TestCluster()
    let writers = Writers(2, on: cluster.url())
    for _ in 0..<(isLong ? 10 : 1) {
      _ = try writers.waitForMore(3)
      try waitUntil("there is a leader") { cluster.leader != nil }
      let leader = try #require(cluster.leader)
      // Like a full disk, this limit makes every write fail that extends a file.
      let process = try #require(cluster.process(of: leader))
      let limiting = Spawn(
        words: ["prlimit", "--pid", "\(process)", "--fsize=4096"], environment: ["PATH": "/usr/bin:/bin"],
        folder: "/")
      #expect(Spawn.wait(try limiting.start()) == 0)
      try waitUntil("the node has exited") { Spawn.hasEnded(process) }
      print("the leader's disk was full: a pause of \(try writers.waitForMore(3))")
      #expect(cluster.log(of: leader).contains("can't write to the disk"))
      cluster.kill(leader)
      try cluster.start(leader)
    }
    try writers.end().expectTruth(on: cluster)
  }

  @Test func `a connection lost while idle fails no call, even with a timeout of zero`() throws {
    let cluster = try TestCluster(1)
    let store = try CustomerStore(cluster: cluster.url())
    try store.fill(with: "Ann")
    cluster.kill(0)
    try cluster.start(0, joining: false)
    try waitUntil("there is a leader") { cluster.leader != nil }
    try store.write(busyTimeout: .zero) { list in
      try list.insert(CustomerFields(firstName: "Bob"), at: .last)
    }
    let count = try store.read(busyTimeout: .zero) { list in try list.count() }
    #expect(count == 2)
  }
}
