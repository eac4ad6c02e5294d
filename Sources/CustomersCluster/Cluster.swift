package import CustomersSQLite
internal import CustomersSystem

/// A database on a cluster: finds the leader and switches to the new one after an election.
///
/// A transaction ends when its leader is lost: all further statements fail until the caller ends it. A
/// statement that begins a transaction, or reads outside of one, is sent again to the next leader.
package final class Cluster: RemoteDatabase {
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

  /// Creates a database at an address; it connects at the first statement.
  package init(_ address: ClusterAddress) {
    database = address.database
    search = LeaderSearch(address.nodes)
  }

  package var mostValues: Int { ClusterRequest.mostValues }

  package var isInTransaction: Bool {
    if case .idle = state { false } else { true }
  }

  /// Sets how long to look for a leader; with a timeout of zero, each node is asked once.
  package func wait(
    _ timeout: Duration, while shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool
  ) {
    self.timeout = timeout == .zero ? .zero : max(timeout, Self.longestElection)
    self.shouldContinue = shouldContinue
  }

  package func query(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> any RemoteRows {
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

  package func execute(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    try Self.check(values, sql)
    answers = KnownAnswers()
    let keyword = SQLText.keyword(sql)
    let endsTransaction = sql.hasSuffix("COMMIT") || keyword == "ROLLBACK" && !sql.contains("TO")
    if keyword == "ROLLBACK", endsTransaction, case .lost = state { return state = .idle }
    do {
      try run(sql) { connection throws(SQLiteError) in
        let statement = try statements.find(sql, connection)
        try connection.execute(
          statement.map { .executePrepared(statement: $0, values) } ?? .execute(sql: sql, values))
      }
    } catch {
      // A node that loses a connection rolls back. After a COMMIT, the transaction has ended in any case.
      if keyword == "ROLLBACK", endsTransaction { connection = nil }
      if endsTransaction, connection == nil { state = .idle }
      if keyword == "ROLLBACK", endsTransaction { return }
      throw error
    }
    if keyword == "BEGIN" { state = .inTransaction } else if endsTransaction { state = .idle }
  }

  /// The connection to the leader; connects if necessary.
  package func leader() throws(SQLiteError) -> DqliteConnection {
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
  package func dump(_ write: (_ file: Int, _ piece: [UInt8]) throws -> Void) throws {
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
        connection = nil
        error.code = .unreachable
        if isInTransaction { state = .lost(error) }
        let mayWait = isFromBefore || ContinuousClock.now - start < timeout
        guard mayRepeat, mayWait, shouldContinue(.zero) else { throw error }
        isFromBefore = false
      }
    }
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

/// The random identity of a cluster, made when it is founded.
///
/// Every node keeps it in its folder and reports it to whoever asks. Two clusters can have logs with the same
/// indexes and terms, so Raft alone can't keep their nodes apart.
package struct ClusterID: Hashable, Sendable, CustomStringConvertible {
  /// Never zero, which a node reports that has none.
  package let number: UInt64

  /// The identity with a number; nil for zero.
  package init?(_ number: UInt64) {
    guard number != 0 else { return nil }
    self.number = number
  }

  /// Parses 16 hexadecimal digits; nil if the text is anything else.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 16, let number = UInt64(text, radix: 16) else { return nil }
    self.init(number)
  }

  /// A new identity.
  package static func random() -> ClusterID { ClusterID(number: .random(in: 1...UInt64(Int64.max))) }

  private init(number: UInt64) { self.number = number }

  package var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Finds the leader of a cluster.
///
/// It asks the known nodes in turn. During an election, which takes a few seconds, none of them knows a
/// leader.
package struct LeaderSearch {
  /// The nodes in the address that the user gave.
  private let seeds: [NodeAddress]
  /// The nodes of the cluster as the last leader reported them, itself first.
  private var known: [NodeAddress] = []

  /// Starts from some nodes of the cluster.
  package init(_ seeds: [NodeAddress]) { self.seeds = seeds }

  /// The known nodes, the last leader first.
  var nodes: [NodeAddress] { known + seeds.filter { !known.contains($0) } }

  /// Connects to the leader.
  ///
  /// - Parameters:
  ///   - timeout: how long to look; each node is asked at least once.
  ///   - shouldContinue: whether to keep looking; called with the length of the next pause.
  /// - Returns: a connection on which no database is open yet.
  /// - Throws: `SQLiteError` with `.unreachable` if no leader is found.
  package mutating func connect(
    within timeout: Duration, while shouldContinue: (_ pause: Duration) -> Bool = { _ in true }
  ) throws(SQLiteError) -> DqliteConnection {
    let start = ContinuousClock.now
    while true {
      if let found = askAll() { return found }
      let pause = Duration.milliseconds(Int.random(in: 50...250))
      guard ContinuousClock.now - start < timeout, shouldContinue(pause) else {
        let names = seeds.map(\.description).joined(separator: ", ")
        throw .unreachable("the cluster has no leader, or no node can be reached (\(names))")
      }
      usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000))
    }
  }

  private mutating func askAll() -> DqliteConnection? {
    for address in nodes {
      guard let connection = try? DqliteConnection(address) else { continue }
      connection.waitsBriefly()
      guard let leader = try? connection.introduce().leader else { continue }
      let found = leader == address ? connection : leaderConnection(leader)
      guard let found else { continue }
      learn(found)
      found.shouldContinue = { $0 < DqliteConnection.longestSilence }
      return found
    }
    return nil
  }

  /// Connects to the node that another node reports as the leader; nil if it does not confirm that.
  private func leaderConnection(_ address: NodeAddress) -> DqliteConnection? {
    guard let connection = try? DqliteConnection(address) else { return nil }
    connection.waitsBriefly()
    return (try? connection.introduce().leader) == address ? connection : nil
  }

  private mutating func learn(_ leader: DqliteConnection) {
    let nodes = leader.introduction?.nodes ?? []
    let others = nodes.prefix(20).compactMap { NodeAddress($0.address) }.filter { $0 != leader.address }
    known = [leader.address] + others
  }

  /// Whether another node follows a different leader; asked when the leader has been silent.
  func isDeposed(_ leader: NodeAddress) -> Bool {
    Set(nodes).subtracting([leader]).contains { address in
      guard let connection = try? DqliteConnection(address) else { return false }
      connection.waitsBriefly()
      guard let other = try? connection.leader() else { return false }
      return NodeAddress(other.address) != leader
    }
  }
}

/// Asks nodes which cluster they belong to, all at the same time, while the leader is being searched.
///
/// After a mistake of an operator, the nodes in an address can belong to two clusters, each with a leader.
struct MembershipCheck {
  /// How long to wait, after the leader has answered, for nodes that may be down.
  private static let waitPolicy = Duration.milliseconds(200)

  private let nodes: [DqliteConnection]

  /// Starts connecting.
  init(_ addresses: [NodeAddress]) {
    nodes = addresses.compactMap { try? DqliteConnection(starting: $0) }
  }

  /// Compares the answers with the leader's.
  ///
  /// - Parameters:
  ///   - leader: the leader, which has introduced itself.
  ///   - whileWaiting: what to do while the answers are on their way.
  /// - Throws: `SQLiteError` with `.mixedClusters` or what `whileWaiting` throws.
  func compare(with leader: DqliteConnection, whileWaiting: () throws(SQLiteError) -> Void)
    throws(SQLiteError)
  {
    let deadline = ContinuousClock.now + Self.waitPolicy
    func rest() -> Duration { max(.zero, deadline - .now) }
    let asked = nodes.filter { node in
      node.address != leader.address && (try? node.askForIntroduction(within: rest())) != nil
    }
    try whileWaiting()
    guard let cluster = leader.introduction?.cluster else { return }
    for node in asked {
      guard let other = try? node.readIntroduction(within: rest()).cluster, other != cluster else { continue }
      throw .mixedClusters(
        "the node at \(leader.address) is of cluster \(cluster), and the node at \(node.address) of \(other); "
          + "stop the nodes of the one that is not yours")
    }
  }
}

extension SQLiteError {
  /// The nodes of an address belong to different clusters.
  static func mixedClusters(_ message: String) -> SQLiteError {
    SQLiteError(code: .mixedClusters, message: message)
  }
}

extension ResultCode {
  /// The nodes of an address belong to different clusters; trying again doesn't help.
  static let mixedClusters = ResultCode(rawValue: 21 | (0x7f << 8))
}
