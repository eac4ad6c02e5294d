#if Cluster
  internal import CCustomersDqlite
  internal import CustomersCluster
  internal import CustomersSQLite
  internal import CustomersSystem
  internal import Synchronization

  /// Why a node can't run, or its folder can't be used.
  struct NodeProblem: Error {
    var message: String
  }

  /// A dqlite node in this process, on a thread of its own.
  @safe final class Node {
    private let node: OpaquePointer

    /// Starts a node.
    init(_ folder: NodeFolder, at address: NodeAddress, cluster: ClusterID?, electionTimeout: Int)
      throws(NodeProblem)
    {
      guard cdqlite_guard_connections() == 0 else { throw NodeProblem(message: "can't guard connections") }
      guard raft_log_is_watched() == 1 || dqlite_version_number() >= 11200 else {
        throw NodeProblem(
          message: "can't detect failed writes of this version of libraft; use dqlite 1.12 or later")
      }
      var created: OpaquePointer?
      let code = unsafe dqlite_node_create(folder.id, address.description, folder.dataPath, &created)
      guard code == 0, let created = unsafe created else {
        throw NodeProblem(message: "dqlite can't use \(folder.dataPath)")
      }
      unsafe node = created
      guard unsafe Peers.guardConnections(of: created) else {
        throw NodeProblem(message: "can't guard connections")
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
        throw NodeProblem(message: "can't listen on \(address); \(reason)")
      }
      Self.sendAtOnce(at: address)
      guard unsafe dqlite_node_start(node) == 0 else {
        let reason = unsafe String(cString: dqlite_node_errmsg(node))
        throw NodeProblem(
          message:
            "dqlite can't start\(reason.isEmpty ? "" : ": \(reason)"); the files in \(folder.dataPath) may be "
            + "damaged. If the other nodes run, use an empty folder and --join")
      }
    }

    private static func resolve(_ address: NodeAddress) throws(NodeProblem) -> SocketAddress {
      do { return try SocketAddress(address) } catch { throw NodeProblem(message: error.message) }
    }

    /// Replaces the members in the log of a node that is not running by the node alone.
    static func makeOnlyMember(_ folder: NodeFolder, at address: NodeAddress) throws(NodeProblem) {
      var created: OpaquePointer?
      guard unsafe dqlite_node_create(folder.id, address.description, folder.dataPath, &created) == 0,
        let node = unsafe created
      else { throw NodeProblem(message: "dqlite can't use \(folder.dataPath)") }
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
        throw unsafe NodeProblem(
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

  /// Checks while a node runs that it is a member of its cluster, and that the cluster has a leader.
  struct NodeWatch {
    private let node: Node
    private var folder: NodeFolder
    private let address: NodeAddress
    private let others: [NodeAddress]
    /// The words of the command line.
    private let words: [String]
    private var joins: Bool
    /// Whether the cluster's own record of its identity was compared.
    private var hasAgreed = false
    private var lastLeader = ContinuousClock.now
    /// What the log said last.
    private var logged = (leader: "", members: "")
    /// How many leaders in a row did not know this node.
    private var strangers = 0
    /// How long the node may know no leader; random, so that the nodes do not all restart at once.
    private let leaderTimeout: Duration

    init(_ node: Node, _ folder: NodeFolder, _ address: NodeAddress, _ arguments: NodeArguments, joins: Bool)
    {
      (self.node, self.folder, self.address, self.joins) = (node, folder, address, joins)
      others = arguments.others
      words = arguments.words
      let least = max(30, arguments.electionTimeout / 100)
      leaderTimeout = .seconds(Int.random(in: least...2 * least))
    }

    /// Joins or restarts if necessary; called about every second.
    ///
    /// - Throws: `Refusal` if the node is not a member of the cluster of the others.
    mutating func look() throws {
      if joins { try join() }
      if let own = try? DqliteConnection(address), let leader = try? own.leader() {
        lastLeader = .now
        log(leader, (try? own.nodes()) ?? [])
        if !joins { try checkMembership(leader) }
      } else if !joins, let identity = folder.identity {
        try Admission.check(identity, in: folder.path, Survey(others))
      }
      if ContinuousClock.now - lastLeader > leaderTimeout { restart() }
    }

    private mutating func join() throws {
      do {
        if let cluster = try Membership(nodes: others + [address]).join(&folder, at: address) {
          try record(cluster)
        }
        say("joined the cluster")
        (joins, lastLeader) = (false, .now)
      } catch let error as SQLiteError {
        say("can't join the cluster yet: \(error.message)")
      }
    }

    private mutating func checkMembership(_ leader: (id: UInt64, address: String)) throws {
      if leader.id == folder.id {
        strangers = 0
        guard !hasAgreed, let agreed = try? ClusterRecord.agree(on: folder.identity?.cluster, at: address)
        else { return }
        try record(agreed)
        hasAgreed = true
      } else if let leader = NodeAddress(leader.address), let report = try? Survey.Report(leader),
        report.isLeader
      {
        let isMember = report.members.contains { $0.id == folder.id }
        strangers = isMember ? 0 : strangers + 1
        // A leader that was cut off may not know yet of a node that has just joined.
        if strangers == 5 { throw Refusal.notAMember(folder.path, report) }
        if isMember, let cluster = report.cluster, folder.identity?.cluster == nil { try record(cluster) }
      }
    }

    private mutating func record(_ cluster: ClusterID) throws {
      try folder.record(cluster, isMember: true)
      node.identify(cluster)
    }

    /// Logs elections and changes of the members.
    private mutating func log(_ leader: (id: UInt64, address: String), _ nodes: [ClusterNode]) {
      let leads = leader.id == folder.id ? "this node leads" : "the node at \(leader.address) leads"
      if leads != logged.leader { say(leads) }
      let members = nodes.map { $0.address + ($0.role == .voter ? "" : " (no vote)") }.joined(separator: ", ")
      if members != logged.members, !members.isEmpty { say("the nodes of the cluster: \(members)") }
      logged = (leads, members)
    }

    /// Restarts the program in the same process.
    ///
    /// This is for a cluster that has enough nodes but elects no leader. The files on disk are always
    /// consistent.
    private func restart() {
      say("no leader for \(leaderTimeout.components.seconds) s; restarting")
      for descriptor in 3..<4096 as Range<Int32> { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      var words = unsafe (["customers-node"] + words).map { unsafe strdup($0) } + [nil]
      unsafe execv("/proc/self/exe", &words)
      say("can't restart")
      exit(1)
    }
  }

  /// Why a node must not run with its folder; only an operator can change that.
  struct Refusal: Error {
    /// The exit code, which the unit file exempts from restarting.
    static let exitCode: Int32 = 3

    var message: String

    static func otherCluster(_ path: String, _ own: ClusterID, _ other: Survey.Report)
      -> Self
    {
      Self(
        message: "\(path) belongs to cluster \(own), but the node at \(other.address) is of cluster "
          + "\(other.cluster?.description ?? "?"). To join that one, use an empty folder and keep this one until "
          + "you are sure that nothing in it is missing.")
    }

    static func notAMember(_ path: String, _ other: Survey.Report) -> Self {
      Self(
        message:
          "\(path) holds a log, but the cluster of \(other.address) has no such node: the node was removed, "
          + "or its log is of another cluster. To join, use an empty folder and keep this one until you are sure "
          + "that nothing in it is missing.")
    }

    static func strangeLog(_ path: String) -> Self {
      Self(
        message: "\(path)/raft holds a log that is not this node's. Put the right one back, or use an empty "
          + "folder and --join")
    }

    static func lostLog(_ path: String) -> Self {
      Self(
        message:
          "\(path) belongs to a cluster, but its log in \(path)/raft is lost. To join the cluster again, "
          + "add --join; to create another cluster, use an empty folder")
    }
  }
#endif
