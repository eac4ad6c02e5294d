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

      The first node, without --join, creates the cluster; the others join it. Once all of them run, always
      start each one with --join for all the others: if its folder is lost, it then joins the cluster
      again instead of creating a second one. Three nodes keep working while one of them is down.
      To use the list: customers --db dqlite://HOST:PORT,…/customers.

      Options:
        --data DIR              folder of this node; created if it does not exist
        --address HOST:PORT     address at which other nodes and clients reach this node, a numeric
                                IPv4 address (default: 127.0.0.1:9001)
        --join HOST:PORT        another node of the cluster; can be repeated
        --remove HOST:PORT      remove a stopped or dead node from the cluster, and exit
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
    var asksForHelp = false

    init(_ words: [String]) throws(Problem) {
      self.words = words
      var rest = words[...]
      while let word = rest.popFirst() {
        if ["--help", "-h"].contains(word) {
          asksForHelp = true
          continue
        }
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
            throw Problem(message: "--election-timeout needs a number of milliseconds, from 150 to 60000")
          }
          electionTimeout = timeout
        }
      }
      guard !asksForHelp else { return }
      guard (folder == nil) != (removed == nil) else {
        throw Problem(message: "specify either --data or --remove")
      }
      guard removed == nil || !join.isEmpty else {
        throw Problem(message: "--remove needs --join with another node of the cluster")
      }
    }

    private static func address(_ text: String, _ option: String) throws(Problem) -> NodeAddress {
      guard let address = NodeAddress(text) else {
        throw Problem(
          message: "\(option) needs HOST:PORT, a numeric IPv4 address and a port, not \(text)")
      }
      return address
    }
  }
#endif
