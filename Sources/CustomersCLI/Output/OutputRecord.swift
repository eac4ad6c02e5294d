internal import CustomersFormats
internal import CustomerStore

/// A customer in output for programs.
enum OutputRecord {
  static func json(
    _ customer: Customer, _ outline: ListOutline, _ columns: [OutputColumn] = OutputColumn.all
  ) -> JSON {
    .object(columns.map { ($0.name, $0.value(customer, outline)) })
  }
}
