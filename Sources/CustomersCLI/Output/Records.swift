internal import Formats
internal import CustomerStore

/// A customer in output for programs.
enum Record {
  static func json(
    _ customer: Customer, _ outline: Outline, _ columns: [Column] = Column.all
  ) -> JSON {
    .object(columns.map { ($0.name, $0.value(customer, outline)) })
  }
}
