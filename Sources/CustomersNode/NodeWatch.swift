#if Cluster
  internal import CustomersCluster
  internal import CustomersPlatform
  internal import CustomersSQLite

  /// Checks while a node runs that it is a member of the cluster, and that the cluster has a leader.
  struct NodeWatch {
    private let id: UInt64
    private let address: NodeAddress
    private let others: [NodeAddress]
    /// The words of the command line.
    private let words: [String]
    private var isMember: Bool
    private var lastLeader = ContinuousClock.now
    /// How long the node may know no leader; random, so that the nodes do not all restart at once.
    private let patience: Duration

    init(_ id: UInt64, _ address: NodeAddress, _ arguments: NodeArguments) {
      (self.id, self.address) = (id, address)
      others = arguments.join.filter { $0 != address }
      words = arguments.words
      isMember = others.isEmpty
      let least = max(30, arguments.electionTimeout / 100)
      patience = .seconds(Int.random(in: least...2 * least))
    }

    /// Joins or restarts if necessary; called about every second.
    mutating func look() {
      if !isMember { join() }
      if (try? DqliteConnection(address).leader()) != nil { lastLeader = .now }
      if ContinuousClock.now - lastLeader > patience { restart() }
    }

    private mutating func join() {
      do {
        if try Membership(nodes: others + [address]).join(id, at: address) {
          say("joined the cluster")
        }
        (isMember, lastLeader) = (true, .now)
      } catch {
        say("can't join the cluster yet: \(error.message)")
      }
    }

    /// Restarts the program in the same process.
    ///
    /// This is for a cluster that has enough nodes but elects no leader. The files on disk are always
    /// consistent.
    private func restart() {
      say("no leader for \(patience.components.seconds) s; restarting")
      for descriptor in 3..<4096 as Range<Int32> { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      var words = unsafe (["customers-node"] + words).map { unsafe strdup($0) } + [nil]
      unsafe execv("/proc/self/exe", &words)
      say("can't restart")
      exit(1)
    }
  }
#endif
