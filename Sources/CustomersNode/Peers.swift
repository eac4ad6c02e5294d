#if Cluster
  internal import CCustomersDqlite
  internal import CustomersCluster
  internal import CustomersPlatform
  internal import CustomersSQLite
  internal import Synchronization

  /// The connections that dqlite makes to the other nodes: only to nodes of the same cluster.
  ///
  /// A folder of another cluster may be started at the address of a member at any time. Raft would mix the two
  /// logs, so a node asks for the cluster each time before it connects.
  enum Peers {
    /// The cluster of this node; nil until known.
    ///
    /// A global, because a node is the only one of its process and dqlite calls back on threads of its own.
    static let cluster = Mutex<ClusterID?>(nil)
    /// The peers of other clusters that were reported in the log.
    private static let reported = Mutex<Set<NodeAddress>>([])

    /// Lets dqlite use `connect`.
    static func guardConnections(of node: OpaquePointer) -> Bool {
      unsafe dqlite_node_set_connect_func(
        node,
        { _, address, descriptor in
          guard let address = unsafe address, let descriptor = unsafe descriptor,
            let peer = unsafe NodeAddress(String(cString: address)),
            let connected = (try? Peers.connect(peer)) ?? nil
          else { return 1 }
          unsafe descriptor.pointee = connected
          return 0
        }, nil) == 0
    }

    /// Connects to a node that is of this cluster or does not know its cluster yet; nil if it is of another one.
    private static func connect(_ peer: NodeAddress) throws(SQLiteError) -> Int32? {
      let asking = try DqliteConnection(peer)
      asking.waitsBriefly()
      if let theirs = try asking.clusterID(), let ours = cluster.withLock(\.self), theirs != ours {
        if reported.withLock({ $0.insert(peer).inserted }) {
          say("the node at \(peer) is of another cluster (\(theirs), not \(ours)); not connecting to it")
        }
        return nil
      }
      return try DqliteConnection.connectedSocket(peer)
    }
  }
#endif
