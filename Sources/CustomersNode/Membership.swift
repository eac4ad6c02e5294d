#if Cluster
  internal import CustomersCluster
  internal import CustomersSQLite

  /// Adds nodes to a cluster and removes them.
  struct Membership {
    let nodes: [NodeAddress]

    private func leader() throws(SQLiteError) -> DqliteConnection {
      var search = LeaderSearch(nodes)
      return try search.connect(within: .seconds(1))
    }

    /// Makes a new node a voting member of the leader's cluster.
    ///
    /// A former node at the same address, whose folder was lost, is removed first.
    ///
    /// - Returns: the cluster; nil if the leader does not know it, because it runs version 0.1.0.
    /// - Throws: `Refusal`, `SQLiteError`, or `NodeFolder.Problem`.
    func join(_ folder: inout NodeFolder, at address: NodeAddress) throws -> ClusterID? {
      let leader = try leader()
      let cluster = try leader.clusterID()
      if let cluster {
        if let identity = folder.identity {
          try Admission.checkCluster(of: identity, in: folder.path, Survey.Report(leader.address))
        }
        try folder.record(cluster, isMember: false)
      }
      let members = try leader.nodes()
      for former in members where former.id != folder.id && NodeAddress(former.address) == address {
        try leader.remove(former.id)
      }
      let known = members.first { $0.id == folder.id }
      if known == nil { try leader.add(folder.id, address) }
      if known?.role != .voter { try leader.assign(.voter, to: folder.id) }
      return cluster
    }

    /// Removes a node from the cluster.
    ///
    /// - Parameters:
    ///   - address: the address of the node.
    ///   - confirm: called before the leader is removed; if it returns false, nothing is done.
    /// - Returns: whether it was a member; nil if `confirm` returned false.
    /// - Throws: `SQLiteError` of the leader, or if there is none.
    func remove(_ address: NodeAddress, confirm: () -> Bool) throws(SQLiteError) -> Bool? {
      let leader = try leader()
      guard let member = try leader.nodes().first(where: { NodeAddress($0.address) == address }) else {
        return false
      }
      if leader.address == address, !confirm() { return nil }
      try leader.remove(member.id)
      return true
    }

    /// Transfers leadership to another node, if this one leads, so that no election is needed.
    static func handOver(_ id: UInt64, at address: NodeAddress) throws(SQLiteError) {
      let node = try DqliteConnection(address)
      guard try node.leader()?.id == id else { return }
      let heir = try node.nodes().first { $0.id != id && $0.role == .voter }
      if let heir { try node.transferLead(to: heir.id) }
    }
  }
#endif
