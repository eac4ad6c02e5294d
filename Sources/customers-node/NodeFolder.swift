#if Cluster
  internal import CDqlite
  internal import Dqlite
  internal import Files
  internal import Platform

  /// The folder of a node: who it is, and what dqlite keeps.
  struct NodeFolder {
    /// Why a folder can't be used.
    struct Problem: Error {
      var message: String
    }

    /// The number of the node that founds a cluster.
    static let founder: UInt64 = 1

    private let path: String
    /// The number of this node in its cluster.
    let id: UInt64
    /// Held as long as the process lives, so that no two use one folder.
    private let lock: Int32

    /// Where dqlite keeps its files.
    var dataPath: String { path + "/raft" }

    /// Opens the folder of a node, or makes one.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - address: where the node is reached; it must be the one that the folder was made for.
    ///   - founds: whether a new node founds a cluster.
    /// - Throws: `Problem`.
    init(_ path: String, for address: NodeAddress, founds: Bool) throws(Problem) {
      for folder in [path, path + "/raft"] {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system("make", folder) }
      }
      lock = unsafe open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw .system("write in", path) }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        throw Problem(message: "another node runs in \(path)")
      }
      self.path = path
      if let known = try Self.read(path + "/node") {
        guard known.address == address.description else {
          throw Problem(
            message:
              "the folder \(path) is of the node \(known.address); start it with --address \(known.address)")
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
      throw Problem(message: "\(path) is damaged; take another folder, and join the cluster with it")
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
