public import CustomersSQLite

/// What a node says about itself when a client connects.
public struct NodeIntroduction: Sendable {
  /// The address of the leader, as far as this node knows; nil if it knows of none.
  public let leader: NodeAddress?
  /// The nodes of the cluster; empty if this one has not joined it yet.
  public let nodes: [ClusterNode]
  /// nil if the node has not joined a cluster yet or runs version 0.1.0.
  public let cluster: ClusterID?
}

extension DqliteConnection {
  /// The cluster of this node; nil if it has not joined one yet or runs version 0.1.0.
  public func clusterID() throws(SQLiteError) -> ClusterID? {
    var body = try ask(.describe, .metadata)
    return ClusterID(try body.word())
  }

  /// Asks for the leader, the nodes, and the cluster, in one round trip.
  @discardableResult
  func introduce() throws(SQLiteError) -> NodeIntroduction {
    try askForIntroduction(within: Socket.shortTimeout)
    return try readIntroduction()
  }

  /// Sends the requests of `introduce`, once the connection is made.
  func askForIntroduction(within timeout: Duration) throws(SQLiteError) {
    try finishConnecting(within: timeout)
    try send([.leader, .cluster, .describe])
  }

  /// Reads the answers to `askForIntroduction`; the node must start to answer within the timeout, if there is one.
  func readIntroduction(within timeout: Duration) throws(SQLiteError) -> NodeIntroduction {
    try expectAnswer(within: timeout)
    return try readIntroduction()
  }

  private func readIntroduction() throws(SQLiteError) -> NodeIntroduction {
    var (leader, nodes, cluster) = (
      try answer(.node), try answer(.nodes), try answer(.metadata)
    )
    let found = NodeIntroduction(
      leader: NodeAddress(try Self.node(&leader).address), nodes: try Self.nodes(&nodes),
      cluster: ClusterID(try cluster.word()))
    introduction = found
    return found
  }
}
