#if Cluster
  internal import CustomersCluster
  internal import CustomersPlatform
  internal import CustomersSQLite

  /// Checks while a node runs that it is a member of its cluster, and that the cluster has a leader.
  struct NodeWatch {
    private let node: Node
    private var folder: NodeFolder
    private let address: NodeAddress
    private let others: [NodeAddress]
    /// The words of the command line.
    private let words: [String]
    private var joins: Bool
    /// Whether the cluster's own record of its identity was compared.
    private var hasAgreed = false
    private var lastLeader = ContinuousClock.now
    /// What the log said last.
    private var logged = (leader: "", members: "")
    /// How many leaders in a row did not know this node.
    private var strangers = 0
    /// How long the node may know no leader; random, so that the nodes do not all restart at once.
    private let leaderTimeout: Duration

    init(_ node: Node, _ folder: NodeFolder, _ address: NodeAddress, _ arguments: NodeArguments, joins: Bool)
    {
      (self.node, self.folder, self.address, self.joins) = (node, folder, address, joins)
      others = arguments.others
      words = arguments.words
      let least = max(30, arguments.electionTimeout / 100)
      leaderTimeout = .seconds(Int.random(in: least...2 * least))
    }

    /// Joins or restarts if necessary; called about every second.
    ///
    /// - Throws: `Refusal` if the node is not a member of the cluster of the others.
    mutating func look() throws {
      if joins { try join() }
      if let own = try? DqliteConnection(address), let leader = try? own.leader() {
        lastLeader = .now
        log(leader, (try? own.nodes()) ?? [])
        if !joins { try checkMembership(leader) }
      } else if !joins, let identity = folder.identity {
        try Admission.check(identity, in: folder.path, Survey(others))
      }
      if ContinuousClock.now - lastLeader > leaderTimeout { restart() }
    }

    private mutating func join() throws {
      do {
        if let cluster = try Membership(nodes: others + [address]).join(&folder, at: address) {
          try record(cluster)
        }
        say("joined the cluster")
        (joins, lastLeader) = (false, .now)
      } catch let error as SQLiteError {
        say("can't join the cluster yet: \(error.message)")
      }
    }

    private mutating func checkMembership(_ leader: (id: UInt64, address: String)) throws {
      if leader.id == folder.id {
        strangers = 0
        guard !hasAgreed, let agreed = try? ClusterRecord.agree(on: folder.identity?.cluster, at: address)
        else { return }
        try record(agreed)
        hasAgreed = true
      } else if let leader = NodeAddress(leader.address), let report = try? Survey.Report(leader),
        report.isLeader
      {
        let isMember = report.members.contains { $0.id == folder.id }
        strangers = isMember ? 0 : strangers + 1
        // A leader that was cut off may not know yet of a node that has just joined.
        if strangers == 5 { throw Refusal.notAMember(folder.path, report) }
        if isMember, let cluster = report.cluster, folder.identity?.cluster == nil { try record(cluster) }
      }
    }

    private mutating func record(_ cluster: ClusterID) throws {
      try folder.record(cluster, isMember: true)
      node.identify(cluster)
    }

    /// Logs elections and changes of the members.
    private mutating func log(_ leader: (id: UInt64, address: String), _ nodes: [ClusterNode]) {
      let leads = leader.id == folder.id ? "this node leads" : "the node at \(leader.address) leads"
      if leads != logged.leader { say(leads) }
      let members = nodes.map { $0.address + ($0.role == .voter ? "" : " (no vote)") }.joined(separator: ", ")
      if members != logged.members, !members.isEmpty { say("the nodes of the cluster: \(members)") }
      logged = (leads, members)
    }

    /// Restarts the program in the same process.
    ///
    /// This is for a cluster that has enough nodes but elects no leader. The files on disk are always
    /// consistent.
    private func restart() {
      say("no leader for \(leaderTimeout.components.seconds) s; restarting")
      for descriptor in 3..<4096 as Range<Int32> { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      var words = unsafe (["customers-node"] + words).map { unsafe strdup($0) } + [nil]
      unsafe execv("/proc/self/exe", &words)
      say("can't restart")
      exit(1)
    }
  }
#endif
