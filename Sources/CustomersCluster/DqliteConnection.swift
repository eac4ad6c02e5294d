public import CustomersSQLite

/// A connection to a node, which handles one request at a time.
public final class DqliteConnection {
  /// The node at the other end.
  public let address: NodeAddress
  /// The number of round trips.
  public private(set) var roundTrips = 0
  /// Whether to keep waiting for an answer; called every second with how long the node has been silent.
  var goesOn: (_ quiet: Duration) -> Bool = { $0 < longestSilence }
  private let socket: Socket
  /// Rows of which some may not have arrived yet.
  private var open: RowStream?

  /// How long a node may be silent during an answer.
  static let longestSilence = Duration.seconds(60)
  /// The maximum number of words in an answer: one batch of rows, one of which may hold 16 MB of text.
  private static let mostWords: UInt64 = 8 << 20

  /// Connects to a node and sends the protocol version.
  public init(_ address: NodeAddress) throws(SQLiteError) {
    self.address = address
    socket = try Socket(address)
    var version = WordWriter()
    version.write(ClusterRequest.protocolVersion)
    try socket.send(version.bytes)
  }

  /// Sends a request and reads the answer.
  ///
  /// - Throws: the node's error if it rejects the request; `.unreachable` if the connection was lost.
  func ask(_ request: ClusterRequest, _ kind: ClusterAnswer.Kind) throws(SQLiteError) -> AnswerReader {
    try open?.readAll()
    open = nil
    try socket.send(request.bytes)
    roundTrips += 1
    return try answer(kind)
  }

  /// Sends a query.
  func askForRows(_ request: ClusterRequest) throws(SQLiteError) -> RowStream {
    let stream = try RowStream(ask(request, .rows), self)
    open = stream
    return stream
  }

  /// Reads the next answer, or part of one.
  func answer(_ kind: ClusterAnswer.Kind) throws(SQLiteError) -> AnswerReader {
    var header = AnswerReader(try socket.receive(8, while: goesOn))
    let word = try header.word()
    let found = UInt8(truncatingIfNeeded: word >> 32)
    let words = word & 0xffff_ffff
    guard words <= (found == ClusterAnswer.Kind.files.rawValue ? .max : Self.mostWords) else {
      throw .malformedAnswer
    }
    if found == ClusterAnswer.Kind.files.rawValue, kind == .files { return AnswerReader([]) }
    var body = AnswerReader(try socket.receive(Int(words) * 8, while: goesOn))
    if found == ClusterAnswer.Kind.failure.rawValue { throw try ClusterAnswer.failure(&body) }
    guard found == kind.rawValue else { throw .malformedAnswer }
    return body
  }

  /// Reads bytes of an answer that arrives in pieces.
  func receive(_ count: Int) throws(SQLiteError) -> [UInt8] { try socket.receive(count, while: goesOn) }
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
  }

  /// Reads the error that the node, or SQLite on it, reports.
  static func failure(_ body: inout AnswerReader) throws(SQLiteError) -> SQLiteError {
    let code = Int32(truncatingIfNeeded: try body.word())
    return SQLiteError(code: ResultCode(rawValue: code), message: String(try body.string().prefix(1000)))
  }
}
