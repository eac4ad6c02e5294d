internal import CustomerStore
internal import CustomersFormats

extension ListColumn {
  /// Whether a name means one of those of every list, or the row, so that no extra column can have it.
  static func isNamed(_ name: String) -> Bool {
    Name(name).best(of: all.map(\.name) + ["row"], by: { [$0] }) != nil
  }
}

extension JSON {
  /// The value in a format without types, such as CSV.
  var plain: String {
    switch self {
    case .string(let text), .raw(let text): text
    case .bool(let flag): flag ? "1" : "0"
    case .int, .array, .object: text
    }
  }
}

/// A customer in output for programs.
enum OutputRecord {
  static func json(
    _ customer: Customer, _ outline: ListOutline, _ columns: [ListColumn] = ListColumn.all
  ) -> JSON {
    .object(columns.map { ($0.name, $0.value(customer, outline)) })
  }
}
