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
