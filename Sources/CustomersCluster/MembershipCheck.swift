internal import CustomersSQLite

/// Asks nodes which cluster they belong to, all at the same time, while the leader is being searched.
///
/// After a mistake of an operator, the nodes in an address can belong to two clusters, each with a leader.
struct MembershipCheck {
  /// How long to wait, after the leader has answered, for nodes that may be down.
  private static let waitPolicy = Duration.milliseconds(200)

  private let nodes: [DqliteConnection]

  /// Starts connecting.
  init(_ addresses: [NodeAddress]) {
    nodes = addresses.compactMap { try? DqliteConnection(starting: $0) }
  }

  /// Compares the answers with the leader's.
  ///
  /// - Parameters:
  ///   - leader: the leader, which has introduced itself.
  ///   - whileWaiting: what to do while the answers are on their way.
  /// - Throws: `SQLiteError` with `.mixedClusters` or what `whileWaiting` throws.
  func compare(with leader: DqliteConnection, whileWaiting: () throws(SQLiteError) -> Void)
    throws(SQLiteError)
  {
    let deadline = ContinuousClock.now + Self.waitPolicy
    func rest() -> Duration { max(.zero, deadline - .now) }
    let asked = nodes.filter { node in
      node.address != leader.address && (try? node.askForIntroduction(within: rest())) != nil
    }
    try whileWaiting()
    guard let cluster = leader.introduction?.cluster else { return }
    for node in asked {
      guard let other = try? node.readIntroduction(within: rest()).cluster, other != cluster else { continue }
      throw .mixedClusters(
        "the node at \(leader.address) is of cluster \(cluster), and the node at \(node.address) of \(other); "
          + "stop the nodes of the one that is not yours")
    }
  }
}

extension SQLiteError {
  /// The nodes of an address belong to different clusters.
  static func mixedClusters(_ message: String) -> SQLiteError {
    SQLiteError(code: .mixedClusters, message: message)
  }
}

extension ResultCode {
  /// The nodes of an address belong to different clusters; trying again doesn't help.
  static let mixedClusters = ResultCode(rawValue: 21 | (0x7f << 8))
}
