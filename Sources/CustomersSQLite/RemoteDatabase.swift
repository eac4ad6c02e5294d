/// A database of an engine that is reached over a network and understands SQLite's SQL.
package protocol RemoteDatabase: AnyObject {
  /// Runs a statement that returns rows.
  ///
  /// - Throws: the engine's error. After `.busy`, nothing has happened, and the statement can be run again.
  func query(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> any RemoteRows
  /// Runs statements that return no rows; `values` are the parameters of the first one.
  func execute(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError)
  /// Whether a transaction is open.
  var isInTransaction: Bool { get }
  /// The maximum number of parameters of a statement.
  var mostValues: Int { get }
  /// Sets how long the statements that follow try to reach the engine and whether they keep trying.
  func wait(_ timeout: Duration, while shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool)
}

/// The rows of a query, which arrive over a network in batches.
package protocol RemoteRows: AnyObject {
  /// The next batch; nil at the end.
  func next() throws(SQLiteError) -> RemoteBatch?
  /// Discards the rows that have not been read.
  func discard()
}

/// A batch of rows as it arrived over a network: its bytes and the positions of the values in them.
package struct RemoteBatch {
  /// One value.
  package enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    /// The range of a UTF-8 text.
    case text(Range<Int>)
    /// The range of a blob.
    case blob(Range<Int>)
  }

  let bytes: [UInt8]
  let columnCount: Int
  /// The values of all rows, row by row.
  let cells: [Cell]

  /// Creates a batch of rows with `columnCount` values each; their ranges must be within `bytes`.
  package init(bytes: [UInt8], columnCount: Int, cells: [Cell]) {
    precondition(columnCount > 0 && cells.count % columnCount == 0, "each row needs a value for every column")
    (self.bytes, self.columnCount, self.cells) = (bytes, columnCount, cells)
  }

  var rowCount: Int { cells.count / columnCount }
}

extension Connection {
  /// Whether the database is reached over a network, and so has no `localFile`.
  package var isRemote: Bool { remote != nil }

  /// Runs a statement for many rows; each round trip sends as many rows as the limit on values allows.
  func executeMany(
    _ sql: String, on remote: any RemoteDatabase, _ bindNext: (borrowing Statement) throws -> Bool
  ) throws -> Int {
    guard let start = sql.lastIndex(of: "(") else { preconditionFailure("no values in \"\(sql)\"") }
    let group = sql[start...]
    var (values, rows, count): ([SQLiteValue], Int, Int) = ([], 0, 0)
    func send() throws {
      guard rows > 0 else { return }
      try execute(sql + String(repeating: ", \(group)", count: rows - 1), values)
      (values, rows) = ([], 0)
    }
    let row = RemoteStatement(sql, remote, self)
    let statement = Statement(row)
    while try bindNext(statement) {
      if values.count + row.values.count > remote.mostValues { try send() }
      values += row.values
      (rows, count) = (rows + 1, count + 1)
    }
    try send()
    return count
  }
}

/// A statement that runs over a network; it is sent, with its values, at the first step.
final class RemoteStatement: StatementBackend {
  let sql: String
  var values: [SQLiteValue] = []
  private let database: any RemoteDatabase
  private let busyHandler: BusyHandler
  private let progressHandler: ProgressHandler
  private var rows: (any RemoteRows)?
  private var batch: RemoteBatch?
  private var row = 0
  private var hasRun = false

  init(_ sql: String, _ database: any RemoteDatabase, _ connection: Connection) {
    (self.sql, self.database) = (sql, database)
    (busyHandler, progressHandler) = (connection.busyHandler, connection.progressHandler)
  }

  func step() throws(SQLiteError) -> Bool {
    if !hasRun {
      hasRun = true
      try progressHandler.check()
      try run()
    }
    row += 1
    while let rows, row >= batch?.rowCount ?? 0 {
      try progressHandler.check()
      (batch, row) = (try rows.next(), 0)
      if batch == nil { self.rows = nil }
    }
    return batch != nil
  }

  private func run() throws(SQLiteError) {
    try busyHandler.repeatWhileBusy { () throws(SQLiteError) in
      if SQLText.returnsRows(sql) {
        rows = try database.query(sql, values)
      } else {
        try database.execute(sql, values)
      }
    }
  }

  func bind(_ values: [SQLiteValue]) { self.values = values }

  func bind(_ value: SQLiteValue, at index: Int32) {
    while values.count < Int(index) { values.append(.null) }
    values[Int(index) - 1] = value
  }

  func rewind() {
    rows?.discard()
    (rows, batch, row, hasRun) = (nil, nil, 0, false)
  }

  func reset() {
    rewind()
    values = []
  }

  /// A value of the current row; `NULL` if there is none, as in SQLite.
  private func cell(_ index: Int32) -> RemoteBatch.Cell {
    guard let batch, index >= 0, index < batch.columnCount, row < batch.rowCount else { return .null }
    return batch.cells[row * batch.columnCount + Int(index)]
  }

  func isNull(_ index: Int32) -> Bool {
    if case .null = cell(index) { true } else { false }
  }

  var columnCount: Int32 { Int32(batch?.columnCount ?? 0) }

  func isInteger(_ index: Int32) -> Bool {
    if case .integer = cell(index) { true } else { false }
  }

  func isText(_ index: Int32) -> Bool {
    guard case .text(let range) = cell(index), range.count <= Statement.longestText, let batch else {
      return false
    }
    return String(validating: batch.bytes[range], as: UTF8.self) != nil
  }

  func integer(_ index: Int32) -> Int64 {
    switch cell(index) {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    case .text, .blob: Int64(text(index).prefix { $0.isNumber || $0 == "-" }) ?? 0
    case .null: 0
    }
  }

  func text(_ index: Int32) -> String {
    switch cell(index) {
    case .text(let range), .blob(let range):
      guard let batch else { return "" }
      guard range.count <= Statement.longestText else {
        return String(decoding: batch.bytes[range].prefix(1000), as: UTF8.self) + "… (\(range.count) bytes)"
      }
      return String(decoding: batch.bytes[range], as: UTF8.self)
    case .integer(let number): return "\(number)"
    case .real(let number): return "\(number)"
    case .null: return ""
    }
  }
}
