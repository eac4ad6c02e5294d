#if Cluster
  internal import CCustomersDqlite
  internal import CustomersCluster
  internal import CustomersSQLite
  internal import CustomersSystem
  internal import CustomersText
  internal import Synchronization

  /// The nodes of a cluster and how they are, for an operator and for monitoring.
  struct ClusterStatus {
    struct Node {
      let address: NodeAddress
      /// nil if it does not answer.
      let report: Survey.Report?
      /// nil if it is no member.
      let role: ClusterNode.Role?
    }

    /// How the cluster is, as an exit code.
    enum Health: Int32 {
      /// Every member answers, and they agree.
      case good = 0
      /// There is no leader, or the nodes belong to different clusters.
      case bad = 1
      /// The list can be used, but a member does not answer or vote, or there are fewer members than are wanted.
      case degraded = 4
    }

    let nodes: [Node]
    /// How many nodes are to vote.
    let wanted: Int

    /// Asks the nodes and those that they report as members.
    init(_ asked: [NodeAddress], wanted: Int) {
      self.wanted = wanted
      var reports = Survey(asked).reports
      var known = asked
      let members = (reports.first(where: \.isLeader) ?? reports.first)?.members ?? []
      for address in members.compactMap({ NodeAddress($0.address) }) where !known.contains(address) {
        known.append(address)
        reports += Survey([address]).reports
      }
      nodes = known.map { address in
        Node(
          address: address, report: reports.first { $0.address == address },
          role: members.first { NodeAddress($0.address) == address }?.role)
      }
    }

    var health: Health {
      let clusters = Set(nodes.compactMap { $0.report?.cluster })
      guard clusters.count <= 1, nodes.contains(where: { $0.report?.isLeader == true }) else { return .bad }
      let isWhole = voters >= wanted && nodes.allSatisfy { $0.report != nil && $0.role == .voter }
      return isWhole ? .good : .degraded
    }

    private var voters: Int { nodes.count { $0.role == .voter } }

    /// One line for each node, and one if there are fewer than are wanted.
    var text: String {
      let lines = nodes.map { node in "\(node.address)  \(node.words.joined(separator: ", "))" }
      return (lines + (voters < wanted ? ["\(voters) of \(wanted) nodes vote"] : [])).joined(separator: "\n")
    }

    /// The same for programs.
    var json: String {
      JSON.object([
        ("health", .string("\(health)")), ("wanted", .int(wanted)), ("nodes", .array(nodes.map(\.json))),
      ]).text
    }
  }

  extension ClusterStatus.Node {
    fileprivate var json: JSON {
      let cluster = report?.cluster.map { JSON.string($0.description) } ?? .raw("null")
      let facts: [(String, JSON)] = [
        ("address", .string(address.description)), ("answers", .bool(report != nil)),
        ("leader", .bool(report?.isLeader == true)), ("member", .bool(role != nil)),
        ("voter", .bool(role == .voter)), ("cluster", cluster),
      ]
      return .object(facts)
    }

    fileprivate var words: [String] {
      guard let report else { return ["does not answer"] }
      let part = role == nil ? "not a member" : role == .voter ? "votes" : "does not vote"
      let cluster = report.cluster.map { "cluster \($0)" } ?? "no cluster known"
      return (report.isLeader ? ["leads"] : []) + [part, cluster]
    }
  }

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
