internal import CustomersMigrations
internal import CustomersSQLite

/// Why a list was not copied to a cluster.
public enum LoadError: Error, Hashable, Sendable {
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

extension LoadError: CustomStringConvertible {
  /// The error, in one line.
  public var description: String {
    switch self {
    case .isOccupied: "the cluster already has a list"
    case .isDamaged(let count): "the list is damaged (\(count) problems)"
    case .unknownValue(let table): "table \(table) has a value that is neither text nor a whole number"
    }
  }
}
