import CustomerFixtures
import CustomerStore
import Platform
import TestSupport
import Testing

/// Nodes fail while two programs write: what was acknowledged is there, once, and what was not is not.
@Suite(.serialized)
struct FailureTests {
  @Test func `nodes that are killed cost no acknowledged row`() throws {
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
    try expectTruth(writers.end(), on: cluster)
    for (kind, pauses) in pauses.sorted(by: { $0.key < $1.key }) {
      print("killed \(kind): \(pauses.count) times, pauses of \(pauses.min()!) to \(pauses.max()!)")
    }
  }

  @Test func `a leader that stands still is replaced, and what it wakes up with does no harm`() throws {
    let cluster = try TestCluster()
    let writers = Writers(2, on: cluster.url())
    _ = try writers.waitForMore(3)
    for _ in 0..<(isLong ? 10 : 1) {
      try waitUntil("there is a leader") { cluster.leader != nil }
      let leader = try #require(cluster.leader)
      cluster.signal(leader, SIGSTOP)
      print("leader stopped: a pause of \(try writers.waitForMore(3))")
      cluster.signal(leader, SIGCONT)
      _ = try writers.waitForMore(3)
    }
    try expectTruth(writers.end(), on: cluster)
  }

  @Test func `an empty node takes the place of one that is lost`() throws {
    let cluster = try TestCluster()
    let writers = Writers(1, on: cluster.url())
    _ = try writers.waitForMore(10)
    let lost = try #require(cluster.leader)
    cluster.kill(lost)
    try cluster.forget(lost)
    try cluster.start(lost)
    try waitUntil("the new node has a vote") {
      cluster.voters == 3 && cluster.log(of: lost).contains("joined")
    }
    _ = try writers.waitForMore(10)
    try expectTruth(writers.end(), on: cluster)
  }

  @Test func `a leader whose disk takes no more ends, and stops nobody`() throws {
    let cluster = try TestCluster()
    let writers = Writers(2, on: cluster.url())
    for _ in 0..<(isLong ? 10 : 1) {
      _ = try writers.waitForMore(3)
      try waitUntil("there is a leader") { cluster.leader != nil }
      let leader = try #require(cluster.leader)
      // As a full disk does it, all that makes a file longer fails.
      let process = try #require(cluster.process(of: leader))
      let limiting = Spawn(
        words: ["prlimit", "--pid", "\(process)", "--fsize=4096"], environment: ["PATH": "/usr/bin:/bin"],
        folder: "/")
      #expect(Spawn.wait(try limiting.start()) == 0)
      try waitUntil("the node has ended") { Spawn.hasEnded(process) }
      print("the leader's disk was full: a pause of \(try writers.waitForMore(3))")
      #expect(cluster.log(of: leader).contains("can't write to the disk"))
      cluster.kill(leader)
      try cluster.start(leader)
    }
    try expectTruth(writers.end(), on: cluster)
  }

  @Test func `a connection that was lost while nobody used it fails nobody, even without patience`() throws {
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

  /// Compares what the writers know with what all nodes have.
  private func expectTruth(_ report: Writers.Report, on cluster: TestCluster) throws {
    let copies = try NodeCopy.ofAll(cluster)
    #expect(Set(copies.map(\.contents)).count == 1, "the nodes differ")
    for copy in copies { #expect(copy.isSound) }
    let names = copies[0].names
    #expect(Set(names).count == names.count, "a row is there twice")
    #expect(Set(report.done).subtracting(names) == [], "an acknowledged row is lost")
    #expect(report.notDone.filter { names.contains($0.key) } == [:], "a row is there that was not")
    #expect(Set(names) == Set(report.done).union(Set(report.unknown).intersection(names)))
    print(
      "\(report.done.count) rows written, \(report.notDone.count) truthfully not, \(report.unknown.count) unknown"
    )
  }
}
