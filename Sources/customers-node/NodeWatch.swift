#if Cluster
  internal import Dqlite
  internal import Platform
  internal import SQLite

  /// What a node looks after while it runs: that it is a member, and that there is a leader.
  struct NodeWatch {
    private let id: UInt64
    private let address: NodeAddress
    private let others: [NodeAddress]
    private var isMember: Bool
    private var lastLeader = ContinuousClock.now
    /// How long no leader may be known; at random, so that not all nodes start again at once.
    private let patience: Duration

    init(_ id: UInt64, _ address: NodeAddress, _ arguments: NodeArguments) {
      (self.id, self.address) = (id, address)
      others = arguments.join.filter { $0 != address }
      isMember = others.isEmpty
      let least = max(30, arguments.electionTimeout / 100)
      patience = .seconds(Int.random(in: least...2 * least))
    }

    /// Does what is due; called about each second.
    mutating func look() {
      if !isMember { join() }
      if (try? DqliteConnection(address).leader()) != nil { lastLeader = .now }
      if ContinuousClock.now - lastLeader > patience { restart() }
    }

    private mutating func join() {
      do {
        if try Membership(nodes: others + [address]).join(id, at: address) {
          NodeProgram.say("joined the cluster")
        }
        (isMember, lastLeader) = (true, .now)
      } catch {
        NodeProgram.say("has not joined yet: \(error.message)")
      }
    }

    /// Begins from the start, in the same process.
    ///
    /// It is known to heal a cluster whose nodes all live but elect no leader. What is on the disk is whole
    /// at any time.
    private func restart() {
      NodeProgram.say("no leader for \(patience.components.seconds) s; starting again")
      for descriptor in 3..<4096 as Range<Int32> { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      var words = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
      unsafe execv("/proc/self/exe", &words)
      NodeProgram.say("can't start again")
      exit(1)
    }
  }
#endif
