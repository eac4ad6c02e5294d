#if Cluster
  internal import Dqlite

  /// What the command line says.
  struct NodeArguments {
    /// Why it can't be understood.
    struct Problem: Error {
      var message: String
    }

    static let help = """
      Keep a customers list on several machines: one node of a dqlite cluster.

      Usage:
        customers-node --data DIR [--address HOST:PORT] [--join HOST:PORT …]
        customers-node --remove HOST:PORT --join HOST:PORT …

      The first node founds the cluster; the others join it. Once all run, give each of them all the
      others with --join: a node whose folder is lost then joins again, and founds no second cluster.
      Three nodes go on while one is down. People use customers --db dqlite://HOST:PORT,…/customers.

      Options:
        --data DIR              the folder of this node; made if it is missing
        --address HOST:PORT     where this node is reached by the other nodes and by clients, an IPv4 address
                                in numbers (default: 127.0.0.1:9001)
        --join HOST:PORT        a node of the cluster; may be given several times
        --remove HOST:PORT      take a node that is stopped or dead out of the cluster, and end
        --election-timeout MS   how long a leader may be silent, 150 to 60000 (default: 3000)
        --help                  show this help

      dqlite has no login and no encryption: whoever reaches the port can read and change the list. Let
      only the nodes and the clients reach it, by a VPN or by ssh.
      """

    var folder: String?
    var address = NodeAddress("127.0.0.1:9001")
    var join: [NodeAddress] = []
    var removed: NodeAddress?
    var electionTimeout = 3000
    var asksForHelp = false

    init(_ words: [String]) throws(Problem) {
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
            throw Problem(message: "--election-timeout needs a number of milliseconds from 150 to 60000")
          }
          electionTimeout = timeout
        }
      }
      guard !asksForHelp else { return }
      guard (folder == nil) != (removed == nil) else {
        throw Problem(message: "either --data or --remove is needed")
      }
      guard removed == nil || !join.isEmpty else {
        throw Problem(message: "--remove needs --join with a node of the cluster")
      }
    }

    private static func address(_ text: String, _ option: String) throws(Problem) -> NodeAddress {
      guard let address = NodeAddress(text) else {
        throw Problem(
          message: "\(option) needs HOST:PORT, an IPv4 address in numbers and a port, not \(text)")
      }
      return address
    }
  }
#endif
