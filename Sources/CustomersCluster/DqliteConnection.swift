public import CustomersSQLite

/// A connection to a node, which handles one request at a time.
public final class DqliteConnection {
  /// The node at the other end.
  public let address: NodeAddress
  /// The number of round trips.
  public private(set) var roundTrips = 0
  /// Whether to keep waiting for an answer; called every second with how long the node has been silent.
  var shouldContinue: (_ quiet: Duration) -> Bool = { $0 < longestSilence }
  /// What the node said when the leader was searched.
  var introduction: NodeIntroduction?
  private let socket: Socket
  /// The protocol version, until it is sent together with the first request.
  private var greeting: [UInt8]
  /// Rows of which some may not have arrived yet.
  private var open: RowStream?

  /// How long a node may be silent during an answer.
  static let longestSilence = Duration.seconds(60)
  /// The maximum number of words in an answer: one batch of rows, one of which may hold 16 MB of text.
  private static let mostWords: UInt64 = 8 << 20

  /// Connects to a node.
  public convenience init(_ address: NodeAddress) throws(SQLiteError) {
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
    try open?.readAll()
    open = nil
    try socket.send(greeting + requests.flatMap(\.bytes))
    greeting = []
    roundTrips += 1
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
    open = stream
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
