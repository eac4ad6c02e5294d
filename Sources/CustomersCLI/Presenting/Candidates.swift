internal import CustomerStore
internal import CustomersFormats

/// Rows or sections that a user may have meant.
enum Candidates {
  private static let shape = JSONShape<(id: Int64, name: String, number: Int)>(
    "candidate", "A row or section that may have been meant.",
    [
      .always("id", .number, "its id") { .int(Int($0.id)) },
      .always("name", .text, "the customer's name or the section's title") { .string($0.name) },
      .always("position", .number, "its number in the whole list or among the sections") { .int($0.number) },
    ])

  static var type: JSONObjectType { shape.type }

  static func json(_ match: SelectionError.Match) -> JSON {
    shape.json((match.id.rawValue, match.name, match.position))
  }

  static func json(_ section: CustomerSection) -> JSON {
    shape.json((section.id.rawValue, section.title, section.order))
  }
}
