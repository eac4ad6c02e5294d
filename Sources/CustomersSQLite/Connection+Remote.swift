extension Connection {
  /// Whether the database is reached over a network, and so has no `localFile`.
  public var isRemote: Bool { remote != nil }

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
