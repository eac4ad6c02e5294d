internal import CustomerStore
internal import Formats

/// A column of the list as programs read it: one of the view `customers`, the position in the whole
/// list, or the name.
struct Column: Sendable {
  let name: String
  let value: @Sendable (Customer, Outline) -> JSON

  /// Who the customer is and where it stands.
  private static let place: [Column] = [
    Column(name: "id") { customer, _ in .int(Int(customer.id.rawValue)) },
    Column(name: "section") { customer, _ in .int(Int(customer.place.section.rawValue)) },
    Column(name: "section_title") { customer, outline in
      .string(outline.section(customer.place.section)?.title ?? "")
    },
    Column(name: "order") { customer, _ in .int(customer.place.order) },
    Column(name: "position") { customer, outline in .int(outline.position(of: customer.place)) },
  ]

  /// What people wrote down.
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

  /// The columns of `--fields`, in the order named: of every customer, or extra columns of the list.
  ///
  /// - Throws: a `Failure` with code `usage` for a name that is no column, or is there twice.
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
  /// Whether both have the same name, as no two columns have.
  static func == (left: Column, right: Column) -> Bool { left.name == right.name }
}

extension JSON {
  /// The value where there are no types, as in CSV.
  var plain: String {
    switch self {
    case .string(let text), .raw(let text): text
    case .bool(let flag): flag ? "1" : "0"
    case .int, .array, .object: text
    }
  }
}
