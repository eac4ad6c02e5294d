#if Cluster
  internal import CustomersCluster

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
    /// - Throws: `Refusal` or `NodeFolder.Problem`.
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
#endif
