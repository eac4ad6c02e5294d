internal import CustomersMigrations
internal import CustomersSQLite
internal import CustomersSystem
internal import CustomersText

/// Why a backup was not made.
///
/// There is no new file, and an existing one is unchanged.
package enum BackupError: Error, Hashable, Sendable {
  /// The file already exists.
  case exists
  /// The path is that of the list itself, or of a file that SQLite keeps beside some list.
  case isReserved(CustomerStore.Reservation)
  /// The journal of another list is beside the path; SQLite would apply it to the copy.
  case hasJournal(String)
  /// The copy differs from the list: it has this many problems.
  case differs(Int)
  /// The list is damaged, with this many problems, and the file that its copy would replace may be sound.
  case isDamaged(Int)
  /// An error of the system.
  case failed(String)
}

extension CustomerStore {
  /// Verifies that a backup may be written to a path, whether or not a file exists there.
  ///
  /// - Parameters:
  ///   - path: the path of the copy.
  ///   - list: the list; nil if it is on another machine.
  /// - Throws: `BackupError`.
  package static func validateBackup(mayBeAt path: String, ofListAt list: String?) throws {
    try BackupError.check(path, against: list)
  }

  /// Copies the list to a new file, even while other programs write: the copy is a consistent snapshot.
  ///
  /// It has the format of the file. It is checked before it gets its name, so a file at `path` is always a complete
  /// backup. Only its owner can read it. Writers wait while it is copied, but not while it is checked or brought to the
  /// disk; readers never do.
  ///
  /// - Parameters:
  ///   - path: the path of the copy.
  ///   - replacing: whether an existing file may be replaced.
  ///   - proceed: called every thousand pages; if it throws, the backup is abandoned.
  /// - Returns: the number of customers in the copy, the problems that it shares with the list, and the disk's
  ///   error if the copy may lose its name when the machine stops.
  /// - Throws: `BackupError`, `StoreError`, or what `proceed` throws.
  @discardableResult
  package func backUp(
    to path: String, replacing: Bool = false, proceed: () throws -> Void = {}
  ) throws -> (count: Int, violations: [ListViolation], diskError: String?) {
    try CustomerStore.translatingSQLiteErrors {
      try BackupError.check(path, against: self.file?.path)
      do {
        let file = try AtomicFile(path)
        defer { DatabaseFile.removeSidecars(of: file.temporaryPath) }
        if let engine {
          // No one waits for it.
          try engine.dump(to: file.temporaryPath, proceed)
        } else {
          // Readers of this store do not wait while it waits for another program.
          let lane = self.file == nil ? reader : Lane(label: "customers.backup")
          try run(on: lane, WaitPolicy(options.busyTimeout)) { list in try list.copy(to: file, proceed) }
        }
        var copied = try CustomerList.examine(copy: file.temporaryPath, unless: options.isCancelled)
        if engine == nil, !copied.violations.isEmpty {
          // The list may have changed since.
          copied = try readAtLength { list in
            try list.copy(to: file, proceed)
            return try list.compare(withCopy: file.temporaryPath, unless: options.isCancelled)
          }
        }
        return (copied.count, copied.violations, try file.place(replacing: replacing, copied.violations))
      } catch let error as SystemError {
        throw BackupError(error)
      }
    }
  }

  /// Checks a copy that another machine has sent, without changing it.
  ///
  /// - Returns: its problems.
  /// - Throws: `StoreError` if it is not a customers file.
  package static func checkCopy(at path: String) throws -> [ListViolation] {
    try translatingSQLiteErrors { try CustomerList.examine(copy: path, isReadOnly: true).violations }
  }
}

extension CustomerList {
  /// Copies the file of the list, in the state of its transaction, to a file that is not placed yet.
  fileprivate func copy(to file: AtomicFile, _ proceed: () throws -> Void) throws {
    func copy() throws {
      try fileConnection.localFile.copy(to: Connection(path: file.temporaryPath), proceed)
    }
    do {
      if fileConnection.isInTransaction { try copy() } else { try fileConnection.readTransaction(copy) }
    } catch let error as SQLiteError where [.diskFull, .fileTooLarge].contains(StoreError(error)) {
      // The disk of the copy: the list is only read.
      throw BackupError.failed(StoreError(error).description)
    }
  }

  /// Checks a copy; it must have no problem that the list does not have.
  fileprivate func compare(
    withCopy path: String, unless isCancelled: @escaping @Sendable () -> Bool
  ) throws -> (count: Int, violations: [ListViolation]) {
    let copied = try CustomerList.examine(copy: path, unless: isCancelled)
    guard try copied.violations.isEmpty || copied.violations == check() else {
      throw BackupError.differs(copied.violations.count)
    }
    return copied
  }

  /// Counts the customers in a copy and checks it.
  fileprivate static func examine(
    copy path: String, isReadOnly: Bool = false,
    unless isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> (count: Int, violations: [ListViolation]) {
    var options = CustomerStore.Options()
    options.createsFile = false
    options.isReadOnly = isReadOnly
    options.isCancelled = isCancelled
    let copy = try CustomerList.open(path: path, options, WaitPolicy(options.busyTimeout))
    return try copy.connection.readTransaction {
      let violations = try copy.check()
      // If the schema is damaged, there may be nothing to count.
      return (violations.isEmpty ? try copy.count() : (try? copy.count()) ?? 0, violations)
    }
  }
}

extension AtomicFile {
  /// Puts a complete copy in its place, unless one that is damaged would replace a file that has something.
  ///
  /// - Returns: the disk's error, if the file is there but may lose its name.
  fileprivate func place(replacing: Bool, _ violations: [ListViolation]) throws -> String? {
    let mayReplace = replacing && (!violations.isOfDamage || DatabaseFile.isEmptyOrMissing(path))
    do { try commit(replacing: mayReplace) } catch {
      if error.isExisting, replacing { throw BackupError.isDamaged(violations.count) }
      guard error.isOfPlacedFile else { throw error }
      return error.description
    }
    return nil
  }
}

extension BackupError {
  fileprivate init(_ error: SystemError) { self = error.isExisting ? .exists : .failed(error.description) }

  /// Refuses a path where no copy may be; `source` is the file of the list, if it is in one.
  fileprivate static func check(_ path: String, against source: String?) throws {
    if let reservation = CustomerStore.reservation(of: path, byListAt: source) {
      throw isReserved(reservation)
    }
    guard !DatabaseFile.isSpecial(path) else { throw failed(StoreError.notARegularFile.description) }
    do { try DatabaseFile.validateLength(of: path, adding: AtomicFile.addedLength) } catch {
      throw failed(StoreError(error).description)
    }
    for suffix in DatabaseFile.sidecars where DatabaseFile.exists(path + suffix) {
      throw hasJournal(path + suffix)
    }
  }
}

extension BackupError: ExplainedError {
  package func task(with file: String) -> String? { "back up to \(quoted(file))" }

  package var explanation: Explanation {
    switch self {
    case .exists: .refused("the file already exists", .chooseAnotherFileOrReplace)
    case .isReserved(let reservation): .refused("\(reservation)", .advice("name another file"))
    case .hasJournal(let name):
      .refused("\(name) belongs to another list and would spoil the copy", .advice("name another file"))
    case .differs(let count):
      .failed("the copy is not as the list is (\(count) differences); no backup was made")
    case .isDamaged(let count):
      .failed(
        "the list is damaged (\(counted(count, "problem"))), and the file may be a better copy",
        .advice("name another file"))
    case .failed(let text): .failed(text)
    }
  }
}

/// Why a list was not copied to a cluster.
package enum LoadError: Error, Hashable, Sendable {
  /// The cluster already has a list.
  case isOccupied
  /// The list is damaged; the value is the number of problems found.
  case isDamaged(Int)
  /// A table has a value that can't be sent, such as a blob that another program put there.
  case unknownValue(table: String)
}

extension CustomerStore {
  /// Copies the list and its history to an engine that has no list, in one transaction.
  ///
  /// - Parameters:
  ///   - target: the engine.
  ///   - proceed: called before each table; if it throws, nothing is copied.
  /// - Returns: the number of customers.
  /// - Throws: `LoadError`, `StoreError`, or what `proceed` throws; `CommitError` if the list may have been
  ///   copied.
  package func load(to target: any ListEngine, proceed: () throws -> Void) throws -> Int {
    if engine != nil { return try copyInMemory().load(to: target, proceed: proceed) }
    return try load(
      into: { Connection(target.database(), busyTimeout: options.busyTimeout) }, proceed: proceed)
  }

  /// Copies the list to an empty database.
  ///
  /// - Parameters:
  ///   - connect: connects to it; again after a failed commit, to see whether the copy is there.
  ///   - proceed: called before each table.
  /// - Returns: the number of customers.
  /// - Throws: what `load(to:)` throws.
  func load(into connect: () -> Connection, proceed: () throws -> Void = {}) throws -> Int {
    try readAtLength { list in
      let violations = try list.check()
      guard violations.isEmpty else { throw LoadError.isDamaged(violations.count) }
      let receipt = try list.lastReceipt()
      return try CustomerStore.translatingSQLiteErrors {
        do {
          let target = connect()
          try target.immediateTransaction { try target.load(list.connection, proceed) }
        } catch let failure as CommitFailure {
          // A copy has the receipts of the list. Without it there may be no table, and none is made.
          let outcome = try? receipt.map { try CustomerList(connection: connect()).outcome(of: $0) }
          throw CommitError(
            outcome: outcome == .committed ? .committed : .unknown, token: TransactionToken(),
            reason: StoreError(failure.reason))
        }
        return try list.count()
      }
    }
  }
}

extension Connection {
  /// Copies a whole database into this empty one.
  fileprivate func load(_ source: Connection, _ proceed: () throws -> Void) throws {
    guard try fetchOne("SELECT count(*) FROM sqlite_schema", [], { $0.int(0) }) == 0 else {
      throw LoadError.isOccupied
    }
    let schema = try source.schema()
    let tables = schema.filter { $0.type == "table" }
    for table in tables { try executeScript(table.sql) }
    try loadRows(of: tables.map(\.name), source, proceed)
    // Only now, so that no trigger runs and each index is built once.
    for object in schema where object.type != "table" { try executeScript(object.sql) }
    try executeScript(
      "PRAGMA application_id = \(Migrations.applicationID); PRAGMA user_version = \(Migrations.format)")
  }

  private func loadRows(of tables: [String], _ source: Connection, _ proceed: () throws -> Void) throws {
    // Inserting the rows does not record the ids of deleted ones, so sqlite_sequence is copied too.
    for table in tables + ["sqlite_sequence"] {
      try proceed()
      let columns = try source.fetchAll("SELECT name FROM pragma_table_info(?)", [.text(table)]) {
        $0.text(0).asSQLName
      }.joined(separator: ", ")
      let name = table.asSQLName
      try execute("DELETE FROM \(name)")
      try source.query("SELECT \(columns) FROM \(name)") { row in
        let places = repeatElement("?", count: Int(row.columnCount)).joined(separator: ", ")
        _ = try executeMany("INSERT INTO \(name) (\(columns)) VALUES (\(places))") { statement in
          guard try row.step() else { return false }
          for index in 0..<row.columnCount {
            guard let value = row.value(index) else { throw LoadError.unknownValue(table: table) }
            try statement.bind(value, at: index + 1)
          }
          return true
        }
      }
    }
  }
}

extension LoadError: ExplainedError {
  package func task(with file: String) -> String? { "copy the list to the cluster" }

  package var explanation: Explanation {
    switch self {
    case .isOccupied: .refused("the cluster already has a list")
    case .isDamaged(let count):
      .failed("the list is damaged (\(counted(count, "problem")))", .run(.check, to: "see what is wrong"))
    case .unknownValue(let table):
      .failed("table \(table) has a value that is neither text nor a whole number")
    }
  }
}
