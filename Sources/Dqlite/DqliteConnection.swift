public import SQLite

/// One connection to a node: a question, its answer, and then the next question.
public final class DqliteConnection {
  /// The node at the other end.
  public let address: NodeAddress
  /// How many questions were answered.
  public private(set) var roundTrips = 0
  /// Whether to go on waiting for an answer; asked each second, with how long the node has been quiet.
  var goesOn: (_ quiet: Duration) -> Bool = { $0 < longestSilence }
  private let socket: Socket
  /// The rows that are still to come.
  private var open: RowStream?

  /// How long the answer to one question may take.
  static let longestSilence = Duration.seconds(60)
  /// The most words of an answer: the rows of a page, of which one may have texts of 16 MB.
  private static let mostWords: UInt64 = 8 << 20

  /// Connects to a node and says which version of the protocol is meant.
  public init(_ address: NodeAddress) throws(SQLiteError) {
    self.address = address
    socket = try Socket(address)
    var version = WordWriter()
    version.write(Request.protocolVersion)
    try socket.send(version.bytes)
  }

  /// Asks, and reads the answer.
  ///
  /// - Throws: what the node says if it refuses; `.unreachable` if there is no connection any more.
  func ask(_ request: Request, _ kind: Answer.Kind) throws(SQLiteError) -> WordReader {
    try open?.readAll()
    open = nil
    try socket.send(request.bytes)
    roundTrips += 1
    return try answer(kind)
  }

  /// Asks for rows.
  func askForRows(_ request: Request) throws(SQLiteError) -> RowStream {
    let stream = try RowStream(ask(request, .rows), self)
    open = stream
    return stream
  }

  /// Reads the next answer, or part of one.
  func answer(_ kind: Answer.Kind) throws(SQLiteError) -> WordReader {
    var header = WordReader(try socket.receive(8, while: goesOn))
    let word = try header.word()
    let found = UInt8(truncatingIfNeeded: word >> 32)
    let words = word & 0xffff_ffff
    guard words <= (found == Answer.Kind.files.rawValue ? .max : Self.mostWords) else {
      throw .malformedAnswer
    }
    if found == Answer.Kind.files.rawValue, kind == .files { return WordReader([]) }
    var body = WordReader(try socket.receive(Int(words) * 8, while: goesOn))
    if found == Answer.Kind.failure.rawValue { throw try Answer.failure(&body) }
    guard found == kind.rawValue else { throw .malformedAnswer }
    return body
  }

  /// Some bytes of an answer that is read piece by piece.
  func receive(_ count: Int) throws(SQLiteError) -> [UInt8] { try socket.receive(count, while: goesOn) }
}

/// What a node answers.
enum Answer {
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

  /// What SQLite on the node, or the node itself, says is wrong.
  static func failure(_ body: inout WordReader) throws(SQLiteError) -> SQLiteError {
    let code = Int32(truncatingIfNeeded: try body.word())
    return SQLiteError(code: ResultCode(rawValue: code), message: String(try body.string().prefix(1000)))
  }
}
