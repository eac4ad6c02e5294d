#if Cluster
  internal import CustomersCluster

  /// What the other nodes report about their cluster, as far as they can be reached.
  struct Survey {
    /// What one node reports.
    struct Report {
      let address: NodeAddress
      /// nil for a node that has not joined yet or runs version 0.1.0.
      let cluster: ClusterID?
      let isLeader: Bool
      /// The members according to the log of this node; none if it has not joined yet.
      let members: [ClusterNode]
    }

    let reports: [Report]

    init(_ nodes: [NodeAddress]) { reports = nodes.compactMap { try? Report($0) } }

    /// The report of the leader, if one was reached.
    var leader: Report? { reports.first(where: \.isLeader) }
  }

  extension Survey.Report {
    /// Asks a node; it may lead, follow, or wait for a leader.
    init(_ address: NodeAddress) throws {
      let node = try DqliteConnection(address)
      node.waitsBriefly()
      self.address = address
      cluster = try node.clusterID()
      isLeader = try node.leader().map { NodeAddress($0.address) == address } ?? false
      members = try node.nodes()
    }
  }
#endif
