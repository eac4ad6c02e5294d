public import CustomersSQLite

/// A node of a cluster.
public struct ClusterNode: Hashable, Sendable {
  /// What a node does in the cluster.
  public enum Role: UInt64, Sendable {
    /// Stores the data and votes.
    case voter = 0
    /// Stores the data.
    case standby = 1
    /// Neither stores the data nor votes.
    case spare = 2
  }

  public let id: UInt64
  /// The address the node was added with, normally `host:port`.
  public let address: String
  /// nil if this version does not know the role.
  public let role: Role?
}

/// Requests about the members of the cluster.
extension DqliteConnection {
  /// The leader, as far as this node knows; nil if it knows of none.
  public func leader() throws(SQLiteError) -> (id: UInt64, address: String)? {
    var body = try ask(.leader, .node)
    let leader = try Self.node(&body)
    return leader.address.isEmpty ? nil : leader
  }

  /// Decodes an id and an address, which is empty if there is no such node.
  static func node(_ body: inout AnswerReader) throws(SQLiteError) -> (id: UInt64, address: String) {
    (id: try body.word(), address: try body.string())
  }

  /// All nodes of the cluster.
  public func nodes() throws(SQLiteError) -> [ClusterNode] {
    var body = try ask(.cluster, .nodes)
    return try Self.nodes(&body)
  }

  /// Decodes a list of nodes.
  static func nodes(_ body: inout AnswerReader) throws(SQLiteError) -> [ClusterNode] {
    var nodes: [ClusterNode] = []
    for _ in 0..<min(try body.word(), 1000) {
      nodes.append(
        ClusterNode(id: try body.word(), address: try body.string(), role: .init(rawValue: try body.word())))
    }
    return nodes
  }

  /// Adds a node, which does not vote yet; only the leader can.
  public func add(_ id: UInt64, _ address: NodeAddress) throws(SQLiteError) {
    _ = try ask(.add(id: id, address: address.description), .empty)
  }

  /// Assigns a role to a node; only the leader can.
  public func assign(_ role: ClusterNode.Role, to id: UInt64) throws(SQLiteError) {
    _ = try ask(.assign(id: id, role: role.rawValue), .empty)
  }

  /// Removes a node; only the leader can.
  public func remove(_ id: UInt64) throws(SQLiteError) { _ = try ask(.remove(id: id), .empty) }

  /// Transfers leadership to another node; only the leader can.
  public func transferLead(to id: UInt64) throws(SQLiteError) { _ = try ask(.transfer(id: id), .empty) }
}
