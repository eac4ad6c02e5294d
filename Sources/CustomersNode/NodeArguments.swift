#if Cluster
  internal import CustomersCluster

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
        customers-node --status --join HOST:PORT … [--json]
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
      guard ["--data", "--address", "--join", "--remove", "--election-timeout"].contains(word) else {
        throw Problem(message: "unknown option \(word)")
      }
      guard let value = rest.popFirst() else { throw Problem(message: "\(word) needs a value") }
      switch word {
      case "--data": folder = value
      case "--address": address = try Self.address(value, word)
      case "--join": join.append(try Self.address(value, word))
      case "--remove": removed = try Self.address(value, word)
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
