internal import CustomerFixtures
public import Dqlite
internal import Foundation
public import Platform
internal import Synchronization

/// Nodes of a cluster on this machine, with folders and ports of their own.
public final class TestCluster: Sendable {
  /// Where the nodes are.
  public let addresses: [NodeAddress]
  private let folder: TemporaryFolder
  private let processes = Mutex<[Int: pid_t]>([:])

  /// The path of `customers-node`, which needs libdqlite and is built apart.
  private static let program = ProcessInfo.processInfo.environment["CUSTOMERS_NODE"]

  /// Starts nodes, and waits until all have a vote.
  public init(_ count: Int = 3) throws {
    folder = try TemporaryFolder()
    addresses = freePorts(count).compactMap { NodeAddress("127.0.0.1:\($0)") }
    try start(0, joining: false)
    try waitUntil("there is a leader") { leader != nil }
    // One after another: a cluster takes in one at a time, and refuses another until then.
    for node in addresses.indices.dropFirst() {
      try start(node)
      try waitUntil("the node has a vote") { voters == node + 1 }
    }
  }

  deinit { for node in addresses.indices { kill(node) } }

  /// Where a list on this cluster is.
  public func url(_ database: String = "customers") -> String {
    "dqlite://\(addresses.map(\.description).joined(separator: ","))/\(database)"
  }

  /// The node that leads, if those who know agree.
  public var leader: Int? {
    let known = Set(addresses.compactMap { try? DqliteConnection($0).leader()?.address })
    return known.count == 1 ? addresses.firstIndex { known.contains($0.description) } : nil
  }

  /// How many nodes have a vote, as the leader knows it.
  public var voters: Int {
    guard let leader, let nodes = try? DqliteConnection(addresses[leader]).nodes() else { return 0 }
    return nodes.count { $0.role == .voter }
  }

  /// What a node has said since it was started.
  public func log(of node: Int) -> String {
    (try? String(contentsOfFile: path(node) + ".log", encoding: .utf8)) ?? ""
  }

  private func path(_ node: Int) -> String { "\(folder.path)/node\(node)" }

  /// Starts a node that does not run.
  public func start(_ node: Int, joining: Bool = true) throws {
    let others = addresses.indices.filter { joining && $0 != node }
    guard let program = Self.program else { preconditionFailure("$CUSTOMERS_NODE names no program") }
    var spawn = Spawn(
      words: [program, "--data", path(node), "--address", addresses[node].description]
        + ["--election-timeout", "600"] + others.flatMap { ["--join", addresses[$0].description] },
      environment: [:], folder: folder.path)
    spawn.errors = path(node) + ".log"
    let process = try spawn.start()
    processes.withLock { $0[node] = process }
  }

  /// The process of a node that runs.
  public func process(of node: Int) -> pid_t? { processes.withLock { $0[node] } }

  /// Ends a node as a power cut does.
  public func kill(_ node: Int) { end(node, SIGKILL) }

  /// Ends a node as the system does.
  ///
  /// - Returns: its exit code.
  @discardableResult
  public func stop(_ node: Int) -> Int32? { end(node, SIGTERM) }

  @discardableResult
  private func end(_ node: Int, _ signal: Int32) -> Int32? {
    guard let process = processes.withLock({ $0.removeValue(forKey: node) }) else { return nil }
    _ = Platform.kill(process, signal)
    _ = Platform.kill(process, SIGCONT)
    return Spawn.wait(process)
  }

  /// Sends a node a signal that does not end it.
  public func signal(_ node: Int, _ signal: Int32) {
    if let process = process(of: node) { _ = Platform.kill(process, signal) }
  }

  /// Removes what a node that does not run has kept.
  public func forget(_ node: Int) throws { try FileManager.default.removeItem(atPath: path(node)) }
}

/// Waits for something that comes by itself; it never takes as long as the limit.
public func waitUntil(_ what: String, _ isTrue: () throws -> Bool) throws {
  let start = ContinuousClock.now
  while try !isTrue() {
    guard ContinuousClock.now - start < .seconds(120) else { throw NeverTrue(what: what) }
    usleep(20_000)
  }
}

/// What was waited for in vain.
private struct NeverTrue: Error {
  var what: String
}

/// Ports that no program listens at now.
private func freePorts(_ count: Int) -> [UInt16] {
  let sockets = (0..<count).map { _ in tcpSocket() }
  defer { for socket in sockets { close(socket) } }
  return sockets.map { socket in
    var (name, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    name.sin_family = sa_family_t(AF_INET)
    return unsafe withUnsafeMutablePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(socket, generic, size)
        unsafe getsockname(socket, generic, &size)
      }
      return unsafe UInt16(bigEndian: name.pointee.sin_port)
    }
  }
}
