#if Cluster
  internal import CCustomersDqlite
  internal import CustomersCluster
  internal import CustomersFiles
  internal import CustomersPlatform

  /// The folder of a node: its identity and dqlite's files.
  struct NodeFolder {
    /// Why a folder can't be used.
    struct Problem: Error {
      var message: String
    }

    /// The id with which libdqlite creates a cluster if it finds no log.
    private static let founder: UInt64 = 1

    let path: String
    /// nil until the node has founded a cluster or is about to join one.
    private(set) var identity: NodeIdentity?
    /// A lock held for the life of the process, so that no two nodes use the same folder.
    private let lock: Int32

    /// The folder of dqlite's files.
    var dataPath: String { path + "/raft" }

    /// The id of this node in its cluster.
    var id: UInt64 { identity?.id ?? Self.founder }

    /// Opens the folder of a node and creates it if necessary.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - address: the address of the node; it must be the one that the folder was created for.
    /// - Throws: `Problem`.
    init(_ path: String, for address: NodeAddress) throws(Problem) {
      for folder in [path, path + "/raft"] {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system("create", folder) }
      }
      lock = unsafe open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw .system("write in", path) }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        throw Problem(message: "another node is using \(path)")
      }
      self.path = path
      identity = try NodeIdentity(folder: path)
      guard let known = identity?.address, known != address.description else { return }
      throw Problem(message: "\(path) belongs to the node at \(known); start it with --address \(known)")
    }

    /// Whether the folder has a log, so that libdqlite would not create a cluster in it.
    ///
    /// - Throws: `Problem` if the folder can't be read.
    func holdsLog() throws(Problem) -> Bool {
      let names: [String]
      do { names = try Folder(ofFile: dataPath + "/log").names() } catch {
        throw Problem(message: "can't read \"\(dataPath)\": \(error)")
      }
      return names.contains { name in
        name.hasPrefix("open-") || name.hasPrefix("snapshot-") || name.first?.isNumber == true
      }
    }

    /// Makes the node a new one, which has never been in a cluster.
    mutating func becomeNew(at address: NodeAddress) throws(Problem) {
      try become(NodeIdentity(id: unsafe UInt64(dqlite_generate_node_id(address.description)), address))
    }

    /// Records that the node founded a cluster, which has a log now.
    mutating func found(_ cluster: ClusterID, at address: NodeAddress) throws(Problem) {
      try become(NodeIdentity(id: Self.founder, address))
      try record(cluster, isMember: true)
    }

    /// Records the cluster of the node, and whether the node is a member yet.
    mutating func record(_ cluster: ClusterID, isMember: Bool) throws(Problem) {
      guard var identity, identity.cluster != cluster || identity.isMember != isMember else { return }
      (identity.cluster, identity.isMember) = (cluster, isMember)
      try become(identity)
    }

    private mutating func become(_ identity: NodeIdentity) throws(Problem) {
      try identity.write(to: path)
      self.identity = identity
    }
  }

  extension NodeFolder.Problem {
    fileprivate static func system(_ verb: String, _ path: String) -> Self {
      Self(message: unsafe "can't \(verb) \"\(path)\": \(String(cString: strerror(errno)))")
    }
  }
#endif
