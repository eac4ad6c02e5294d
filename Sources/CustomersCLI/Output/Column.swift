internal import CustomerStore
internal import Formats

/// A column of the list in output for programs: one of the view `customers`, the position in the whole list,
/// or the name.
struct Column: Sendable {
  let name: String
  let value: @Sendable (Customer, Outline) -> JSON

  /// The customer's id and place.
  private static let place: [Column] = [
    Column(name: "id") { customer, _ in .int(Int(customer.id.rawValue)) },
    Column(name: "section") { customer, _ in .int(Int(customer.place.section.rawValue)) },
    Column(name: "section_title") { customer, outline in
      .string(outline.section(customer.place.section)?.title ?? "")
    },
    Column(name: "order") { customer, _ in .int(customer.place.order) },
    Column(name: "position") { customer, outline in .int(outline.position(of: customer.place)) },
  ]

  /// The fields.
  private static let written: [Column] =
    [Column(name: "name") { customer, _ in .string(customer.name) }]
    + CustomerField.standard.map { field in
      Column(name: field.column) { customer, _ in customer.fields[field].json }
    } + [
      Column(name: "can_edit") { customer, _ in .bool(customer.canEdit) },
      Column(name: "can_move") { customer, _ in .bool(customer.canMove) },
      Column(name: "extra") { customer, _ in .raw(customer.fields.extra) },
    ]

  static let all = place + written

  /// The columns of `--fields`, in the order given: standard or extra columns.
  ///
  /// - Throws: a `Failure` with code `usage` for an unknown or repeated name.
  static func parse(_ names: String, in list: borrowing CustomerList) throws -> [Column] {
    try list.named(names, by: "--fields") { name in
      let key = CustomerField.key(name)
      if let column = all.first(where: { CustomerField.key($0.name) == key }) { return column }
      return try list.field(named: name).map(Column.init)
    }
  }

  private init(_ field: CustomerField) {
    self.init(name: field.column) { customer, _ in customer.fields[field].json }
  }

  private init(name: String, value: @escaping @Sendable (Customer, Outline) -> JSON) {
    (self.name, self.value) = (name, value)
  }
}

extension Column: Equatable {
  /// Whether both have the same name, which identifies a column.
  static func == (left: Column, right: Column) -> Bool { left.name == right.name }
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
