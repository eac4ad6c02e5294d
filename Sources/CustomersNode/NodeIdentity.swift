#if Cluster
  internal import CustomersCluster
  internal import CustomersFiles
  internal import CustomersPlatform

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
    init?(folder path: String) throws(NodeFolder.Problem) {
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
    func owns(logIn path: String) throws(NodeFolder.Problem) -> Bool {
      try Self.words(path + "/raft/owner") ?? (isMember ? [] : owner) == owner
    }

    /// Writes the files; after a crash, the folder is still of a node that has not joined, or of a member.
    func write(to path: String) throws(NodeFolder.Problem) {
      try Self.write("\(id) \(address)\n", to: path + "/node")
      guard let cluster else { return }
      if isMember { try Self.write(owner.joined(separator: " ") + "\n", to: path + "/raft/owner") }
      try Self.write(isMember ? "\(cluster)\n" : "\(cluster) joining\n", to: path + "/cluster")
    }

    private static func words(_ path: String) throws(NodeFolder.Problem) -> [String]? {
      guard unsafe access(path, F_OK) == 0 else { return nil }
      do {
        return String(decoding: try InputFile(path).read(), as: UTF8.self).split { $0.isWhitespace }.map(
          String.init)
      } catch {
        throw NodeFolder.Problem(message: "can't read \"\(path)\": \(error)")
      }
    }

    private static func write(_ text: String, to path: String) throws(NodeFolder.Problem) {
      do {
        let file = try OutputFile(path)
        try file.descriptor.write(Array(text.utf8))
        try file.finish()
      } catch {
        throw NodeFolder.Problem(message: "can't write \"\(path)\": \(error)")
      }
    }
  }

  extension NodeFolder.Problem {
    fileprivate static func damaged(_ path: String) -> Self {
      Self(message: "\(path) is damaged; use an empty folder and join the cluster with --join")
    }
  }
#endif
