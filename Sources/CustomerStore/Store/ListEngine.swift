internal import CustomersFiles
package import CustomersSQLite

/// The files of a list that is kept outside of this process.
package protocol ListFiles: Sendable {
  /// Passes the files of the database to `write`, piece by piece: the database and its write-ahead log.
  func dump(_ write: (_ file: Int, _ piece: [UInt8]) throws -> Void) throws
}

/// An engine that keeps a list outside of this process, such as a cluster: all that a store needs of it.
package protocol ListEngine: ListFiles {
  /// A database with the list; it connects at its first statement.
  func database() -> sending any RemoteDatabase
}

extension ListEngine {
  func connect(_ options: CustomerStore.Options, _ waitPolicy: WaitPolicy) throws -> sending Connection {
    try CustomerStore.translatingSQLiteErrors {
      try Connection.open(on: self, options: options, waitPolicy)
    }
  }

  /// The outcome of a transaction whose COMMIT was not answered.
  ///
  /// The former leader may have stored it without the other nodes having it yet. So this first commits a
  /// transaction that changes nothing: anything earlier that is not in the list by then never will be.
  func outcome(of token: TransactionToken, _ options: CustomerStore.Options) -> TransactionOutcome {
    let options = options.forOutcome
    for _ in 0..<5 {
      do {
        let connection = try Connection.open(on: self, options: options, WaitPolicy(options.busyTimeout))
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
}

extension ListFiles {
  /// Copies the database to a file; calls `proceed` after each piece.
  func dump(to path: String, _ proceed: () throws -> Void = {}) throws {
    let files = try [path, path + "-wal"].map { try FileDescriptor.openToWrite($0) }
    defer { for file in files { file.close() } }
    try dump { file, piece in
      try files[file].write(piece)
      try proceed()
    }
  }

  /// Copies the database to another connection.
  func copy(to connection: Connection, options: CustomerStore.Options) throws {
    try CustomerStore.translatingSQLiteErrors {
      let file = try AtomicFile("\(TemporaryFile.folder)/customers-")
      defer { DatabaseFile.removeSidecars(of: file.temporaryPath) }
      try dump(to: file.temporaryPath)
      var options = options
      options.createsFile = false
      try Connection.open(path: file.temporaryPath, options: options, WaitPolicy(options.busyTimeout))
        .localFile.copy(to: connection) {}
    }
  }
}
