import CustomerFixtures
import CustomerStore
import CustomerStoreCluster
import CustomersCluster
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Times with three nodes on this machine; printed, not asserted.
@Suite(.serialized, .onThreads)
struct FigureTests {
  @Test(arguments: isLong ? [1000, 100_000] : [1000])
  func `a move compared to a minimal commit on the cluster`(count: Int) throws {
    let cluster = try TestCluster()
    let store = try CustomerStore(cluster: cluster.url())
    let loading = ContinuousClock().measure {
      _ = try? store.write { list in
        try list.insert(contentsOf: (1...count).lazy.map { CustomerFields(firstName: "Row \($0)") })
      }
    }
    let address = try #require(ClusterAddress(cluster.url("bare")))
    let bare = Connection(Cluster(address))
    try bare.immediateTransaction {
      try bare.executeScript(
        "CREATE TABLE bare (id INTEGER PRIMARY KEY, n); INSERT INTO bare VALUES (1, 0)")
    }
    let section = try store.read { list in try list.sections()[0].id }
    var generator = SplitMix64(seed: 4)
    var (commits, moves): ([Duration], [Duration]) = ([], [])
    let clock = ContinuousClock()
    for _ in 0..<(isLong ? 300 : 40) {
      commits.append(
        try clock.measure {
          try bare.immediateTransaction { try bare.execute("UPDATE bare SET n = n + 1") }
        })
      let (from, to) = (1 + generator.below(count), 1 + generator.below(count))
      moves.append(
        try clock.measure {
          try store.write { list in
            let id = try list.customer(at: from, in: section).id
            try list.move([id], to: .place(to), in: section)
          }
        })
    }
    let (commit, move) = (commits.sorted()[commits.count / 2], moves.sorted()[moves.count / 2])
    print("\(count) rows: loaded in \(loading); bare commit \(commit), move \(move), \(move / commit) ×")
    #expect(try store.copyInMemory().read { list in try list.check() } == [])
  }

  @Test(arguments: isLong ? [100_000] : [1000])
  func `listing from a cluster compared to listing from a file`(count: Int) throws {
    let (cluster, folder) = (try TestCluster(), try TemporaryFolder())
    let file = folder.path + "/file.sqlite"
    let store = try CustomerStore(cluster: cluster.url())
    try store.write { list in
      try list.insert(
        contentsOf: (1...count).lazy.map { CustomerFields(firstName: "Row \($0)", company: "Company \($0)") })
    }
    try store.backUp(to: file)
    func list(_ path: String) throws -> Duration {
      var spawn = Spawn(
        words: [NodeCopy.program, "--db", path, "list"], environment: [:], folder: folder.path)
      spawn.output = folder.path + "/list"
      return try ContinuousClock().measure {
        let process = try spawn.start()
        #expect(Spawn.wait(process) == 0)
      }
    }
    var (local, remote): ([Duration], [Duration]) = ([], [])
    for _ in 0..<(isLong ? 7 : 1) {
      local.append(try list(file))
      remote.append(try list(cluster.url()))
    }
    let (here, there) = (local.sorted()[local.count / 2], remote.sorted()[remote.count / 2])
    print("\(count) rows listed: from a file \(here), from a cluster \(there), \(there / here) ×")
  }
}
