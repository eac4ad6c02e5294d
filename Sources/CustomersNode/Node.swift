#if Cluster
  internal import CCustomersDqlite
  internal import CCustomersRaftLog
  internal import CustomersCluster
  internal import CustomersPlatform
  internal import CustomersSQLite
  internal import Synchronization

  /// A dqlite node in this process, on a thread of its own.
  @safe final class Node {
    /// Why a node can't run.
    struct Problem: Error {
      var message: String
    }

    private let node: OpaquePointer

    /// Starts a node.
    init(_ folder: NodeFolder, at address: NodeAddress, cluster: ClusterID?, electionTimeout: Int)
      throws(Problem)
    {
      guard cdqlite_guard_connections() == 0 else { throw Problem(message: "can't guard connections") }
      guard raft_log_is_watched() == 1 || dqlite_version_number() >= 11200 else {
        throw Problem(
          message: "can't detect failed writes of this version of libraft; use dqlite 1.12 or later")
      }
      var created: OpaquePointer?
      let code = unsafe dqlite_node_create(folder.id, address.description, folder.dataPath, &created)
      guard code == 0, let created = unsafe created else {
        throw Problem(message: "dqlite can't use \(folder.dataPath)")
      }
      unsafe node = created
      guard unsafe Peers.guardConnections(of: created) else {
        throw Problem(message: "can't guard connections")
      }
      if let cluster { identify(cluster) }
      // dqlite's election timeout is 15 times what it calls the latency.
      unsafe dqlite_node_set_network_latency_ms(node, UInt32(electionTimeout / 15))
      // How many log entries are kept, on disk and in memory. A node that missed more of them receives a copy
      // of the database instead.
      unsafe dqlite_node_set_snapshot_params(node, 1024, 1024)
      // dqlite 1.11 does not resolve names to listen on.
      let own = try Self.resolve(address)
      guard unsafe dqlite_node_set_bind_address(node, own.text(port: address.port)) == 0 else {
        let reason =
          own.isIPv6 ? "some versions of dqlite listen on IPv4 only" : "is another program using it?"
        throw Problem(message: "can't listen on \(address); \(reason)")
      }
      Self.sendAtOnce(at: address)
      guard unsafe dqlite_node_start(node) == 0 else {
        let reason = unsafe String(cString: dqlite_node_errmsg(node))
        throw Problem(
          message:
            "dqlite can't start\(reason.isEmpty ? "" : ": \(reason)"); the files in \(folder.dataPath) may be "
            + "damaged. If the other nodes run, use an empty folder and --join")
      }
    }

    private static func resolve(_ address: NodeAddress) throws(Problem) -> SocketAddress {
      do { return try SocketAddress(address) } catch { throw Problem(message: error.message) }
    }

    /// Replaces the members in the log of a node that is not running by the node alone.
    static func makeOnlyMember(_ folder: NodeFolder, at address: NodeAddress) throws(Problem) {
      var created: OpaquePointer?
      guard unsafe dqlite_node_create(folder.id, address.description, folder.dataPath, &created) == 0,
        let node = unsafe created
      else { throw Problem(message: "dqlite can't use \(folder.dataPath)") }
      defer { unsafe dqlite_node_destroy(node) }
      let code = unsafe address.description.withCString { text in
        var member = dqlite_node_info_ext()
        member.size = UInt64(MemoryLayout<dqlite_node_info_ext>.size)
        member.id = folder.id
        member.address = UInt64(UInt(bitPattern: text))
        member.dqlite_role = ClusterNode.Role.voter.rawValue
        return unsafe dqlite_node_recover_ext(node, &member, 1)
      }
      guard code == 0 else {
        throw unsafe Problem(
          message: "dqlite can't recover \(folder.dataPath): \(String(cString: dqlite_node_errmsg(node)))")
      }
    }

    /// Sets `TCP_NODELAY` on the listening socket; its connections inherit the option.
    ///
    /// dqlite does not set it. Without it, an answer in several parts waits 40 ms for the acknowledgment of
    /// the first one (https://en.wikipedia.org/wiki/Nagle%27s_algorithm). dqlite does not expose its socket,
    /// so the socket is found by its address.
    private static func sendAtOnce(at address: NodeAddress) {
      for descriptor in 3..<1024 as Range<Int32> {
        var (name, size) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
        let found = unsafe withUnsafeMutablePointer(to: &name) { name in
          unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
            unsafe getsockname(descriptor, name, &size) == 0
          }
        }
        guard found, [AF_INET, AF_INET6].contains(Int32(name.ss_family)) else { continue }
        // The port has the same place in both.
        let port = unsafe withUnsafeBytes(of: name) { unsafe $0.load(fromByteOffset: 2, as: UInt16.self) }
        guard port == address.port.bigEndian else { continue }
        var one: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
      }
    }

    /// Reports the cluster to whoever asks, and connects to no node of another one from now on.
    func identify(_ cluster: ClusterID) {
      Peers.cluster.withLock { $0 = cluster }
      // dqlite keeps a number for where a node is placed, and does not use it.
      unsafe dqlite_node_set_failure_domain(node, cluster.number)
    }

    func stop() {
      unsafe dqlite_node_stop(node)
      unsafe dqlite_node_destroy(node)
    }
  }
#endif
