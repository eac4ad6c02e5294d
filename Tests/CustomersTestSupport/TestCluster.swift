internal import CustomerFixtures
package import CustomersCluster
internal import Foundation
package import CustomersSystem
internal import Synchronization

/// A cluster whose nodes run on this machine, each with its own folder and port.
package final class TestCluster: Sendable {
  /// The addresses of the nodes.
  package let addresses: [NodeAddress]
  private let folder: TemporaryFolder
  private let processes = Mutex<[Int: pid_t]>([:])

  /// The path of `customers-node`, which needs libdqlite and is built separately.
  private static let program = ProcessInfo.processInfo.environment["CUSTOMERS_NODE"]

  /// Starts nodes and waits until all of them vote.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - host: their host as in an address.
  /// - Throws: an error if a node does not start.
  package init(_ count: Int = 3, at host: String = "127.0.0.1") throws {
    folder = try TemporaryFolder()
    addresses = freePorts(count).compactMap { NodeAddress("\(host):\($0)") }
    // One after another: a cluster refuses to add a node while it adds another.
    for node in addresses.indices {
      try start(node, joining: node > 0)
      do {
        try waitUntil("the node votes") {
          guard let process = process(of: node), !Spawn.hasEnded(process) else { throw NeverVoted() }
          return voters == node + 1
        }
      } catch {
        throw NeverVoted(logs: addresses.indices.map { "node \($0): \(log(of: $0))" })
      }
    }
  }

  deinit { for node in addresses.indices { kill(node) } }

  /// The address of a list on this cluster.
  package func url(_ database: String = "customers") -> String {
    "dqlite://\(addresses.map(\.description).joined(separator: ","))/\(database)"
  }

  /// The leader; nil unless all nodes that know one agree.
  package var leader: Int? {
    let known = Set(addresses.compactMap { try? DqliteConnection($0).leader()?.address })
    return known.count == 1 ? addresses.firstIndex { known.contains($0.description) } : nil
  }

  /// How many nodes vote, according to the leader.
  package var voters: Int {
    guard let leader, let nodes = try? DqliteConnection(addresses[leader]).nodes() else { return 0 }
    return nodes.count { $0.role == .voter }
  }

  /// The log of a node since its last start.
  package func log(of node: Int) -> String {
    (try? String(contentsOfFile: path(node) + ".log", encoding: .utf8)) ?? ""
  }

  /// The folder of a node.
  package func path(_ node: Int) -> String { "\(folder.path)/node\(node)" }

  /// The error of a test that needs a node where none was built.
  package struct NoProgram: Error, CustomStringConvertible {
    package var description: String {
      "$CUSTOMERS_NODE names no customers-node; Tests/README.md says how to build it"
    }
  }

  /// The error of a cluster that a node could not join, with what the nodes logged.
  private struct NeverVoted: Error {
    var logs: [String] = []
  }

  /// Starts a node that is not running.
  package func start(_ node: Int, joining: Bool = true) throws {
    let others = addresses.indices.filter { joining && $0 != node }
    guard let program = Self.program else { throw NoProgram() }
    var spawn = Spawn(
      words: [program, "--data", path(node), "--address", addresses[node].description]
        + ["--election-timeout", "600"] + others.flatMap { ["--join", addresses[$0].description] },
      environment: [:], folder: folder.path)
    spawn.errors = path(node) + ".log"
    let process = try spawn.start()
    processes.withLock { $0[node] = process }
  }

  /// Runs `customers-node` with other arguments until it ends.
  ///
  /// - Returns: what it printed, and its exit code.
  package func run(_ words: String...) throws -> (text: String, code: Int32) { try run(words) }

  /// The same, with the arguments in an array.
  package func run(_ words: [String]) throws -> (text: String, code: Int32) {
    guard let program = Self.program else { throw NoProgram() }
    var spawn = Spawn(words: [program] + words, environment: [:], folder: folder.path)
    (spawn.output, spawn.errors) = (folder.path + "/output", folder.path + "/errors")
    let code = Spawn.wait(try spawn.start())
    let texts = try ["output", "errors"].map {
      try String(contentsOfFile: "\(folder.path)/\($0)", encoding: .utf8)
    }
    return (texts.joined(), code)
  }

  /// Waits until a node ends by itself.
  ///
  /// - Returns: its exit code.
  package func waitForEnd(of node: Int) throws -> Int32? {
    guard let process = process(of: node) else { return nil }
    try waitUntil("the node has ended") { Spawn.hasEnded(process) }
    return end(node, SIGTERM)
  }

  /// The process of a running node.
  package func process(of node: Int) -> pid_t? { processes.withLock { $0[node] } }

  /// Kills a node without warning (`SIGKILL`).
  package func kill(_ node: Int) { end(node, SIGKILL) }

  /// Stops a node as a service manager does (`SIGTERM`).
  ///
  /// - Returns: its exit code.
  @discardableResult
  package func stop(_ node: Int) -> Int32? { end(node, SIGTERM) }

  @discardableResult
  private func end(_ node: Int, _ signal: Int32) -> Int32? {
    guard let process = processes.withLock({ $0.removeValue(forKey: node) }) else { return nil }
    _ = CustomersSystem.kill(process, signal)
    _ = CustomersSystem.kill(process, SIGCONT)
    return Spawn.wait(process)
  }

  /// Sends a node a signal that does not end it, such as `SIGSTOP`.
  package func signal(_ node: Int, _ signal: Int32) {
    if let process = process(of: node) { _ = CustomersSystem.kill(process, signal) }
  }

  /// Deletes only the log of a node that is not running.
  package func forgetLog(_ node: Int) throws {
    try FileManager.default.removeItem(atPath: path(node) + "/raft")
  }

  /// Deletes the folder of a node that is not running.
  package func forget(_ node: Int) throws { try FileManager.default.removeItem(atPath: path(node)) }
}

/// Ports on which no program is listening now.
///
/// They are below those that Linux gives to sockets that connect: a node starts a moment after its port was
/// chosen, and neither another connection nor another cluster must have taken it in between.
private func freePorts(_ count: Int) -> [UInt16] {
  var ports: Set<UInt16> = []
  while ports.count < count {
    let port = UInt16.random(in: 15_000..<32_000)
    let socket = streamSocket(AF_INET)
    defer { close(socket) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    let isFree = unsafe withUnsafePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(socket, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isFree, chosenPorts.withLock({ $0.insert(port).inserted }) { ports.insert(port) }
  }
  return Array(ports)
}

/// The ports of all clusters of this process.
private let chosenPorts = Mutex<Set<UInt16>>([])
