#if Cluster
  internal import CustomersCluster
  internal import CustomersSQLite

  /// What a node does when it starts.
  enum Admission {
    /// Creates a cluster.
    case founds
    /// Joins a cluster as a new member.
    case joins
    /// Goes on as the member that it is.
    case resumes

    /// Decides from what the folder holds and what the other nodes report.
    ///
    /// Before dqlite starts: a node with a log sends and answers Raft messages at once and can be elected.
    ///
    /// - Parameters:
    ///   - folder: becomes that of a new node if its node is to join.
    ///   - address: the address of the node.
    ///   - survey: what the other nodes report.
    ///   - joins: whether the command line names other nodes, so that no cluster may be created.
    /// - Returns: what to do.
    /// - Throws: `Refusal` or `NodeProblem`.
    static func decide(_ folder: inout NodeFolder, at address: NodeAddress, _ survey: Survey, joins: Bool)
      throws -> Admission
    {
      let holdsLog = try folder.holdsLog()
      guard holdsLog else {
        if !joins, folder.identity != nil { throw Refusal.lostLog(folder.path) }
        guard joins else { return .founds }
        // Not with the id of before: the cluster still counts on what that node had stored and voted for.
        try folder.becomeNew(at: address)
        return .joins
      }
      guard let identity = folder.identity, try identity.owns(logIn: folder.path) else {
        throw Refusal.strangeLog(folder.path)
      }
      try check(identity, in: folder.path, survey)
      return identity.cluster == nil || identity.isMember ? .resumes : .joins
    }

    /// Checks that a node with a log belongs to the cluster of the others.
    static func check(_ identity: NodeIdentity, in path: String, _ survey: Survey) throws(Refusal) {
      for other in survey.reports {
        try checkCluster(of: identity, in: path, other)
        // A follower may not know yet of a node that has just joined.
        guard identity.cluster == nil || identity.isMember && other.isLeader else { continue }
        guard other.members.isEmpty || other.members.contains(where: { $0.id == identity.id }) else {
          throw .notAMember(path, other)
        }
      }
    }

    /// Checks that a node that knows its cluster and another one that does are of the same.
    static func checkCluster(of identity: NodeIdentity, in path: String, _ other: Survey.Report)
      throws(Refusal)
    {
      guard let own = identity.cluster, let cluster = other.cluster, own != cluster else { return }
      throw .otherCluster(path, own, other)
    }
  }

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
    /// - Throws: `Refusal`, `SQLiteError`, or `NodeProblem`.
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

    /// What removing a node came to.
    enum Removal {
      case removed, noMember
      /// Nothing was done, for a reason.
      case refused(Risk)
    }

    /// Why removing a node needs an answer.
    enum Risk {
      /// It leads the cluster.
      case leads
      /// Only the node at an address would be left, and have the list.
      case leaves(NodeAddress)
    }

    /// Removes a node from the cluster.
    ///
    /// - Parameters:
    ///   - address: the address of the node.
    ///   - confirm: called if there is a risk; if it returns false, nothing is done.
    /// - Returns: what it came to.
    /// - Throws: `SQLiteError` of the leader, or if there is none.
    func remove(_ address: NodeAddress, confirm: (Risk) -> Bool) throws(SQLiteError) -> Removal {
      let leader = try leader()
      let members = try leader.nodes()
      guard let member = members.first(where: { NodeAddress($0.address) == address }) else {
        return .noMember
      }
      let left = members.filter { $0.id != member.id && $0.role == .voter }
      let risk: Risk? =
        leader.address == address ? .leads : left.count == 1 ? .leaves(leader.address) : nil
      if let risk, !confirm(risk) { return .refused(risk) }
      try leader.remove(member.id)
      return .removed
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
