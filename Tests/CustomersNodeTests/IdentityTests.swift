import CustomerFixtures
import CustomerStore
import CustomerStoreCluster
import CustomersCluster
import CustomersTestSupport
import Foundation
import Testing

/// The nodes of a cluster know it by a random identity, and never mix its log with another one's.
@Suite(.serialized, .onThreads)
struct IdentityTests {
  /// The identities that the nodes report.
  private func identities(_ cluster: TestCluster) -> Set<ClusterID?> {
    Set(cluster.addresses.map { address in (try? DqliteConnection(address).clusterID()) ?? nil })
  }

  @Test func `all nodes of a cluster report one identity, and keep it`() throws {
    let cluster = try TestCluster()
    try waitUntil("all know it") { identities(cluster).count == 1 }
    let known = try #require(identities(cluster).first ?? nil)
    for node in 0..<3 {
      #expect(try String(contentsOfFile: cluster.path(node) + "/cluster", encoding: .utf8) == "\(known)\n")
      cluster.kill(node)
    }
    for node in 0..<3 { try cluster.start(node) }
    try waitUntil("there is a leader") { cluster.leader != nil }
    #expect(identities(cluster) == [known])
  }

  @Test func `a node with the log of a former cluster does not join the one that replaced it`() throws {
    for _ in 0..<(isLong ? 20 : 1) {
      let cluster = try TestCluster()
      try CustomerStore(cluster: cluster.url()).fill(with: "Before")
      for lost in [0, 1] {
        cluster.kill(lost)
        try cluster.forget(lost)
      }
      // As an operator might do while the third node still runs.
      try cluster.start(0, joining: false)
      try waitUntil("there is a leader") { (try? DqliteConnection(cluster.addresses[0]).leader()) != nil }
      try cluster.start(1)
      try waitUntil("the second node has joined") { cluster.log(of: 1).contains("joined") }
      #expect(try cluster.waitForEnd(of: 2) == 3)
      #expect(cluster.log(of: 2).contains("another cluster") || cluster.log(of: 2).contains("of cluster"))
      try CustomerStore(cluster: cluster.url()).fill(with: "After")
      try cluster.start(2)
      #expect(try cluster.waitForEnd(of: 2) == 3)
      // Each of the others leads once; the list is the new one, on both.
      for node in [0, 1] {
        cluster.kill(node)
        try cluster.start(node)
        let count = try CustomerStore(cluster: cluster.url()).read { list in try list.count() }
        #expect(count == 1)
      }
      try waitUntil("both have the new list") {
        [0, 1].allSatisfy { (try? NodeCopy(of: cluster.addresses[$0]))?.names == ["After"] }
      }
    }
  }

  @Test func `a founder that lost only its log joins again, and loses no edit`() throws {
    for _ in 0..<(isLong ? 20 : 1) {
      let cluster = try TestCluster()
      let writers = Writers(2, on: cluster.url())
      _ = try writers.waitForMore(5)
      cluster.kill(0)
      try cluster.forgetLog(0)
      try cluster.start(0)
      try waitUntil("the node has joined") { cluster.log(of: 0).contains("joined") }
      _ = try writers.waitForMore(5)
      try writers.end().expectTruth(on: cluster)
      #expect(cluster.voters == 3)
    }
  }

  @Test func `a node that lost its log founds no cluster`() throws {
    let cluster = try TestCluster(1)
    try waitUntil("it has recorded that") { cluster.log(of: 0).contains("is listening") }
    cluster.kill(0)
    try cluster.forgetLog(0)
    try cluster.start(0, joining: false)
    #expect(try cluster.waitForEnd(of: 0) == 3)
    #expect(
      cluster.log(of: 0).contains("its log in \(cluster.path(0))/raft is lost"), "\(cluster.log(of: 0))")
  }

  @Test func `a first start that failed leaves no trace`() throws {
    let cluster = try TestCluster(1)
    let folder = try TemporaryFolder()
    let data = folder.path + "/data"
    let result = try cluster.run("--data", data, "--address", cluster.addresses[0].description)
    #expect(result.code == 1 && result.text.contains("can't listen"), "\(result)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data).sorted() == ["lock", "raft"])
  }

  @Test func `a log of another node is refused`() throws {
    let (cluster, other) = (try TestCluster(1), try TestCluster(1))
    for each in [cluster, other] { each.kill(0) }
    try cluster.forgetLog(0)
    try FileManager.default.copyItem(atPath: other.path(0) + "/raft", toPath: cluster.path(0) + "/raft")
    try cluster.start(0, joining: false)
    #expect(try cluster.waitForEnd(of: 0) == 3)
    #expect(cluster.log(of: 0).contains("holds a log that is not this node's"))
  }

  @Test func `nodes of version 0.1.0 agree on an identity, one after another`() throws {
    let cluster = try TestCluster()
    let store = try CustomerStore(cluster: cluster.url())
    try store.fill(with: "Ann")
    // Version 0.1.0 kept none.
    for node in 0..<3 {
      cluster.kill(node)
      for name in ["/cluster", "/raft/owner"] {
        try FileManager.default.removeItem(atPath: cluster.path(node) + name)
      }
    }
    for node in 0..<3 { try cluster.start(node) }
    try waitUntil("all have agreed") {
      let found = identities(cluster)
      return found.count == 1 && found != [nil]
    }
    let count = try store.read { list in try list.count() }
    #expect(count == 1)
  }

  @Test func `a client stops if its nodes are of two clusters`() throws {
    let (one, two) = (try TestCluster(1), try TestCluster(1))
    for cluster in [one, two] { try CustomerStore(cluster: cluster.url()).fill(with: "Ann") }
    let address = "dqlite://\(one.addresses[0]),\(two.addresses[0])/customers"
    let error = #expect(throws: StoreError.self) {
      try CustomerStore(cluster: address).read { list in try list.count() }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("stop the nodes of the one that is not yours"))
  }

  @Test func `the status names a node that is down, with an exit code for monitoring`() throws {
    let cluster = try TestCluster()
    let (one, two) = (cluster.addresses[1].description, cluster.addresses[2].description)
    try waitUntil("all know the cluster") { identities(cluster).count == 1 && identities(cluster) != [nil] }
    let good = try cluster.run("--status", "--join", one)
    #expect(good.code == 0 && good.text.matches(of: /votes, cluster [0-9a-f]{16}/).count == 3, "\(good)")
    cluster.kill(2)
    try waitUntil("there is a leader") { try cluster.run("--status", "--join", one).code != 1 }
    let degraded = try cluster.run("--status", "--join", one, "--json")
    #expect(degraded.code == 4 && degraded.text.contains("\"health\":\"degraded\""), "\(degraded)")
    #expect(degraded.text.contains("\"address\":\"\(two)\",\"answers\":false"), "\(degraded)")
    cluster.kill(0)
    try waitUntil("the last one gives up") { try cluster.run("--status", "--join", one).code == 1 }
  }

  @Test func `a node that was removed says so, and stops`() throws {
    let cluster = try TestCluster()
    let leader = try #require(cluster.leader)
    let (removed, other) = ((leader + 1) % 3, (leader + 2) % 3)
    let address = cluster.addresses[removed].description
    let words = ["--join", cluster.addresses[other].description]
    #expect(try cluster.run("--remove", address, words[0], words[1]).code == 0)
    #expect(try cluster.waitForEnd(of: removed) == 3)
    #expect(cluster.log(of: removed).contains("was removed"))
    let leading = cluster.addresses[leader].description
    let refused = try cluster.run("--remove", leading, words[0], words[1])
    #expect(refused.code == 4 && refused.text.contains("leads the cluster"), "\(refused)")
    // Two are well, unless three are wanted.
    let status = ["--status", "--join", leading]
    #expect(try cluster.run(status).code == 0)
    let fewer = try cluster.run(status + ["--nodes", "3"])
    #expect(fewer.code == 4 && fewer.text.contains("2 of 3 nodes vote"), "\(fewer)")
    // The leader alone would have the list.
    let follower = ["--remove", cluster.addresses[other].description, "--join", leading]
    let last = try cluster.run(follower)
    #expect(last.code == 4 && last.text.contains("only the one at \(leading) has the list"), "\(last)")
    #expect(try cluster.run(status).code == 0)
    #expect(try cluster.run(follower + ["--yes"]).code == 0)
    #expect(try cluster.waitForEnd(of: other) == 3)
  }
}
