public import CustomersSQLite

/// A database on a cluster: finds the leader and switches to the new one after an election.
///
/// A transaction ends when its leader is lost: all further statements fail until the caller ends it. A
/// statement that begins a transaction, or reads outside of one, is sent again to the next leader.
public final class Cluster: RemoteDatabase {
  private enum Session {
    case idle
    case inTransaction
    /// The connection was lost during the transaction.
    case lost(SQLiteError)
  }

  /// How long an election may take, independent of the caller's timeout for locks.
  private static let longestElection = Duration.seconds(20)

  private let database: String
  private var search: LeaderSearch
  private var connection: DqliteConnection?
  /// The cluster of the first leader.
  private var cluster: ClusterID?
  private var state = Session.idle
  private var statements = PreparedStatements()
  /// Results read since the last write of the open transaction.
  private var answers = KnownAnswers()
  private var timeout = longestElection
  private var shouldContinue: @Sendable (_ pause: Duration) -> Bool = { _ in true }
  /// The number of round trips on connections that are closed.
  private var formerRoundTrips = 0
  public private(set) var lastInsertedID: Int64 = 0

  /// Creates a database at an address; it connects at the first statement.
  public init(_ address: ClusterAddress) {
    database = address.database
    search = LeaderSearch(address.nodes)
  }

  public var mostValues: Int { ClusterRequest.mostValues }

  public var isInTransaction: Bool {
    if case .idle = state { false } else { true }
  }

  /// The number of round trips so far, including those for connecting.
  public var roundTrips: Int { formerRoundTrips + (connection?.roundTrips ?? 0) }

  /// Sets how long to look for a leader; with a timeout of zero, each node is asked once.
  public func wait(_ timeout: Duration, while shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool)
  {
    self.timeout = timeout == .zero ? .zero : max(timeout, Self.longestElection)
    self.shouldContinue = shouldContinue
  }

  public func query(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> any RemoteRows {
    try Self.check(values, sql)
    if case .inTransaction = state, let known = answers.find(sql, values) { return known }
    let rows = try run(sql) { connection throws(SQLiteError) in
      let statement = try statements.find(sql, connection)
      return try connection.askForRows(
        statement.map { .queryPrepared(statement: $0, values) } ?? .query(sql: sql, values))
    }
    if case .inTransaction = state, let only = rows.onlyBatch { answers.add(sql, values, only) }
    return rows
  }

  public func execute(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    try Self.check(values, sql)
    answers = KnownAnswers()
    let keyword = SQLText.keyword(sql)
    let endsTransaction = sql.hasSuffix("COMMIT") || keyword == "ROLLBACK" && !sql.contains("TO")
    if keyword == "ROLLBACK", endsTransaction, case .lost = state { return state = .idle }
    do {
      lastInsertedID = try run(sql) { connection throws(SQLiteError) in
        let statement = try statements.find(sql, connection)
        return try connection.execute(
          statement.map { .executePrepared(statement: $0, values) } ?? .execute(sql: sql, values))
      }
    } catch {
      // A node that loses a connection rolls back. After a COMMIT, the transaction has ended in any case.
      if keyword == "ROLLBACK", endsTransaction { disconnect() }
      if endsTransaction, connection == nil { state = .idle }
      if keyword == "ROLLBACK", endsTransaction { return }
      throw error
    }
    if keyword == "BEGIN" { state = .inTransaction } else if endsTransaction { state = .idle }
  }

  /// The connection to the leader; connects if necessary.
  public func leader() throws(SQLiteError) -> DqliteConnection {
    if let connection { return connection }
    let others = MembershipCheck(search.nodes)
    let found = try search.connect(within: timeout, while: shouldContinue)
    try others.compare(with: found) { () throws(SQLiteError) in try found.open(database: database) }
    if let other = found.introduction?.cluster {
      guard cluster == nil || cluster == other else {
        throw .mixedClusters("the node at \(found.address) is of another cluster than before")
      }
      cluster = other
    }
    let (search, address) = (search, found.address)
    found.shouldContinue = { quiet in
      quiet < DqliteConnection.longestSilence && (quiet < .seconds(2) || !search.isDeposed(address))
    }
    statements = PreparedStatements()
    connection = found
    return found
  }

  /// Passes the leader's files of the database to `write`, piece by piece: the database and its write-ahead
  /// log.
  public func dump(_ write: (_ file: Int, _ piece: [UInt8]) throws -> Void) throws {
    try leader().dump(database, write)
  }

  /// Sends a statement to the leader; outside of a transaction, tries the next leader if that one fails.
  private func run<Result>(
    _ sql: String, _ body: (DqliteConnection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    if case .lost(let error) = state { throw error }
    let start = ContinuousClock.now
    let mayRepeat = !isInTransaction && ["BEGIN", "SELECT", "WITH", "PRAGMA"].contains(SQLText.keyword(sql))
    // A connection lost while it was idle is not a reason to fail, even with a timeout of zero.
    var isFromBefore = connection != nil
    while true {
      do {
        return try body(leader())
      } catch {
        var error = error
        error.sql = sql
        guard error.endsConnection else { throw error }
        if error.code != .unreachable { error.message = error.ofLostLeader(connection?.address) }
        disconnect()
        error.code = .unreachable
        if isInTransaction { state = .lost(error) }
        let mayWait = isFromBefore || ContinuousClock.now - start < timeout
        guard mayRepeat, mayWait, shouldContinue(.zero) else { throw error }
        isFromBefore = false
      }
    }
  }

  private func disconnect() {
    formerRoundTrips += connection?.roundTrips ?? 0
    connection = nil
  }

  private static func check(_ values: [SQLiteValue], _ sql: String) throws(SQLiteError) {
    guard values.count <= ClusterRequest.mostValues else {
      throw SQLiteError(code: .tooBig, message: "a statement on a cluster has at most 255 values", sql: sql)
    }
    for case .text(let text) in values where text.utf8.contains(0) {
      throw SQLiteError(code: .mismatch, message: "text on a cluster can't contain a NUL character", sql: sql)
    }
  }
}

extension SQLiteError {
  /// Whether the connection can no longer be used: the node is gone or no longer the leader, or the error may
  /// have ended the transaction silently.
  fileprivate var endsConnection: Bool {
    // SQLITE_NOMEM, INTERRUPT, IOERR (with "not leader" and "leadership lost"), CORRUPT, NOTFOUND ("no
    // database opened"), FULL and ABORT, and the codes of the protocol.
    if [7, 9, 10, 11, 12, 13, 4].contains(code.primary.rawValue) || [1001, 1005].contains(code.rawValue) {
      return true
    }
    return code == .error && message == "barrier error" || message == Self.noMoreRows
  }

  /// SQLite's text for the end of a result, which a node that lost the lead sends with any code.
  private static let noMoreRows = "no more rows available"

  /// What to say in place of the node's words, which for a lost leadership can be about a disk or about rows.
  func ofLostLeader(_ address: NodeAddress?) -> String {
    let node = address.map { "the node at \($0)" } ?? "the node"
    // SQLITE_NOMEM, CORRUPT, and FULL are about the node itself, unless the text is that of a call that succeeded.
    return [7, 11, 13].contains(code.primary.rawValue) && message != Self.noMoreRows
      ? "\(node) reported: \(message)" : "\(node) no longer leads the cluster"
  }
}
