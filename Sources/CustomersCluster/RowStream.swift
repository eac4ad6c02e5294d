internal import CustomersSQLite

/// The rows of a query, which arrive in parts.
///
/// All parts must be read before the next request.
final class RowStream: RemoteRows {
  private weak var connection: DqliteConnection?
  private var batches: ArraySlice<RemoteBatch> = []
  /// Whether more parts follow.
  private var isOpen = true

  init(_ first: AnswerReader, _ connection: DqliteConnection) throws(SQLiteError) {
    self.connection = connection
    try take(first)
  }

  /// The rows, if they all arrived in one part.
  var onlyBatch: RemoteBatch? { isOpen ? nil : batches.first }

  func next() throws(SQLiteError) -> RemoteBatch? {
    while batches.isEmpty, isOpen { try readPart() }
    return batches.popFirst()
  }

  /// Reads the remaining parts, so that the connection can be used for another request.
  func readAll() throws(SQLiteError) {
    while isOpen { try readPart() }
  }

  func discard() {
    batches = []
    while isOpen, (try? readPart()) != nil { batches = [] }
  }

  private func readPart() throws(SQLiteError) {
    do throws(SQLiteError) {
      guard let connection else { throw .unreachable("the connection was lost") }
      try take(connection.answer(.rows))
    } catch {
      isOpen = false
      throw error
    }
  }

  private func take(_ part: AnswerReader) throws(SQLiteError) {
    let (batch, isLast) = try RemoteBatch.decode(part)
    batches.append(batch)
    isOpen = !isLast
  }
}

extension RemoteBatch {
  /// The marks after the last row of a part: more parts follow, or this was the last one.
  private static let moreFollow: UInt64 = 0xeeee_eeee_eeee_eeee
  private static let thatIsAll: UInt64 = 0xffff_ffff_ffff_ffff

  /// Decodes a part: the number of columns, their names, and rows.
  static func decode(_ part: AnswerReader) throws(SQLiteError) -> (batch: RemoteBatch, isLast: Bool) {
    var part = part
    let columns = try part.word()
    // SQLite has at most 2,000.
    guard (1...2000).contains(columns) else { throw .malformedAnswer }
    for _ in 0..<columns { _ = try part.text() }
    var cells: [Cell] = []
    while true {
      var row = part
      let mark = try row.word()
      guard mark != moreFollow, mark != thatIsAll else {
        return (
          RemoteBatch(bytes: part.bytes, columnCount: Int(columns), cells: cells), mark == thatIsAll
        )
      }
      try decodeRow(&part, Int(columns), &cells)
    }
  }

  /// Decodes a row: the types of its values, four bits each, and the values.
  private static func decodeRow(_ part: inout AnswerReader, _ columns: Int, _ cells: inout [Cell])
    throws(SQLiteError)
  {
    let kinds = part.position
    try part.skip((columns + 1) / 2)
    for column in 0..<columns {
      let kind = part.bytes[kinds + column / 2] >> (column % 2 == 0 ? 0 : 4) & 0xf
      switch WireType(rawValue: kind) {
      case .integer, .unixTime, .boolean: cells.append(.integer(Int64(bitPattern: try part.word())))
      case .real: cells.append(.real(Double(bitPattern: try part.word())))
      case .text, .date: cells.append(.text(try part.text()))
      case .blob: cells.append(.blob(try part.blob()))
      case .null:
        _ = try part.word()
        cells.append(.null)
      case nil: throw .malformedAnswer
      }
    }
  }
}

/// The statements that a node has prepared for a connection.
///
/// A statement is prepared at its fifth use; earlier, the extra round trip would cost more than it saves.
struct PreparedStatements {
  private static let most = 64

  private var uses: [String: Int] = [:]
  private var statements: [String: UInt32] = [:]

  /// The number of a prepared statement; nil if the statement should be sent as text.
  mutating func find(_ sql: String, _ connection: DqliteConnection) throws(SQLiteError) -> UInt32? {
    if let known = statements[sql] { return known }
    guard statements.count < Self.most, uses.count < 1000 else { return nil }
    uses[sql, default: 0] += 1
    guard uses[sql] == 5, !sql.contains(";") else { return nil }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }
}
