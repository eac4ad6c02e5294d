/// A rule about the rows of the internal tables, and the query that finds violations.
struct IntegrityRule: Sendable {
  /// The message for a violation.
  let message: String
  /// Returns section, order and customer of every such row.
  let sql: String

  init(_ message: String, _ sql: String) {
    (self.message, self.sql) = (message, sql)
  }

  static let all = ofOrder + ofCustomers
}
