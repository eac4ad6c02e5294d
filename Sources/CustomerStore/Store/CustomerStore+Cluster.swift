internal import Dqlite

/// A list on a cluster of machines, which goes on when one of them fails.
extension CustomerStore {
  /// Whether a text is the address of a list on a cluster, and not the path of a file.
  public static func isClusterAddress(_ text: String) -> Bool { text.hasPrefix(ClusterAddress.scheme) }

  /// Opens the list at `dqlite://host:port,host:port,…/name`; the hosts are IPv4 addresses in numbers.
  ///
  /// It is used as a file is. Each transaction is on the disks of most nodes when `write` returns. When the
  /// node that leads is lost, an open transaction fails and has changed nothing; the next one waits until
  /// the others have elected a leader.
  ///
  /// - Parameters:
  ///   - address: where the list is.
  ///   - options: as for a file; with `createsFile` an empty database becomes a list.
  /// - Throws: `StoreError`; `.unreachable` if no node answers that leads the cluster.
  public convenience init(cluster address: String, options: Options = Options()) throws {
    guard let parsed = ClusterAddress(address) else { throw StoreError.invalidAddress }
    let cluster = OpenCluster(address: parsed)
    let connection = try cluster.connect(options, Patience(options.busyTimeout))
    self.init(on: cluster, connection, options: options)
  }

  /// The nodes of the cluster that the list is on: their addresses, whether each has a vote, and which one
  /// leads; none for a list elsewhere.
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
