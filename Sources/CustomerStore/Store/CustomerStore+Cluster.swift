package import CustomersCluster

/// A list on a cluster of machines, which remains available when one of them fails.
extension CustomerStore {
  /// Opens the list at `dqlite://host:port,host:port,…/name`; the hosts are numeric IPv4 addresses.
  ///
  /// Use it like a list in a file. When `write` returns, the transaction is on the disks of most nodes. When
  /// the leader is lost, an open transaction fails without changing anything; the next one waits until the
  /// other nodes have elected a new leader.
  ///
  /// - Parameters:
  ///   - address: the address of the list.
  ///   - options: as for a file; with `createsFile`, an empty database becomes a list.
  /// - Throws: `StoreError`; `.unreachable` if no leader can be reached.
  public convenience init(cluster address: String, options: Options = Options()) throws {
    guard let parsed = ClusterAddress(address) else { throw StoreError.invalidAddress }
    try self.init(cluster: parsed, options: options)
  }

  /// Opens the list at a parsed address.
  package convenience init(cluster address: ClusterAddress, options: Options = Options()) throws {
    let cluster = OpenCluster(address: address)
    let connection = try cluster.connect(options, Patience(options.busyTimeout))
    self.init(on: cluster, connection, options: options)
  }

  /// The nodes of the list's cluster: their addresses, whether each one votes, and which one is the leader;
  /// empty if the list is not on a cluster.
  ///
  /// - Throws: `StoreError.unreachable`.
  public func clusterNodes() throws -> [(address: String, isVoter: Bool, isLeader: Bool)] {
    guard let cluster else { return [] }
    return try CustomerStore.translatingSQLiteErrors {
      let leader = try Cluster(cluster.address).leader()
      return try leader.nodes().map { node in
        (node.address, node.role == .voter, NodeAddress(node.address) == leader.address)
      }
    }
  }
}
