#if Cluster
  internal import CustomersCluster
  internal import CustomersSQLite

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
#endif
