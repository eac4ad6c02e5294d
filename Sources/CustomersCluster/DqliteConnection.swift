package import CustomersSQLite

/// A connection to a node, which handles one request at a time.
package final class DqliteConnection {
  /// The node at the other end.
  package let address: NodeAddress
  /// Whether to keep waiting for an answer; called every second with how long the node has been silent.
  var shouldContinue: (_ quiet: Duration) -> Bool = { $0 < longestSilence }
  /// What the node said when the leader was searched.
  var introduction: NodeIntroduction?
  private let socket: Socket
  /// The protocol version, until it is sent together with the first request.
  private var greeting: [UInt8]
  /// Rows of which some may not have arrived yet.
  private var current: RowStream?

  /// How long a node may be silent during an answer.
  static let longestSilence = Duration.seconds(60)
  /// The maximum number of words in an answer: one batch of rows, one of which may hold 16 MB of text.
  private static let mostWords: UInt64 = 8 << 20

  /// Connects to a node.
  package convenience init(_ address: NodeAddress) throws(SQLiteError) {
    try self.init(starting: address)
    try finishConnecting(within: Socket.shortTimeout)
  }

  /// Starts to connect to a node; `finishConnecting` waits until that is done.
  init(starting address: NodeAddress) throws(SQLiteError) {
    self.address = address
    socket = try Socket(starting: address)
    var version = WordWriter()
    version.write(ClusterRequest.protocolVersion)
    greeting = version.bytes
  }

  /// Makes requests fail if the node does not answer within a second.
  package func waitsBriefly() { shouldContinue = { _ in false } }

  /// Waits until the connection is made.
  func finishConnecting(within timeout: Duration) throws(SQLiteError) {
    try socket.finishConnecting(within: timeout)
  }

  /// Waits until the node begins to answer.
  func expectAnswer(within timeout: Duration) throws(SQLiteError) {
    try socket.expectBytes(within: timeout)
  }

  /// A connected socket on which nothing has been sent yet; the caller closes it.
  package static func connectedSocket(_ address: NodeAddress) throws(SQLiteError) -> Int32 {
    let socket = try Socket(starting: address)
    try socket.finishConnecting(within: Socket.shortTimeout)
    return socket.release()
  }

  /// Sends requests, whose answers arrive in the same order.
  func send(_ requests: [ClusterRequest]) throws(SQLiteError) {
    try current?.readAll()
    current = nil
    try socket.send(greeting + requests.flatMap(\.bytes))
    greeting = []
  }

  /// Sends a request and reads the answer.
  ///
  /// - Throws: the node's error if it rejects the request; `.unreachable` if the connection was lost.
  func ask(_ request: ClusterRequest, _ kind: ClusterAnswer.Kind) throws(SQLiteError) -> AnswerReader {
    try send([request])
    return try answer(kind)
  }

  /// Sends a query.
  func askForRows(_ request: ClusterRequest) throws(SQLiteError) -> RowStream {
    let stream = try RowStream(ask(request, .rows), self)
    current = stream
    return stream
  }

  /// Reads the next answer or part of one.
  func answer(_ kind: ClusterAnswer.Kind) throws(SQLiteError) -> AnswerReader {
    var header = AnswerReader(try socket.receive(8, while: shouldContinue))
    let word = try header.word()
    let found = UInt8(truncatingIfNeeded: word >> 32)
    let words = word & 0xffff_ffff
    guard words <= (found == ClusterAnswer.Kind.files.rawValue ? .max : Self.mostWords) else {
      throw .malformedAnswer
    }
    if found == ClusterAnswer.Kind.files.rawValue, kind == .files { return AnswerReader([]) }
    var body = AnswerReader(try socket.receive(Int(words) * 8, while: shouldContinue))
    if found == ClusterAnswer.Kind.failure.rawValue { throw try ClusterAnswer.failure(&body) }
    guard found == kind.rawValue else { throw .malformedAnswer }
    return body
  }

  /// Reads bytes of an answer that arrives in pieces.
  func receive(_ count: Int) throws(SQLiteError) -> [UInt8] {
    try socket.receive(count, while: shouldContinue)
  }
}

/// The kinds of answers.
enum ClusterAnswer {
  enum Kind: UInt8 {
    case failure = 0
    case node = 1
    case nodes = 3
    case database = 4
    case statement = 5
    case result = 6
    case rows = 7
    case empty = 8
    case files = 9
    case metadata = 10
  }

  /// Reads the error that the node, or SQLite on it, reports.
  static func failure(_ body: inout AnswerReader) throws(SQLiteError) -> SQLiteError {
    let code = Int32(truncatingIfNeeded: try body.word())
    return SQLiteError(code: ResultCode(rawValue: code), message: String(try body.string().prefix(1000)))
  }
}

/// What a node says about itself when a client connects.
package struct NodeIntroduction: Sendable {
  /// The address of the leader, as far as this node knows; nil if it knows of none.
  package let leader: NodeAddress?
  /// The nodes of the cluster; empty if this one has not joined it yet.
  package let nodes: [ClusterNode]
  /// nil if the node has not joined a cluster yet or runs version 0.1.0.
  package let cluster: ClusterID?
}

extension DqliteConnection {
  /// The cluster of this node; nil if it has not joined one yet or runs version 0.1.0.
  package func clusterID() throws(SQLiteError) -> ClusterID? {
    var body = try ask(.describe, .metadata)
    return ClusterID(try body.word())
  }

  /// Asks for the leader, the nodes, and the cluster, in one round trip.
  @discardableResult
  func introduce() throws(SQLiteError) -> NodeIntroduction {
    try askForIntroduction(within: Socket.shortTimeout)
    return try readIntroduction()
  }

  /// Sends the requests of `introduce`, once the connection is made.
  func askForIntroduction(within timeout: Duration) throws(SQLiteError) {
    try finishConnecting(within: timeout)
    try send([.leader, .cluster, .describe])
  }

  /// Reads the answers to `askForIntroduction`; the node must start to answer within the timeout, if there is one.
  func readIntroduction(within timeout: Duration) throws(SQLiteError) -> NodeIntroduction {
    try expectAnswer(within: timeout)
    return try readIntroduction()
  }

  private func readIntroduction() throws(SQLiteError) -> NodeIntroduction {
    var (leader, nodes, cluster) = (
      try answer(.node), try answer(.nodes), try answer(.metadata)
    )
    let found = NodeIntroduction(
      leader: NodeAddress(try Self.node(&leader).address), nodes: try Self.nodes(&nodes),
      cluster: ClusterID(try cluster.word()))
    introduction = found
    return found
  }
}

/// Requests about databases, for the leader.
extension DqliteConnection {
  /// Opens a database and creates it if necessary; called once per connection.
  func open(database: String) throws(SQLiteError) { _ = try ask(.open(database: database), .database) }

  /// Prepares a statement that will be run repeatedly.
  func prepare(_ sql: String) throws(SQLiteError) -> UInt32 {
    var body = try ask(.prepare(sql: sql), .statement)
    return UInt32(truncatingIfNeeded: try body.word() >> 32)
  }

  /// Runs statements that return no rows.
  func execute(_ request: ClusterRequest) throws(SQLiteError) {
    var body = try ask(request, .result)
    _ = try body.word()
  }

  /// Passes this node's files of a database to `write`, piece by piece: the database and its write-ahead
  /// log.
  package func dump(_ database: String, _ write: (_ file: Int, _ piece: [UInt8]) throws -> Void) throws {
    _ = try ask(.dump(database: database), .files)
    guard try word() == 2 else { throw SQLiteError.malformedAnswer }
    for file in 0..<2 {
      try skipText()
      var rest = try word()
      guard rest.isMultiple(of: 8) else { throw SQLiteError.malformedAnswer }
      while rest > 0 {
        let piece = try receive(Int(min(rest, 1 << 20)))
        rest -= UInt64(piece.count)
        try write(file, piece)
      }
    }
  }

  private func word() throws(SQLiteError) -> UInt64 {
    var reader = AnswerReader(try receive(8))
    return try reader.word()
  }

  private func skipText() throws(SQLiteError) {
    for _ in 0..<64 where try receive(8).contains(0) { return }
    throw .malformedAnswer
  }
}

/// A node of a cluster.
package struct ClusterNode: Hashable, Sendable {
  /// What a node does in the cluster.
  package enum Role: UInt64, Sendable {
    /// Stores the data and votes.
    case voter = 0
    /// Stores the data.
    case standby = 1
    /// Neither stores the data nor votes.
    case spare = 2
  }

  package let id: UInt64
  /// The address the node was added with, normally `host:port`.
  package let address: String
  /// nil if this version does not know the role.
  package let role: Role?
}

/// Requests about the members of the cluster.
extension DqliteConnection {
  /// The leader, as far as this node knows; nil if it knows of none.
  package func leader() throws(SQLiteError) -> (id: UInt64, address: String)? {
    var body = try ask(.leader, .node)
    let leader = try Self.node(&body)
    return leader.address.isEmpty ? nil : leader
  }

  /// Decodes an id and an address, which is empty if there is no such node.
  static func node(_ body: inout AnswerReader) throws(SQLiteError) -> (id: UInt64, address: String) {
    (id: try body.word(), address: try body.string())
  }

  /// All nodes of the cluster.
  package func nodes() throws(SQLiteError) -> [ClusterNode] {
    var body = try ask(.cluster, .nodes)
    return try Self.nodes(&body)
  }

  /// Decodes a list of nodes.
  static func nodes(_ body: inout AnswerReader) throws(SQLiteError) -> [ClusterNode] {
    var nodes: [ClusterNode] = []
    for _ in 0..<min(try body.word(), 1000) {
      nodes.append(
        ClusterNode(id: try body.word(), address: try body.string(), role: .init(rawValue: try body.word())))
    }
    return nodes
  }

  /// Adds a node, which does not vote yet; only the leader can.
  package func add(_ id: UInt64, _ address: NodeAddress) throws(SQLiteError) {
    _ = try ask(.add(id: id, address: address.description), .empty)
  }

  /// Assigns a role to a node; only the leader can.
  package func assign(_ role: ClusterNode.Role, to id: UInt64) throws(SQLiteError) {
    _ = try ask(.assign(id: id, role: role.rawValue), .empty)
  }

  /// Removes a node; only the leader can.
  package func remove(_ id: UInt64) throws(SQLiteError) { _ = try ask(.remove(id: id), .empty) }

  /// Transfers leadership to another node; only the leader can.
  package func transferLead(to id: UInt64) throws(SQLiteError) { _ = try ask(.transfer(id: id), .empty) }
}
