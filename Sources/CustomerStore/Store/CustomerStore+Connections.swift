package import CustomersSQLite
internal import CustomersSystem
internal import Synchronization

/// Transactions on the connections.
extension CustomerStore {
  func read<Result: Sendable>(
    _ waitPolicy: WaitPolicy, _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    try run(on: readingLane(waitPolicy), waitPolicy) { list in
      try prepareToRead(&list, waitPolicy)
      return try list.connection.readTransaction {
        try list.guardFormat()
        do { return try body(list) } catch { throw try list.error(insteadOf: error) }
      }
    }
  }

  func write<Result: Sendable>(
    by author: StepAuthor, _ waitPolicy: WaitPolicy, guardingSchema: Bool = true, isDryRun: Bool = false,
    _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    do {
      defer { commits.add(1, ordering: .relaxed) }
      return try run(on: writer, waitPolicy) { list in
        if isDryRun { try prepareToRead(&list, waitPolicy) } else { try refuseOlderFormat(&list) }
        return try list.connection.immediateTransaction {
          try list.guardFormat()
          if guardingSchema { try list.guardSchema() }
          list.recorder.begin(by: author)
          do {
            let result = try body(&list)
            try list.endStep()
            return result
          } catch {
            throw try list.error(insteadOf: error)
          }
        }
      }
    } catch let failure as CommitFailure {
      let reason = StoreError(failure.reason)
      let outcome = outcomeByOpeningAgain(of: author.token)
      guard outcome != .notCommitted else { throw reason }
      throw CommitError(outcome: outcome, token: author.token, reason: reason)
    }
  }

  /// The outcome of a transaction whose COMMIT failed.
  ///
  /// It uses a new connection: the one that failed may show what never reached the file. Opening the file
  /// also rolls back an incomplete commit.
  private func outcomeByOpeningAgain(of token: TransactionToken) -> TransactionOutcome {
    if let engine { return engine.outcome(of: token, options) }
    guard let file else { return .unknown }
    let options = options.forOutcome
    // The disk may fail again.
    for _ in 0..<3 {
      do {
        try file.validateIdentity()
        let waitPolicy = WaitPolicy(options.busyTimeout)
        let list = try CustomerList.open(path: file.path, options, waitPolicy)
        try file.validateIdentity()
        return try list.connection.readTransaction { try list.outcome(of: token) }
      } catch let error as SQLiteError where error.code.primary == .busy {
        return .unknown
      } catch {}
    }
    return .unknown
  }

  private func readingLane(_ waitPolicy: WaitPolicy) -> Lane { waitPolicy.takesTurns ? reader : glance }

  /// A value that changes whenever any program changes the list.
  ///
  /// It takes a few microseconds and leaves no transaction open. Only values of calls with the same policy can
  /// be compared: SQLite counts for each connection of its own.
  func pulse(_ waitPolicy: WaitPolicy) throws -> Pulse {
    if case .memory = location { return .count(commits.load(ordering: .relaxed)) }
    return try run(on: readingLane(waitPolicy), waitPolicy) { list in
      if engine != nil { return .version(try list.version()) }
      return .count(try list.fileConnection.localFile.dataVersion())
    }
  }

  /// A value that differs when a list has changed.
  enum Pulse: Equatable {
    /// A count of changes.
    case count(Int64)
    /// The list's own version, for an engine that counts nothing.
    case version(ListVersion)
  }

  /// The stamp of the file; nil if it proves nothing.
  func stamp() -> FileStamp? { file.flatMap { FileStamp($0.path) } }

  /// Runs `body` when it is its turn on a connection.
  func run<Result: Sendable>(
    on lane: Lane, _ waitPolicy: WaitPolicy, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    refuseReentry()
    do {
      return try lane.run(takingTurns: waitPolicy.takesTurns, opening: { try connect(waitPolicy) }) { list in
        try use(&list, waitPolicy, body)
      }
    } catch StoreError.locked where options.cancellation(waitPolicy)() {
      throw CancellationError()
    }
  }

  func use<Result: Sendable>(
    _ list: inout CustomerList, _ waitPolicy: WaitPolicy, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    try waitPolicy.begin()
    try file?.validateIdentity()
    list.connection.wait(options, waitPolicy)
    defer { list.connection.wait(options.busyTimeout) }
    do {
      return try CustomerStore.translatingSQLiteErrors { try body(&list) }
    } catch let error as StoreError {
      // For a missing file, SQLite's error would say something else.
      try file?.validateIdentity()
      throw error
    }
  }

  func refuseReentry() {
    precondition(
      !reader.isMine && !writer.isMine && !glance.isMine,
      "a store was used inside the closure of its own read or write; use the list that the closure gets")
  }

  /// Opens the connection of a lane that has none yet.
  func connect(_ waitPolicy: WaitPolicy) throws -> sending CustomerList {
    if let connection = spare.withLock({ $0.take() }) {
      return CustomerList(
        connection: connection, original: isOlder ? OlderFile(connection: connection) : nil)
    }
    return try connectAgain(waitPolicy)
  }

  /// Opens one more connection, which reads the list as it is now.
  func connectAgain(_ waitPolicy: WaitPolicy) throws -> sending CustomerList {
    var opening = Opening()
    if let engine {
      let connection = try engine.connect(options, waitPolicy, &opening)
      return CustomerList(
        connection: connection, original: opening.isOlder ? OlderFile(connection: connection) : nil)
    }
    guard let file else { preconditionFailure("a list in memory has one connection") }
    var options = options
    options.createsFile = false
    try file.validateIdentity()
    let connection = try CustomerStore.translatingSQLiteErrors {
      try Connection.open(path: file.path, options: options, waitPolicy, &opening)
    }
    try file.validateIdentity()
    return CustomerList(
      connection: connection, original: opening.isOlder ? OlderFile(connection: connection) : nil)
  }

  /// SQLite's errors stay inside; callers of the store get its own or a `CancellationError`.
  package static func translatingSQLiteErrors<Result>(_ body: () throws -> sending Result) throws
    -> sending Result
  {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw error.ofStore
    } catch let problem as DatabaseFile.Problem {
      throw StoreError(problem)
    }
  }
}

/// The file that a store was opened on.
struct OpenFile {
  let path: String
  /// Whether the store has created it.
  let isNew: Bool
  private let identity: FileIdentity?

  init(_ path: String, isNew: Bool) {
    (self.path, self.isNew) = (path, isNew)
    identity = FileIdentity(path)
  }

  /// Refuses to continue with a file that has lost its name: no other program would see what is written.
  func validateIdentity() throws {
    guard let identity, FileIdentity(path) == identity else { throw StoreError.replaced }
  }
}

extension CustomerStore {
  /// Whether the file did not exist before this store was opened.
  package var hasCreatedFile: Bool { file?.isNew == true }

  /// Removes the file if this store has created it and no program has edited the list, for an edit that has
  /// failed and should leave nothing behind.
  ///
  /// A program that has opened the file by then gets `StoreError.replaced`.
  package func removeNewFile() {
    guard let file, file.isNew else { return }
    // A list that can't be locked at once is in use.
    try? run(on: writer, WaitPolicy(.zero)) { list in
      try list.connection.immediateTransaction {
        if try list.lastEdit() == 0 { try Folder.removeFile(file.path) }
      }
    }
  }
}

extension CustomerStore {
  /// The program that has locked the customers file at `path` and its process id; nil if none has, or if the
  /// system does not report it.
  package static func lockHolder(ofFile path: String) -> (program: String, process: Int)? {
    LockHolder(ofDatabase: path).map { ($0.program, Int($0.process)) }
  }
}

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
  func connect(
    _ options: CustomerStore.Options, _ waitPolicy: WaitPolicy, _ opening: inout Opening
  ) throws -> sending Connection {
    try CustomerStore.translatingSQLiteErrors {
      try Connection.open(on: self, options: options, waitPolicy, &opening)
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
        var opening = Opening()
        let connection = try Connection.open(
          on: self, options: options, WaitPolicy(options.busyTimeout), &opening)
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
      let list = try CustomerList.open(
        path: file.temporaryPath, options.ofCopy, WaitPolicy(options.busyTimeout))
      try list.connection.localFile.copy(to: connection) {}
    }
  }
}
