public import CustomerStore
package import CustomersCluster
package import CustomersSQLite
internal import CustomersSystem

/// A list on a cluster of machines, which remains available when one of them fails.
extension CustomerStore {
  /// Opens the list at `dqlite://host:port,host:port,…/name`; a host is a numeric address or a name,
  /// and an IPv6 address is in brackets.
  ///
  /// Use it like a list in a file. When `write` returns, the transaction is on the disks of most nodes. When
  /// the leader is lost, an open transaction fails without changing anything; the next one waits until the
  /// other nodes have elected a new leader.
  ///
  /// - Parameters:
  ///   - address: the address of the list; an empty database becomes one.
  ///   - program: the name of the program in the history.
  /// - Throws: `StoreError`; `.unreachable` if no leader can be reached.
  public convenience init(cluster address: String, program: String = "CustomerStore") throws {
    var options = Options()
    options.program = program
    try self.init(cluster: address, options: options)
  }

  /// The same, with options as for a file.
  package convenience init(cluster address: String, options: Options) throws {
    guard let parsed = ClusterAddress(address) else { throw StoreError.invalidAddress }
    try self.init(on: parsed, options: options)
  }

  /// The nodes of the list's cluster: their addresses, whether each one votes, and which one is the leader;
  /// empty if the list is not on a cluster.
  ///
  /// - Throws: `StoreError.unreachable`.
  package func clusterNodes() throws -> [(address: String, isVoter: Bool, isLeader: Bool)] {
    try (engine as? ClusterAddress).map(CustomerStore.clusterNodes) ?? []
  }

  /// The same of a cluster that need not have a list.
  package static func clusterNodes(
    at address: ClusterAddress
  ) throws -> [(address: String, isVoter: Bool, isLeader: Bool)] {
    try translatingSQLiteErrors {
      let leader = try Cluster(address).leader()
      return try leader.nodes().map { node in
        (node.address, node.role == .voter, NodeAddress(node.address) == leader.address)
      }
    }
  }

  /// Copies the list and its history to a cluster without a list, in one transaction.
  ///
  /// - Parameters:
  ///   - address: as for `init(cluster:)`.
  ///   - proceed: called before each table; if it throws, nothing is copied.
  /// - Returns: the number of customers.
  /// - Throws: `LoadError`, `StoreError`, or what `proceed` throws; `CommitError` if the list may have been
  ///   copied.
  @discardableResult
  package func load(toCluster address: String, proceed: () throws -> Void = {}) throws -> Int {
    guard let parsed = ClusterAddress(address) else { throw StoreError.invalidAddress }
    return try load(to: parsed, proceed: proceed)
  }
}

extension ClusterAddress: ListEngine {
  package func database() -> sending any RemoteDatabase { Cluster(self) }

  package func dump(_ write: (_ file: Int, _ piece: [UInt8]) throws -> Void) throws {
    try Cluster(self).dump(write)
  }
}

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
