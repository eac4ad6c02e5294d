#if Cluster
  internal import CCustomersDqlite
  internal import CustomersCluster
  internal import CustomersSQLite
  internal import CustomersSystem

  /// The folder of a node: its identity and dqlite's files.
  struct NodeFolder {
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
    /// - Throws: `NodeProblem`.
    init(_ path: String, for address: NodeAddress) throws(NodeProblem) {
      for folder in [path, path + "/raft"] {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system("create", folder) }
      }
      lock = unsafe open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw .system("write in", path) }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        throw NodeProblem(message: "another node is using \(path)")
      }
      self.path = path
      identity = try NodeIdentity(folder: path)
      guard let known = identity?.address, known != address.description else { return }
      throw NodeProblem(message: "\(path) belongs to the node at \(known); start it with --address \(known)")
    }

    /// Whether the folder has a log, so that libdqlite would not create a cluster in it.
    ///
    /// - Throws: `NodeProblem` if the folder can't be read.
    func holdsLog() throws(NodeProblem) -> Bool {
      let names: [String]
      do { names = try Folder(ofFile: dataPath + "/log").names() } catch {
        throw NodeProblem(message: "can't read \"\(dataPath)\": \(error)")
      }
      return names.contains { name in
        name.hasPrefix("open-") || name.hasPrefix("snapshot-") || name.first?.isNumber == true
      }
    }

    /// Makes the node a new one, which has never been in a cluster.
    mutating func becomeNew(at address: NodeAddress) throws(NodeProblem) {
      try become(NodeIdentity(id: unsafe UInt64(dqlite_generate_node_id(address.description)), address))
    }

    /// Records that the node founded a cluster, which has a log now.
    mutating func found(_ cluster: ClusterID, at address: NodeAddress) throws(NodeProblem) {
      try become(NodeIdentity(id: Self.founder, address))
      try record(cluster, isMember: true)
    }

    /// Records the cluster of the node, and whether the node is a member yet.
    mutating func record(_ cluster: ClusterID, isMember: Bool) throws(NodeProblem) {
      guard var identity, identity.cluster != cluster || identity.isMember != isMember else { return }
      (identity.cluster, identity.isMember) = (cluster, isMember)
      try become(identity)
    }

    private mutating func become(_ identity: NodeIdentity) throws(NodeProblem) {
      try identity.write(to: path)
      self.identity = identity
    }
  }

  extension NodeProblem {
    fileprivate static func system(_ verb: String, _ path: String) -> Self {
      Self(message: unsafe "can't \(verb) \"\(path)\": \(String(cString: strerror(errno)))")
    }
  }

  /// Who a node is: its id and address and its cluster.
  ///
  /// The file `node` has the id and the address, as in version 0.1.0; `cluster` has the cluster, once known.
  /// The folder of the log has a copy, so that the log of another node is noticed.
  struct NodeIdentity {
    let id: UInt64
    /// As it was written.
    let address: String
    /// The cluster, if known.
    var cluster: ClusterID?
    /// Whether the node has founded or joined its cluster; it is never a new node then.
    var isMember = false

    /// Reads the files of a folder; nil if it has none.
    init?(folder path: String) throws(NodeProblem) {
      guard let words = try Self.words(path + "/node") else {
        guard try Self.words(path + "/cluster") == nil else { throw .damaged(path + "/node") }
        return nil
      }
      guard words.count == 2, let id = UInt64(words[0]) else { throw .damaged(path + "/node") }
      (self.id, address) = (id, words[1])
      guard let words = try Self.words(path + "/cluster") else { return }
      guard let text = words.first, let cluster = ClusterID(text),
        words.count == 1 || words[1...] == ["joining"]
      else { throw .damaged(path + "/cluster") }
      (self.cluster, isMember) = (cluster, words.count == 1)
    }

    init(id: UInt64, _ address: NodeAddress) { (self.id, self.address) = (id, address.description) }

    /// What the folder of the log says about whose log it is.
    private var owner: [String] { ["\(id)", cluster?.description ?? ""] }

    /// Whether the log in the folder is this node's, as far as is recorded.
    func owns(logIn path: String) throws(NodeProblem) -> Bool {
      try Self.words(path + "/raft/owner") ?? (isMember ? [] : owner) == owner
    }

    /// Writes the files; after a crash, the folder is still of a node that has not joined, or of a member.
    func write(to path: String) throws(NodeProblem) {
      try Self.write("\(id) \(address)\n", to: path + "/node")
      guard let cluster else { return }
      if isMember { try Self.write(owner.joined(separator: " ") + "\n", to: path + "/raft/owner") }
      try Self.write(isMember ? "\(cluster)\n" : "\(cluster) joining\n", to: path + "/cluster")
    }

    private static func words(_ path: String) throws(NodeProblem) -> [String]? {
      guard unsafe access(path, F_OK) == 0 else { return nil }
      do {
        return String(decoding: try InputFile(path).read(), as: UTF8.self).split { $0.isWhitespace }.map(
          String.init)
      } catch {
        throw NodeProblem(message: "can't read \"\(path)\": \(error)")
      }
    }

    private static func write(_ text: String, to path: String) throws(NodeProblem) {
      do {
        let file = try OutputFile(path)
        try file.descriptor.write(Array(text.utf8))
        try file.finish()
      } catch {
        throw NodeProblem(message: "can't write \"\(path)\": \(error)")
      }
    }
  }

  extension NodeProblem {
    fileprivate static func damaged(_ path: String) -> Self {
      Self(message: "\(path) is damaged; use an empty folder and join the cluster with --join")
    }
  }

  /// The identity of the cluster in the cluster itself: one row, in a database beside the list.
  ///
  /// The nodes of a cluster that version 0.1.0 founded agree on an identity here.
  enum ClusterRecord {
    /// dqlite 1.11 finds a database by the beginning of its name, and the name of a list begins with no space.
    private static let database = " identity"

    /// Records the cluster of the leader or agrees on one if the leader has none yet.
    ///
    /// - Parameters:
    ///   - known: the cluster of the leader.
    ///   - leader: the address of this node, which leads.
    /// - Returns: the recorded cluster.
    /// - Throws: `SQLiteError` or `CommitFailure`; ask again later.
    static func agree(on known: ClusterID?, at leader: NodeAddress) throws -> ClusterID {
      let connection = Connection(Cluster(ClusterAddress(leader, database: database)))
      return try connection.immediateTransaction {
        try connection.execute(
          "CREATE TABLE IF NOT EXISTS cluster (one INTEGER PRIMARY KEY CHECK (one = 1), id INTEGER NOT NULL)")
        let found = try connection.fetchOne("SELECT id FROM cluster") { row in row.integer(0) }
        let recorded = found.flatMap { ClusterID(UInt64(bitPattern: $0)) }
        let agreed = known ?? recorded ?? .random()
        if recorded != agreed {
          try connection.execute(
            "INSERT INTO cluster VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET id = excluded.id",
            [.integer(Int64(bitPattern: agreed.number))])
        }
        return agreed
      }
    }
  }

  /// Makes the only node that is left of a cluster a cluster of its own, with everything in its log.
  enum Recovery {
    /// Recovers a node that is not running.
    ///
    /// - Parameters:
    ///   - folder: the folder of the node, which the caller has locked.
    ///   - address: the address of the node.
    ///   - others: the other nodes of the cluster; none of them may answer.
    /// - Throws: `Refusal` or `NodeProblem`.
    static func recover(_ folder: inout NodeFolder, at address: NodeAddress, _ others: [NodeAddress]) throws {
      guard let identity = folder.identity, try folder.holdsLog(), try identity.owns(logIn: folder.path)
      else {
        throw Refusal.strangeLog(folder.path)
      }
      if let running = Survey(others).reports.first(where: { $0.members.contains { $0.id == identity.id } }) {
        throw Refusal(
          message:
            "the node at \(running.address) of the same cluster runs. If most nodes can run, start them: "
            + "nothing needs to be recovered. If not, stop it first and empty its folder before you start it again."
        )
      }
      // First, so that the node never meets its former cluster, whatever happens next.
      try folder.record(.random(), isMember: true)
      try Node.makeOnlyMember(folder, at: address)
    }
  }
#endif
