package import CustomersFormats

/// A section in a file, without its customers.
package struct SectionHeading: Equatable, Sendable {
  package let title: String
  package let footer: String

  private static let columns = ["section", "footer"]

  package init(title: String, footer: String) { (self.title, self.footer) = (title, footer) }

  /// The section that a record describes; nil if it describes a customer.
  init?(_ record: Record) {
    guard record.columns == SectionHeading.columns else { return nil }
    self.init(title: record.values[0].plain, footer: record.values[1].plain)
  }

  package var json: JSON { .object([("section", .string(title)), ("footer", .string(footer))]) }
}
