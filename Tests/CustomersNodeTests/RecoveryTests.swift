import CustomerFixtures
import CustomerStore
import CustomerStoreCluster
import CustomersCluster
import CustomersTestSupport
import Foundation
import Testing

/// The recoveries of the article "A list on three machines", as they are written there.
@Suite(.serialized)
struct RecoveryTests {
  @Test func `the last of three nodes becomes a cluster, which the former nodes can't disturb`() throws {
    for _ in 0..<(isLong ? 10 : 1) {
      let cluster = try TestCluster()
      let writers = Writers(2, on: cluster.url())
      _ = try writers.waitForMore(10)
      let before = writers.end()
      // Every node has everything, so that the last one misses nothing.
      _ = try NodeCopy.ofAll(cluster)
      let former = cluster.path(0) + "-former"
      for lost in [0, 1] { cluster.kill(lost) }
      try FileManager.default.moveItem(atPath: cluster.path(0), toPath: former)
      try cluster.forget(1)
      cluster.stop(2)

      let words = ["--recover", "--data", cluster.path(2), "--address", cluster.addresses[2].description]
      let asked = try cluster.run(words[0], words[1], words[2], words[3], words[4])
      #expect(asked.code == 4 && asked.text.contains("add --yes"), "\(asked)")
      #expect(try cluster.run(words[0], words[1], words[2], words[3], words[4], "--yes").code == 0)
      try cluster.start(2)
      try waitUntil("it leads") { (try? DqliteConnection(cluster.addresses[2]).leader()) != nil }
      for node in [0, 1] {
        try cluster.start(node)
        try waitUntil("the node has joined") { cluster.log(of: node).contains("joined") }
      }
      let more = Writers(2, on: cluster.url(), named: "after")
      _ = try more.waitForMore(10)
      let after = more.end()
      let copies = try NodeCopy.ofAll(cluster)
      for copy in copies { #expect(copy.isSound) }
      #expect(Set(before.done + after.done).subtracting(copies[0].names) == [], "an acknowledged row is lost")

      // A former node comes back with its folder.
      cluster.kill(0)
      try cluster.forget(0)
      try FileManager.default.moveItem(atPath: former, toPath: cluster.path(0))
      try cluster.start(0)
      #expect(try cluster.waitForEnd(of: 0) == 3)
      #expect(cluster.log(of: 0).contains("belongs to cluster"))
    }
  }

  @Test func `nothing is recovered while another node runs`() throws {
    let cluster = try TestCluster()
    cluster.stop(2)
    let result = try cluster.run(
      "--recover", "--data", cluster.path(2), "--address", cluster.addresses[2].description, "--join",
      cluster.addresses[0].description, "--yes")
    #expect(result.code == 3 && result.text.contains("of the same cluster runs"), "\(result)")
    try cluster.start(2)
    try waitUntil("it is a member as before") { cluster.voters == 3 && cluster.leader != nil }
  }

  @Test func `a backup is restored to a list of another name on the same cluster`() throws {
    let (cluster, folder) = (try TestCluster(), try TemporaryFolder())
    let store = try CustomerStore(cluster: cluster.url())
    try store.fill(with: "Ann")
    try store.backUp(to: folder.path + "/backup.sqlite")
    try store.write { list in try list.delete([list.sectionsWithRows()[0].rows[0].id]) }
    try CustomerStore(path: folder.path + "/backup.sqlite").load(toCluster: cluster.url("restored"))
    let count = try CustomerStore(cluster: cluster.url("restored")).read { list in try list.count() }
    #expect(count == 1)
  }

  @Test func `all nodes are stopped and started again`() throws {
    let cluster = try TestCluster()
    try CustomerStore(cluster: cluster.url()).fill(with: "Ann")
    for node in 0..<3 { cluster.stop(node) }
    for node in 0..<3 { try cluster.start(node) }
    let count = try CustomerStore(cluster: cluster.url()).read { list in try list.count() }
    #expect(count == 1)
  }
}
