internal import Dqlite
internal import Files
internal import SQLite

/// The cluster that a store was opened on.
struct OpenCluster {
  let address: ClusterAddress

  func connect(_ options: CustomerStore.Options, _ patience: Patience) throws -> sending Connection {
    try CustomerStore.translatingSQLiteErrors {
      try Connection.open(address, options: options, patience)
    }
  }

  /// What became of a transaction whose COMMIT had no answer.
  ///
  /// The node that led then may have it, and not yet the others. So first something is committed that changes
  /// nothing: what came before it, and is not there by then, will never be.
  func outcome(of token: TransactionToken, _ options: CustomerStore.Options) -> TransactionOutcome {
    var options = options
    options.createsFile = false
    for _ in 0..<5 {
      do {
        let connection = try Connection.open(address, options: options, Patience(options.busyTimeout))
        try connection.immediateTransaction {
          try connection.execute(
            "UPDATE receipt SET at = at WHERE id = (SELECT max(id) FROM receipt)")
        }
        let list = CustomerList(connection: connection)
        return try connection.readTransaction { try list.outcome(of: token) }
      } catch {}
    }
    return .unknown
  }

  /// Gets a copy of the database from the leader, as a file; `proceed` is called with each piece.
  func dump(to path: String, _ proceed: () throws -> Void = {}) throws {
    let files = try [path, path + "-wal"].map { try FileDescriptor.openToWrite($0) }
    defer { for file in files { file.close() } }
    try Cluster(address).dump { file, piece in
      try files[file].write(piece)
      try proceed()
    }
  }

  /// Copies the database.
  func copy(to connection: Connection, options: CustomerStore.Options) throws {
    try CustomerStore.translatingSQLiteErrors {
      let file = try AtomicFile("\(TemporaryFile.folder)/customers-")
      defer { DatabaseFile.removeSidecars(of: file.temporaryPath) }
      try dump(to: file.temporaryPath)
      var options = options
      options.createsFile = false
      try Connection.open(path: file.temporaryPath, options: options, Patience(options.busyTimeout))
        .localFile.copy(to: connection) {}
    }
  }
}
