internal import Platform
public import SQLite

/// The way to the node that leads a cluster.
///
/// The nodes that are known are asked in turn. While they elect a leader, none knows of one; that takes
/// some seconds.
public struct LeaderSearch {
  /// The nodes that the person named.
  private let seeds: [NodeAddress]
  /// The nodes that other nodes named, the one that led last before the others.
  private var known: [NodeAddress] = []

  /// Begins with some nodes.
  public init(_ seeds: [NodeAddress]) { self.seeds = seeds }

  /// Connects to the leader.
  ///
  /// - Parameters:
  ///   - timeout: how long to look; each node is asked once at least.
  ///   - goesOn: whether to go on looking; it gets the length of the last pause.
  /// - Returns: a connection that has opened no database.
  /// - Throws: `SQLiteError` with `.unreachable` if none is found.
  public mutating func connect(
    within timeout: Duration, while goesOn: (_ pause: Duration) -> Bool = { _ in true }
  ) throws(SQLiteError) -> DqliteConnection {
    let start = ContinuousClock.now
    while true {
      if let found = askAll() { return found }
      let pause = Duration.milliseconds(Int.random(in: 50...250))
      guard ContinuousClock.now - start < timeout, goesOn(pause) else {
        let names = seeds.map(\.description).joined(separator: ", ")
        throw .unreachable("no node of the cluster leads it, or none can be reached (\(names))")
      }
      usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000))
    }
  }

  private mutating func askAll() -> DqliteConnection? {
    for address in known + seeds.filter({ !known.contains($0) }) {
      guard let connection = try? DqliteConnection(address) else { continue }
      connection.goesOn = { _ in false }
      guard let leader = try? connection.leader(), let leads = NodeAddress(leader.address) else { continue }
      let found = leads == address ? connection : leaderConnection(leads)
      guard let found else { continue }
      learn(found)
      found.goesOn = { $0 < DqliteConnection.longestSilence }
      return found
    }
    return nil
  }

  /// A connection to the node that another one takes for the leader, if it does so itself.
  private func leaderConnection(_ address: NodeAddress) -> DqliteConnection? {
    guard let connection = try? DqliteConnection(address) else { return nil }
    connection.goesOn = { _ in false }
    guard let leader = try? connection.leader(), NodeAddress(leader.address) == address else { return nil }
    return connection
  }

  private mutating func learn(_ leader: DqliteConnection) {
    let nodes = (try? leader.nodes()) ?? []
    let others = nodes.prefix(20).compactMap { NodeAddress($0.address) }.filter { $0 != leader.address }
    known = [leader.address] + others
  }

  /// Whether other nodes follow another leader than this one, which has been silent.
  func isDeposed(_ leader: NodeAddress) -> Bool {
    Set(known + seeds).subtracting([leader]).contains { address in
      guard let connection = try? DqliteConnection(address) else { return false }
      connection.goesOn = { _ in false }
      guard let other = try? connection.leader() else { return false }
      return NodeAddress(other.address) != leader
    }
  }
}
