#if Cluster
  internal import CustomersCluster
  internal import CustomersFormats

  /// The nodes of a cluster and how they are, for an operator and for monitoring.
  struct ClusterStatus {
    /// One node.
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
      /// The list can be used, but a member does not answer, or does not vote.
      case degraded = 4
    }

    let nodes: [Node]

    /// Asks the nodes and those that they report as members.
    init(_ asked: [NodeAddress]) {
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
      return nodes.allSatisfy { $0.report != nil && $0.role == .voter } ? .good : .degraded
    }

    /// One line for each node.
    var text: String {
      nodes.map { node in "\(node.address)  \(node.words.joined(separator: ", "))" }.joined(separator: "\n")
    }

    /// The same for programs.
    var json: String {
      JSON.object([("health", .string("\(health)")), ("nodes", .array(nodes.map(\.json)))]).text
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
#endif
