internal import CustomerStore
internal import CustomersFormats

/// A column of the list in output for programs: one of the view `customers`, the position in the whole list,
/// or the name.
struct OutputColumn: Sendable {
  let name: String
  let value: @Sendable (Customer, ListOutline) -> JSON

  /// The customer's id and place.
  private static let place: [OutputColumn] = [
    OutputColumn(name: "id") { customer, _ in .int(Int(customer.id.rawValue)) },
    OutputColumn(name: "section") { customer, _ in .int(Int(customer.place.section.rawValue)) },
    OutputColumn(name: "section_title") { customer, outline in
      .string(outline.section(customer.place.section)?.title ?? "")
    },
    OutputColumn(name: "order") { customer, _ in .int(customer.place.order) },
    OutputColumn(name: "position") { customer, outline in .int(outline.position(of: customer.place)) },
  ]

  /// The fields.
  private static let written: [OutputColumn] =
    [OutputColumn(name: "name") { customer, _ in .string(customer.name) }]
    + CustomerField.standard.map { field in
      OutputColumn(name: field.column) { customer, _ in customer.fields[field].json }
    } + [
      OutputColumn(name: "can_edit") { customer, _ in .bool(customer.canEdit) },
      OutputColumn(name: "can_move") { customer, _ in .bool(customer.canMove) },
      OutputColumn(name: "extra") { customer, _ in .raw(customer.fields.extra) },
    ]

  static let all = place + written

  /// Those that are no fields.
  private static let own = all.filter { CustomerField(column: $0.name) == nil }
    .map { (name: $0.name, column: $0) }

  /// Whether a name means one of them, or the row, so that no extra column can have it.
  static func isNamed(_ name: String) -> Bool {
    Name(name).best(of: all.map(\.name) + ["row"], by: { [$0] }) != nil
  }

  /// The columns of `--fields`, in the order given: standard or extra columns.
  ///
  /// - Throws: a `Failure` with code `usage` for an unknown or repeated name.
  static func parse(_ names: String, in list: borrowing CustomerList) throws -> [OutputColumn] {
    try list.named(names, by: Listing.fields) { name in
      try list.column(named: name, or: own, OutputColumn.init)
    }
  }

  private init(_ field: CustomerField) {
    self.init(name: field.column) { customer, _ in customer.fields[field].json }
  }

  private init(name: String, value: @escaping @Sendable (Customer, ListOutline) -> JSON) {
    (self.name, self.value) = (name, value)
  }
}

extension OutputColumn: Equatable {
  /// Whether both have the same name, which identifies a column.
  static func == (left: OutputColumn, right: OutputColumn) -> Bool { left.name == right.name }
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
    _ customer: Customer, _ outline: ListOutline, _ columns: [OutputColumn] = OutputColumn.all
  ) -> JSON {
    .object(columns.map { ($0.name, $0.value(customer, outline)) })
  }
}
