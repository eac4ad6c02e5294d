internal import CustomerStore
internal import CustomersFormats

extension ListColumn {
  /// Whether a name means one of those of every list, or the row, so that no extra column can have it.
  static func isNamed(_ name: String) -> Bool {
    Name(name).best(of: all.map(\.name) + ["row"], by: { [$0] }) != nil
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
