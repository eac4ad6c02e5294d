import CustomerFixtures
import CustomerStore
import CustomerStoreCluster
import CustomersCluster
import CustomersTestSupport
import Foundation
import Testing

/// The recoveries of `Documentation/cluster.md`, as they are written there, beside two writers.
@Suite(.serialized, .onThreads)
struct RecoveryTests {
  /// Runs a recovery while two programs write, and compares the outcomes with the list on all nodes.
  private func beside(_ recovery: (TestCluster, Writers) throws -> Void) throws {
    for _ in 0..<(isLong ? 10 : 1) {
      let cluster = try TestCluster()
      let writers = Writers(2, on: cluster.url())
      _ = try writers.waitForMore(5)
      try recovery(cluster, writers)
      _ = try writers.waitForMore(5)
      try writers.end().expectTruth(on: cluster)
    }
  }

  /// Starts a node with an empty folder and waits until it votes.
  private func replace(_ node: Int, of cluster: TestCluster, voters: Int = 3) throws {
    try cluster.forget(node)
    try cluster.start(node)
    try waitUntil("the new node votes") {
      cluster.voters == voters && cluster.log(of: node).contains("joined")
    }
  }

  @Test func `an empty node replaces a lost one`() throws {
    try beside { cluster, writers in
      let lost = try #require(cluster.leader)
      cluster.kill(lost)
      _ = try writers.waitForMore(5)
      try replace(lost, of: cluster)
    }
  }

  @Test func `a node is removed, and another one takes its place`() throws {
    try beside { cluster, writers in
      let leader = try #require(cluster.leader)
      let removed = (leader + 1) % 3
      cluster.stop(removed)
      let address = cluster.addresses[removed].description
      #expect(try cluster.run("--remove", address, "--join", cluster.addresses[leader].description).code == 0)
      _ = try writers.waitForMore(5)
      try replace(removed, of: cluster)
    }
  }

  @Test func `the last of three nodes becomes a cluster, which the former nodes can't disturb`() throws {
    try beside { cluster, writers in
      let former = cluster.path(0) + "-former"
      cluster.kill(0)
      // With two nodes, each acknowledged row is on both.
      _ = try writers.waitForMore(10)
      cluster.kill(1)
      try FileManager.default.moveItem(atPath: cluster.path(0), toPath: former)
      cluster.stop(2)

      let words = ["--recover", "--data", cluster.path(2), "--address", cluster.addresses[2].description]
      let asked = try cluster.run(words)
      #expect(asked.code == 4 && asked.text.contains("add --yes"), "\(asked)")
      #expect(try cluster.run(words + ["--yes"]).code == 0)
      try cluster.start(2)
      try waitUntil("it leads") { (try? DqliteConnection(cluster.addresses[2]).leader()) != nil }
      try cluster.start(0)
      try waitUntil("the node has joined") { cluster.log(of: 0).contains("joined") }
      try cluster.forget(1)
      try cluster.start(1)
      try waitUntil("all vote") { cluster.voters == 3 }
      _ = try writers.waitForMore(10)

      // A former node comes back with its folder.
      cluster.kill(0)
      try cluster.forget(0)
      try FileManager.default.moveItem(atPath: former, toPath: cluster.path(0))
      try cluster.start(0)
      #expect(try cluster.waitForEnd(of: 0) == 3)
      #expect(cluster.log(of: 0).contains("belongs to cluster"))
      try replace(0, of: cluster)
    }
  }

  @Test func `nothing is recovered while another node runs`() throws {
    let cluster = try TestCluster()
    cluster.stop(2)
    let result = try cluster.run([
      "--recover", "--data", cluster.path(2), "--address", cluster.addresses[2].description, "--join",
      cluster.addresses[0].description, "--yes",
    ])
    #expect(result.code == 3 && result.text.contains("of the same cluster runs"), "\(result)")
    try cluster.start(2)
    try waitUntil("it is a member as before") { cluster.voters == 3 && cluster.leader != nil }
  }

  @Test func `a backup is restored to a list of another name on the same cluster`() throws {
    try beside { cluster, writers in
      let folder = try TemporaryFolder()
      let store = try CustomerStore(cluster: cluster.url())
      try store.backUp(to: folder.path + "/backup.sqlite")
      let backup = try CustomerStore(path: folder.path + "/backup.sqlite")
      let count = try backup.load(toCluster: cluster.url("restored"))
      _ = try writers.waitForMore(5)
      let copies = try NodeCopy.ofAll(cluster, database: "restored")
      let names = try backup.read { list in
        try list.sectionsWithRows().flatMap(\.rows).map(\.fields.firstName)
      }
      #expect(copies[0].names == names && names.count == count && copies[0].isSound)
    }
  }

  @Test func `the history is erased by a copy on a new cluster`() throws {
    let (cluster, other, folder) = (try TestCluster(1), try TestCluster(1), try TemporaryFolder())
    let store = try CustomerStore(cluster: cluster.url())
    try store.fill(with: "Ann")
    try store.write { list in _ = try list.insert(CustomerFields(firstName: "Bob"), at: .last) }
    try store.backUp(to: folder.path + "/copy.sqlite")
    let copy = try CustomerStore(path: folder.path + "/copy.sqlite")
    try copy.write { list in try list.forgetHistory() }
    try copy.load(toCluster: other.url())
    let (count, edits) = try CustomerStore(cluster: other.url()).read { list in
      (try list.count(), try list.history().map(\.editCount).reduce(0, +))
    }
    #expect(count == 2 && edits == 0, "\(count) rows, \(edits) edits")
  }

  @Test func `all nodes are stopped and started again`() throws {
    try beside { cluster, _ in
      for node in 0..<3 { cluster.stop(node) }
      for node in 0..<3 { try cluster.start(node) }
    }
  }

  @Test func `nodes are stopped and started one after another, as for an upgrade`() throws {
    try beside { cluster, writers in
      for node in 0..<3 {
        cluster.stop(node)
        try cluster.start(node)
        try waitUntil("the node is up") { cluster.leader != nil && cluster.voters == 3 }
        _ = try writers.waitForMore(2)
      }
    }
  }
}
