internal import CustomersSQLite

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
