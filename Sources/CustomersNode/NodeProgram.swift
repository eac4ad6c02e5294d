#if Cluster
  internal import CustomersCluster
  internal import CustomersSQLite
  internal import CustomersSystem

  /// Runs a node until a signal stops it.
  enum NodeProgram {
    /// - Returns: the exit code.
    static func run(_ words: [String]) -> Int32 {
      // Report a closed connection and the limit of a file's size as errors; don't end the process.
      signal(SIGPIPE, SIG_IGN)
      signal(SIGXFSZ, SIG_IGN)
      do {
        let arguments = try NodeArguments(words)
        if arguments.asksForHelp {
          print(NodeArguments.help)
        } else if arguments.showsStatus {
          let status = ClusterStatus(arguments.join, wanted: arguments.wanted)
          print(arguments.isJSON ? status.json : status.text)
          return status.health.rawValue
        } else if let removed = arguments.removed {
          return try remove(removed, arguments)
        } else if let folder = arguments.folder, let address = arguments.address {
          if arguments.recovers { return try recover(folder, address, arguments) }
          try run(folder, address, arguments)
        }
        return 0
      } catch let problem as NodeArguments.Problem {
        say(problem.message)
        say("run customers-node --help for usage")
        return 2
      } catch let problem as NodeProblem {
        say(problem.message)
      } catch let refusal as Refusal {
        say(refusal.message)
        return Refusal.exitCode
      } catch let problem as SQLiteError {
        say(problem.message)
      } catch {
        say("\(error)")
      }
      return 1
    }

    private static func remove(_ address: NodeAddress, _ arguments: NodeArguments) throws -> Int32 {
      let removal = try Membership(nodes: arguments.join).remove(address) { risk in
        let reason = words(risk, address)
        let start = reason.prefix(1).uppercased() + reason.dropFirst()
        return arguments.isConfirmed || asks("\(start). Remove it?")
      }
      switch removal {
      case .removed:
        print("Removed the node at \(address).")
        return 0
      case .noMember:
        say("the cluster has no node at \(address)")
        return 3
      case .refused(let risk):
        let remedy = if case .leads = risk { "stop it first or add --yes" } else { "add --yes to remove it" }
        say("\(words(risk, address)); \(remedy)")
        return 4
      }
    }

    private static func words(_ risk: Membership.Risk, _ address: NodeAddress) -> String {
      switch risk {
      case .leads: "the node at \(address) leads the cluster"
      case .leaves(let last): "without the node at \(address), only the one at \(last) has the list"
      }
    }

    private static func recover(_ path: String, _ address: NodeAddress, _ arguments: NodeArguments) throws
      -> Int32
    {
      var folder = try NodeFolder(path, for: address)
      let question =
        "The other nodes of this cluster must be lost for good: edits that only they stored are lost, and "
        + "their folders can't be used again. Make the node at \(address) a cluster of its own?"
      guard arguments.isConfirmed || asks(question) else {
        say("nothing was changed; add --yes to recover without a question")
        return 4
      }
      try Recovery.recover(&folder, at: address, arguments.others)
      print(
        """
        The node at \(address) is a cluster of its own now. Next:
        1. Start it as before, and check the list: customers check.
        2. Start the other nodes, one after another, with empty folders and --join \(address).
        """)
      return 0
    }

    /// Asks a question; the answer is no if there is no terminal.
    private static func asks(_ question: String) -> Bool {
      guard isatty(STDIN_FILENO) == 1 else { return false }
      print("\(question) [y/N] ", terminator: "")
      return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private static func run(_ path: String, _ address: NodeAddress, _ arguments: NodeArguments) throws {
      let listening = try SocketAddress(address)
      if !listening.isLoopback {
        say(
          "warning: \(listening.isPrivate ? "" : "this is a public address, and ")anyone who can reach \(address) "
            + "can read and change the list, because dqlite has no login and no encryption; let only the nodes and "
            + "their clients reach it, through a VPN or ssh")
      }
      var folder = try NodeFolder(path, for: address)
      let admission = try Admission.decide(
        &folder, at: address, Survey(arguments.others), joins: !arguments.join.isEmpty)
      let cluster = admission == .founds ? .random() : folder.identity?.cluster
      // Before dqlite starts its thread, which inherits the blocked signals.
      let signals = StopSignals()
      let node = try Node(folder, at: address, cluster: cluster, electionTimeout: arguments.electionTimeout)
      // Only now: a first start that failed, as for a port in use, leaves no trace.
      if admission == .founds, let cluster { try folder.found(cluster, at: address) }
      say("node \(folder.id) is listening on \(address)")
      var watch = NodeWatch(node, folder, address, arguments, joins: admission == .joins)
      repeat { try watch.look() } while !signals.arrives(within: 1)
      try? Membership.handOver(folder.id, at: address)
      node.stop()
    }
  }

  /// The signals that stop a node.
  @safe struct StopSignals {
    private var signals = sigset_t()

    /// Blocks the signals, so that `arrives(within:)` can wait for them.
    init() {
      unsafe sigemptyset(&signals)
      for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for a signal; returns false after the timeout.
    func arrives(within seconds: Int) -> Bool { nextSignal(signals, for: .seconds(seconds)) != nil }
  }

  /// The arguments of the command line.
  struct NodeArguments {
    /// Why the arguments are invalid.
    struct Problem: Error {
      var message: String
    }

    static let help = """
      Keep a customers list on several machines: one node of a dqlite cluster.

      Usage:
        customers-node --data DIR [--address HOST:PORT] [--join HOST:PORT …]
        customers-node --remove HOST:PORT --join HOST:PORT …
        customers-node --status --join HOST:PORT … [--nodes N] [--json]
        customers-node --recover --data DIR [--address HOST:PORT] [--join HOST:PORT …]

      The first node, without --join, creates the cluster; the others join it. Once all of them run, always
      start each one with --join for all the others: if its folder is lost, it then joins the cluster
      again instead of creating a second one. Three nodes keep working while one of them is down.
      To use the list: customers --db dqlite://HOST:PORT,…/customers.

      Options:
        --data DIR              folder of this node; created if it does not exist
        --address HOST:PORT     address at which other nodes and clients reach this node: numeric, with
                                IPv6 in brackets, or a name (default: 127.0.0.1:9001)
        --join HOST:PORT        another node of the cluster; can be repeated
        --remove HOST:PORT      remove a stopped or dead node from the cluster, and exit
        --status                show the nodes of the cluster, and exit: 0 if all is well, 4 if a node is
                                missing, 1 if there is no leader
        --nodes N               how many nodes are to vote: with fewer, the status is 4
        --json                  print the status as JSON
        --recover               make a stopped node, the only one left, a cluster of its own, and exit
        --yes                   do what --remove and --recover ask about
        --election-timeout MS   how long a leader may be silent, from 150 to 60000 (default: 3000)
        --help                  show this help

      dqlite has no login and no encryption: anyone who can reach the port can read and change the list.
      Let only the nodes and their clients reach it, through a VPN or ssh.
      """

    /// All of them.
    let words: [String]
    var folder: String?
    var address = NodeAddress("127.0.0.1:9001")
    var join: [NodeAddress] = []
    var removed: NodeAddress?
    /// How many nodes are to vote.
    var wanted = 1
    var electionTimeout = 3000
    var isConfirmed = false
    var recovers = false
    var showsStatus = false
    var isJSON = false
    var asksForHelp = false

    /// The nodes to join, except this one.
    var others: [NodeAddress] { join.filter { $0 != address } }

    init(_ words: [String]) throws(Problem) {
      self.words = words
      var rest = words[...]
      while let word = rest.popFirst() {
        if ["--help", "-h"].contains(word) {
          asksForHelp = true
          continue
        }
        switch word {
        case "--yes": isConfirmed = true
        case "--recover": recovers = true
        case "--status": showsStatus = true
        case "--json": isJSON = true
        default: try takeValue(of: word, &rest)
        }
      }
      guard !asksForHelp else { return }
      guard [folder != nil, removed != nil, showsStatus].count(where: \.self) == 1 else {
        throw Problem(message: "specify one of --data, --remove, and --status")
      }
      guard folder != nil || !join.isEmpty else {
        throw Problem(
          message: "\(showsStatus ? "--status" : "--remove") needs --join with a node of the cluster")
      }
    }

    /// Takes an option that has a value.
    private mutating func takeValue(of word: String, _ rest: inout ArraySlice<String>) throws(Problem) {
      guard ["--data", "--address", "--join", "--remove", "--nodes", "--election-timeout"].contains(word)
      else {
        throw Problem(message: "unknown option \(word)")
      }
      guard let value = rest.popFirst() else { throw Problem(message: "\(word) needs a value") }
      switch word {
      case "--data": folder = value
      case "--address": address = try Self.address(value, word)
      case "--join": join.append(try Self.address(value, word))
      case "--remove": removed = try Self.address(value, word)
      case "--nodes":
        guard let wanted = Int(value), (1...100).contains(wanted) else {
          throw Problem(message: "--nodes must be 1 to 100, not \(value)")
        }
        self.wanted = wanted
      default:
        guard let timeout = Int(value), (150...60000).contains(timeout) else {
          throw Problem(message: "--election-timeout must be 150 to 60000 milliseconds, not \(value)")
        }
        electionTimeout = timeout
      }
    }

    private static func address(_ text: String, _ option: String) throws(Problem) -> NodeAddress {
      guard let address = NodeAddress(text) else {
        throw Problem(
          message: "\(option) must be HOST:PORT, as in 10.0.0.1:9001 or node1:9001, not \(text)")
      }
      return address
    }
  }
#endif
