internal import Dqlite
internal import Migrations
internal import SQLite

/// Why a list was not copied to a cluster.
public enum LoadError: Error, Hashable, Sendable {
  /// There is a list on the cluster.
  case isOccupied
  /// So many things are wrong in the list.
  case isDamaged(Int)
  /// A table has a value that can't be sent, such as a blob that another program put there.
  case unknownValue(table: String)
}

extension CustomerStore {
  /// Copies the list with its history to a cluster that has none, in one transaction.
  ///
  /// - Parameters:
  ///   - address: as for `init(cluster:)`.
  ///   - proceed: is called after each table; if it throws, nothing was copied.
  /// - Returns: the number of customers.
  /// - Throws: `LoadError`, `StoreError`, or what `proceed` throws; `CommitError` if it may have been done.
  @discardableResult
  public func load(toCluster address: String, proceed: () throws -> Void = {}) throws -> Int {
    guard let parsed = ClusterAddress(address) else { throw StoreError.invalidAddress }
    if isOnCluster { return try copyInMemory().load(toCluster: address, proceed: proceed) }
    return try read { list in
      let violations = try list.check()
      guard violations.isEmpty else { throw LoadError.isDamaged(violations.count) }
      return try CustomerStore.translatingSQLiteErrors {
        let target = Connection(Cluster(parsed), busyTimeout: options.busyTimeout)
        do {
          try target.immediateTransaction { try target.load(list.connection, proceed) }
        } catch let failure as CommitFailure {
          let isThere = try? CustomerStore(cluster: address, options: options).read { try $0.count() }
          throw CommitError(
            outcome: isThere == nil ? .unknown : .committed, token: TransactionToken(),
            reason: StoreError(failure.reason))
        }
        return try list.count()
      }
    }
  }
}

extension Connection {
  /// Copies all of a database into this empty one.
  fileprivate func load(_ source: Connection, _ proceed: () throws -> Void) throws {
    guard try fetchOne("SELECT count(*) FROM sqlite_schema", [], { $0.int(0) }) == 0 else {
      throw LoadError.isOccupied
    }
    let schema = try source.schema()
    let tables = schema.filter { $0.type == "table" }
    for table in tables { try executeScript(table.sql) }
    try loadRows(of: tables.map(\.name), source, proceed)
    // Only now, so that no trigger runs and each index is made once.
    for object in schema where object.type != "table" { try executeScript(object.sql) }
    try executeScript(
      "PRAGMA application_id = \(Migrations.applicationID); PRAGMA user_version = \(Migrations.steps.count)")
  }

  private func loadRows(of tables: [String], _ source: Connection, _ proceed: () throws -> Void) throws {
    // The last ids come by themselves, but for those of rows that are gone.
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
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .isOccupied: "there is a list on the cluster already"
    case .isDamaged(let count): "the list is damaged (\(count) problems)"
    case .unknownValue(let table): "table \(table) has a value that is neither a text nor a whole number"
    }
  }
}
