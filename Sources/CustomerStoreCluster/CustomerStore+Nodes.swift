package import CustomerStore
internal import CustomersCluster
internal import CustomersPlatform

/// What each node of a cluster has, to see that all have the same.
extension CustomerStore {
  /// Reads the list of each node, all in the same state: no one can edit it until all are read.
  ///
  /// A node that lacks the latest edits gets ten seconds to receive them.
  ///
  /// - Parameter body: reads a copy of a node's list, perhaps several times.
  /// - Returns: the addresses, the leader's first, and what `body` returned; nil for a node that can't be read. Empty
  ///   if the list is not on a cluster.
  /// - Throws: `StoreError` or what `body` throws for the leader.
  package func readEachNode<Result: Equatable & Sendable>(
    _ body: (borrowing CustomerList) throws -> Result
  ) throws -> [(address: String, result: Result?)] {
    guard let database = (engine as? ClusterAddress)?.database else { return [] }
    func read(_ node: String) throws -> Result {
      guard let node = NodeAddress(node) else { throw StoreError.invalidAddress }
      return try copyInMemory(of: NodeFiles(node: node, database: database)).read { list in try body(list) }
    }
    func isReachable(_ node: String) -> Bool {
      NodeAddress(node).map { (try? DqliteConnection($0)) != nil } ?? false
    }
    // A transaction that changes nothing keeps others from writing.
    return try dryRun { _ in
      let nodes = try clusterNodes().sorted { one, other in one.isLeader && !other.isLeader }
      guard let leader = nodes.first?.address else { return [] }
      let expected = try read(leader)
      let deadline = ContinuousClock.now + .seconds(10)
      return [(leader, expected)]
        + nodes.dropFirst().map { node in
          var found = try? read(node.address)
          while found != expected, ContinuousClock.now < deadline, isReachable(node.address) {
            usleep(100_000)
            found = try? read(node.address)
          }
          return (node.address, found)
        }
    }
  }
}

/// The list of one node, whichever leads.
private struct NodeFiles: ListFiles {
  let node: NodeAddress
  let database: String

  func dump(_ write: (_ file: Int, _ piece: [UInt8]) throws -> Void) throws {
    try CustomerStore.translatingSQLiteErrors {
      let connection = try DqliteConnection(node)
      connection.waitsBriefly()
      try connection.dump(database, write)
    }
  }
}
