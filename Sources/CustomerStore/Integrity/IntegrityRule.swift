/// A rule about the rows of the inner tables, and the query that finds what breaks it.
struct IntegrityRule: Sendable {
  /// What is wrong where the rule is broken.
  let message: String
  /// Returns section, order and customer of every such row.
  let sql: String

  init(_ message: String, _ sql: String) {
    (self.message, self.sql) = (message, sql)
  }

  static let all = ofOrder + ofCustomers
}
