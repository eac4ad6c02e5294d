#if Cluster
  internal import CCustomersDqlite
  internal import CustomersCluster
  internal import CustomersFiles
  internal import CustomersPlatform

  /// The folder of a node: its identity, and dqlite's files.
  struct NodeFolder {
    /// Why a folder can't be used.
    struct Problem: Error {
      var message: String
    }

    /// The id of the node that creates a cluster.
    static let founder: UInt64 = 1

    private let path: String
    /// The id of this node in its cluster.
    let id: UInt64
    /// A lock held for the life of the process, so that no two nodes use the same folder.
    private let lock: Int32

    /// The folder of dqlite's files.
    var dataPath: String { path + "/raft" }

    /// Opens the folder of a node, and creates it if necessary.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - address: the address of the node; it must be the one that the folder was created for.
    ///   - founds: whether a new node creates a cluster.
    /// - Throws: `Problem`.
    init(_ path: String, for address: NodeAddress, founds: Bool) throws(Problem) {
      for folder in [path, path + "/raft"] {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system("create", folder) }
      }
      lock = unsafe open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw .system("write in", path) }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        throw Problem(message: "another node is using \(path)")
      }
      self.path = path
      if let known = try Self.read(path + "/node") {
        guard known.address == address.description else {
          throw Problem(
            message:
              "\(path) belongs to the node at \(known.address); start it with --address \(known.address)")
        }
        id = known.id
      } else {
        id = founds ? Self.founder : unsafe UInt64(dqlite_generate_node_id(address.description))
        try Self.write("\(id) \(address)\n", to: path + "/node")
      }
    }

    private static func read(_ path: String) throws(Problem) -> (id: UInt64, address: String)? {
      guard unsafe access(path, F_OK) == 0 else { return nil }
      do {
        let words = String(decoding: try InputFile(path).read(), as: UTF8.self).split { $0.isWhitespace }
        if words.count == 2, let id = UInt64(words[0]) { return (id, String(words[1])) }
      } catch {
        throw Problem(message: "can't read \(path): \(error)")
      }
      throw Problem(message: "\(path) is damaged; use an empty folder, and join the cluster with --join")
    }

    private static func write(_ text: String, to path: String) throws(Problem) {
      do {
        let file = try OutputFile(path)
        try file.descriptor.write(Array(text.utf8))
        try file.finish()
      } catch {
        throw Problem(message: "can't write \(path): \(error)")
      }
    }
  }

  extension NodeFolder.Problem {
    fileprivate static func system(_ verb: String, _ path: String) -> Self {
      Self(message: unsafe "can't \(verb) \(path): \(String(cString: strerror(errno)))")
    }
  }
#endif
