public import SQLite

/// A node of a cluster.
public struct ClusterNode: Hashable, Sendable {
  /// What a node has to do.
  public enum Role: UInt64, Sendable {
    /// Keeps the data and has a vote.
    case voter = 0
    /// Keeps the data.
    case standby = 1
    /// Does nothing.
    case spare = 2
  }

  public let id: UInt64
  /// As the node was given it, normally `host:port`.
  public let address: String
  /// nil for a number that this version does not know.
  public let role: Role?
}

/// Who is in the cluster.
extension DqliteConnection {
  /// The node that leads, as this node knows it; nil if it knows of none.
  public func leader() throws(SQLiteError) -> (id: UInt64, address: String)? {
    var body = try ask(.leader, .node)
    let leader = (id: try body.word(), address: try body.string())
    return leader.address.isEmpty ? nil : leader
  }

  /// All nodes of the cluster.
  public func nodes() throws(SQLiteError) -> [ClusterNode] {
    var body = try ask(.cluster, .nodes)
    var nodes: [ClusterNode] = []
    for _ in 0..<min(try body.word(), 1000) {
      nodes.append(
        ClusterNode(id: try body.word(), address: try body.string(), role: .init(rawValue: try body.word())))
    }
    return nodes
  }

  /// Takes a node in, without a vote yet; only the leader can.
  public func add(_ id: UInt64, _ address: NodeAddress) throws(SQLiteError) {
    _ = try ask(.add(id: id, address: address.description), .empty)
  }

  /// Gives a node a role; only the leader can.
  public func assign(_ role: ClusterNode.Role, to id: UInt64) throws(SQLiteError) {
    _ = try ask(.assign(id: id, role: role.rawValue), .empty)
  }

  /// Takes a node out; only the leader can.
  public func remove(_ id: UInt64) throws(SQLiteError) { _ = try ask(.remove(id: id), .empty) }

  /// Hands the lead over to a node; only the leader can.
  public func transferLead(to id: UInt64) throws(SQLiteError) { _ = try ask(.transfer(id: id), .empty) }
}
