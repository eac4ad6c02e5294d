internal import CustomersPlatform
public import CustomersSQLite

/// Finds the leader of a cluster.
///
/// It asks the known nodes in turn. During an election, which takes a few seconds, none of them knows a
/// leader.
public struct LeaderSearch {
  /// The nodes in the address that the user gave.
  private let seeds: [NodeAddress]
  /// The nodes of the cluster as the last leader reported them, itself first.
  private var known: [NodeAddress] = []

  /// Starts from some nodes of the cluster.
  public init(_ seeds: [NodeAddress]) { self.seeds = seeds }

  /// The known nodes, the last leader first.
  var nodes: [NodeAddress] { known + seeds.filter { !known.contains($0) } }

  /// Connects to the leader.
  ///
  /// - Parameters:
  ///   - timeout: how long to look; each node is asked at least once.
  ///   - shouldContinue: whether to keep looking; called with the length of the next pause.
  /// - Returns: a connection on which no database is open yet.
  /// - Throws: `SQLiteError` with `.unreachable` if no leader is found.
  public mutating func connect(
    within timeout: Duration, while shouldContinue: (_ pause: Duration) -> Bool = { _ in true }
  ) throws(SQLiteError) -> DqliteConnection {
    let start = ContinuousClock.now
    while true {
      if let found = askAll() { return found }
      let pause = Duration.milliseconds(Int.random(in: 50...250))
      guard ContinuousClock.now - start < timeout, shouldContinue(pause) else {
        let names = seeds.map(\.description).joined(separator: ", ")
        throw .unreachable("the cluster has no leader, or no node can be reached (\(names))")
      }
      usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000))
    }
  }

  private mutating func askAll() -> DqliteConnection? {
    for address in nodes {
      guard let connection = try? DqliteConnection(address) else { continue }
      connection.waitsBriefly()
      guard let leader = try? connection.introduce().leader else { continue }
      let found = leader == address ? connection : leaderConnection(leader)
      guard let found else { continue }
      learn(found)
      found.shouldContinue = { $0 < DqliteConnection.longestSilence }
      return found
    }
    return nil
  }

  /// Connects to the node that another node reports as the leader; nil if it does not confirm that.
  private func leaderConnection(_ address: NodeAddress) -> DqliteConnection? {
    guard let connection = try? DqliteConnection(address) else { return nil }
    connection.waitsBriefly()
    return (try? connection.introduce().leader) == address ? connection : nil
  }

  private mutating func learn(_ leader: DqliteConnection) {
    let nodes = leader.introduction?.nodes ?? []
    let others = nodes.prefix(20).compactMap { NodeAddress($0.address) }.filter { $0 != leader.address }
    known = [leader.address] + others
  }

  /// Whether another node follows a different leader; asked when the leader has been silent.
  func isDeposed(_ leader: NodeAddress) -> Bool {
    Set(nodes).subtracting([leader]).contains { address in
      guard let connection = try? DqliteConnection(address) else { return false }
      connection.waitsBriefly()
      guard let other = try? connection.leader() else { return false }
      return NodeAddress(other.address) != leader
    }
  }
}
