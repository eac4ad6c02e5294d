/// A rule about the rows of the internal tables and the query that finds violations.
struct IntegrityRule: Sendable {
  /// The message for a violation.
  let message: String
  /// Returns section, order, and customer of every such row.
  let sql: String

  init(_ message: String, _ sql: String) {
    (self.message, self.sql) = (message, sql)
  }

  /// The rules to apply, in their order.
  static func all(placesAreSound: Bool) -> [IntegrityRule] {
    ofOrder + (placesAreSound ? [] : ofPlaces) + ofCustomers
  }
}

/// A problem found in a file.
public struct ListViolation: Hashable, Sendable {
  /// The problem, without people's data.
  public var message: String
  /// The section, if any.
  public var section: SectionID?
  /// The number of the row in the file, if any.
  public var order: Int?
  /// The customer, if any.
  public var customer: CustomerID?
}
