#if Cluster
  internal import CustomersCluster
  internal import CustomersSQLite

  /// Adds nodes to a cluster and removes them.
  struct Membership {
    /// The leader refused, or there is none.
    typealias Problem = SQLiteError

    let nodes: [NodeAddress]

    private func leader() throws(Problem) -> DqliteConnection {
      var search = LeaderSearch(nodes)
      return try search.connect(within: .seconds(1))
    }

    /// Makes a node a voting member, if it is not one yet.
    ///
    /// A former node at the same address, whose folder was lost, is removed first.
    ///
    /// - Returns: whether anything changed.
    func join(_ id: UInt64, at address: NodeAddress) throws(Problem) -> Bool {
      let leader = try leader()
      let members = try leader.nodes()
      for former in members where former.id != id && NodeAddress(former.address) == address {
        try leader.remove(former.id)
      }
      let known = members.first { $0.id == id }
      if known?.role == .voter { return false }
      if known == nil { try leader.add(id, address) }
      try leader.assign(.voter, to: id)
      return true
    }

    /// Removes a node from the cluster.
    ///
    /// - Returns: whether it was a member.
    func remove(_ address: NodeAddress) throws(Problem) -> Bool {
      let leader = try leader()
      guard let member = try leader.nodes().first(where: { NodeAddress($0.address) == address }) else {
        return false
      }
      try leader.remove(member.id)
      return true
    }

    /// Transfers leadership to another node, if this one leads, so that no election is needed.
    static func handOver(_ id: UInt64, at address: NodeAddress) throws(Problem) {
      let node = try DqliteConnection(address)
      guard try node.leader()?.id == id else { return }
      let heir = try node.nodes().first { $0.id != id && $0.role == .voter }
      if let heir { try node.transferLead(to: heir.id) }
    }
  }
#endif
