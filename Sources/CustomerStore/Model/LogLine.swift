/// A line of the log of a customer: what was said or done.
package struct LogLine: Hashable, Identifiable, Codable, Sendable {
  /// The permanent id.
  package var id: LogLineID
  /// The customer.
  package var customer: CustomerID
  /// When, in UTC, such as `2026-11-21T09:30:00.123Z`.
  package var time: String
  /// The login name of the user who wrote it; empty if unknown.
  package var author: String
  /// What was said or done.
  package var text: String

  /// Creates a line for a preview or a test; to get those of a customer, read the log.
  package init(id: LogLineID, customer: CustomerID, time: String, author: String = "", text: String) {
    self.id = id
    self.customer = customer
    self.time = time
    self.author = author
    self.text = text
  }
}

/// The permanent id of a line: a random number, which it has in every copy of the list.
package struct LogLineID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number in the column `uid`.
  package var rawValue: Int64

  /// Creates an id from a number; no line needs to have it.
  package init(rawValue: Int64) { self.rawValue = rawValue }
}
