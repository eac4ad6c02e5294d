internal import CustomersSQLite

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
  ///
  /// - Returns: the id of the last inserted row.
  func execute(_ request: ClusterRequest) throws(SQLiteError) -> Int64 {
    var body = try ask(request, .result)
    return Int64(bitPattern: try body.word())
  }

  /// Passes this node's files of a database to `write`, piece by piece: the database and its write-ahead
  /// log.
  public func dump(_ database: String, _ write: (_ file: Int, _ piece: [UInt8]) throws -> Void) throws {
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
