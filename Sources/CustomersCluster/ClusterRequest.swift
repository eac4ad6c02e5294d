internal import CustomersSQLite
internal import CustomersSystem

/// A request to a node.
///
/// Numbers are little-endian, and every value fills whole words of 8 bytes (https://dqlite.io/docs/protocol).
enum ClusterRequest {
  case leader
  case open(database: String)
  case prepare(sql: String)
  case executePrepared(statement: UInt32, [SQLiteValue])
  case queryPrepared(statement: UInt32, [SQLiteValue])
  case execute(sql: String, [SQLiteValue])
  case query(sql: String, [SQLiteValue])
  case add(id: UInt64, address: String)
  case assign(id: UInt64, role: UInt64)
  case remove(id: UInt64)
  case dump(database: String)
  case cluster
  case transfer(id: UInt64)
  case describe

  /// The protocol version, which a client sends first.
  static let protocolVersion: UInt64 = 1
  /// The maximum number of values; their count is a single byte.
  static let mostValues = 255

  /// The whole message: the number of words that follow, the kind of request, and the words.
  var bytes: [UInt8] {
    var body = WordWriter()
    switch self {
    case .leader: body.write(0)
    case .open(let database):
      body.write(database)
      body.write(0)
      body.write("")
    case .prepare(let sql):
      body.write(0)
      body.write(sql)
    case .executePrepared(let statement, let values), .queryPrepared(let statement, let values):
      body.write(UInt64(statement) << 32)
      body.write(values)
    case .execute(let sql, let values), .query(let sql, let values):
      body.write(0)
      body.write(sql)
      body.write(values)
    case .add(let id, let address):
      body.write(id)
      body.write(address)
    case .assign(let id, let role):
      body.write(id)
      body.write(role)
    case .remove(let id), .transfer(let id): body.write(id)
    case .dump(let database): body.write(database)
    case .cluster: body.write(1)
    case .describe: body.write(0)
    }
    var message = WordWriter()
    message.write(UInt64(body.bytes.count / 8) | UInt64(kind) << 32)
    return message.bytes + body.bytes
  }

  private var kind: UInt8 {
    switch self {
    case .leader: 0
    case .open: 3
    case .prepare: 4
    case .executePrepared: 5
    case .queryPrepared: 6
    case .execute: 8
    case .query: 9
    case .add: 12
    case .assign: 13
    case .remove: 14
    case .dump: 15
    case .cluster: 16
    case .transfer: 17
    case .describe: 18
    }
  }
}

/// Writes whole words.
struct WordWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  /// Writes text, which must not contain a zero byte, and a terminating one.
  mutating func write(_ text: String) {
    bytes += text.utf8
    bytes.append(0)
    pad()
  }

  /// Writes the number of values, their types, and the values; nothing if there are none.
  mutating func write(_ values: [SQLiteValue]) {
    guard !values.isEmpty else { return }
    bytes.append(UInt8(values.count))
    for value in values {
      switch value {
      case .integer: bytes.append(WireType.integer.rawValue)
      case .text: bytes.append(WireType.text.rawValue)
      case .null: bytes.append(WireType.null.rawValue)
      }
    }
    pad()
    for value in values {
      switch value {
      case .integer(let number): write(UInt64(bitPattern: number))
      case .text(let text): write(text)
      case .null: write(0)
      }
    }
  }

  private mutating func pad() { bytes += repeatElement(0, count: -bytes.count & 7) }
}

/// The types of values on the wire.
enum WireType: UInt8 {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5
  /// The types of columns that are declared as dates or booleans.
  case unixTime = 9
  case date = 10
  case boolean = 11
}

/// Reads the words of an answer, which may be malformed.
@safe struct AnswerReader {
  let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func word() throws(SQLiteError) -> UInt64 {
    guard bytes.count - position >= 8 else { throw .malformedAnswer }
    defer { position += 8 }
    return unsafe UInt64(
      littleEndian: bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      })
  }

  /// Reads text and returns its range without the terminating zero byte.
  mutating func text() throws(SQLiteError) -> Range<Int> {
    let start = position
    let length = unsafe bytes.withUnsafeBytes { bytes -> Int? in
      guard start < bytes.count, let base = bytes.baseAddress,
        let end = unsafe memchr(base + start, 0, bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(end) - (base + start)
    }
    guard let length else { throw .malformedAnswer }
    return try range(length, ending: 1)
  }

  /// Reads a blob, which its length precedes, and returns its range.
  mutating func blob() throws(SQLiteError) -> Range<Int> {
    let length = try word()
    guard length <= UInt64(bytes.count) else { throw .malformedAnswer }
    return try range(Int(length), ending: 0)
  }

  /// Skips bytes, up to the next whole word.
  mutating func skip(_ count: Int) throws(SQLiteError) { _ = try range(count, ending: 0) }

  private mutating func range(_ length: Int, ending: Int) throws(SQLiteError) -> Range<Int> {
    let padded = (length + ending + 7) & ~7
    guard bytes.count - position >= padded else { throw .malformedAnswer }
    defer { position += padded }
    return position..<position + length
  }

  mutating func string() throws(SQLiteError) -> String { String(decoding: bytes[try text()], as: UTF8.self) }
}

extension SQLiteError {
  /// A node sent an answer that can't be decoded.
  static let malformedAnswer = SQLiteError(
    code: .unreachable, message: "the node sent a malformed answer")

  /// The error of a connection that can't be made or was lost.
  static func unreachable(_ message: String) -> SQLiteError {
    SQLiteError(code: .unreachable, message: message)
  }
}

/// Results that a transaction has read since its last write; until the next write, they stay valid.
struct KnownAnswers {
  private static let most = 16

  private var answers: [(sql: String, values: [SQLiteValue], rows: RemoteBatch)] = []

  func find(_ sql: String, _ values: [SQLiteValue]) -> (any RemoteRows)? {
    answers.first { $0.sql == sql && $0.values == values }.map { KnownRows($0.rows) }
  }

  mutating func add(_ sql: String, _ values: [SQLiteValue], _ rows: RemoteBatch) {
    if answers.count == Self.most { answers.removeFirst() }
    answers.append((sql, values, rows))
  }
}

/// Rows of a known result.
private final class KnownRows: RemoteRows {
  private var batch: RemoteBatch?

  init(_ batch: RemoteBatch) { self.batch = batch }

  func next() -> RemoteBatch? { batch.take() }

  func discard() { batch = nil }
}
