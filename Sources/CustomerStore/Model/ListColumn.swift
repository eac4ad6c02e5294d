package import CustomersFormats

/// A column of the list, as `customers list` and a table name it and show it.
public enum ListColumn: Hashable, Sendable {
  /// The customer's id.
  case id
  /// The id of the section and its title.
  case section, sectionTitle
  /// The number in the section and the one in the whole list.
  case order, position
  /// First and last name, otherwise the company.
  case name
  /// A field or an extra column.
  case field(CustomerField)
  /// Whether the customer may be edited and deleted, and moved.
  case canEdit, canMove
  /// All extra columns, as JSON.
  case extra

  /// The columns that a table shows after the name if none were chosen.
  public static let usual: [ListColumn] = [
    .field(.company), .field(.email), .field(.phone), .field(.note),
  ]

  /// The columns of every list, in the order of the view `customers`.
  package static let all: [ListColumn] =
    [.id, .section, .sectionTitle, .order, .position, .name]
    + CustomerField.standard.map(ListColumn.field) + [.canEdit, .canMove, .extra]

  /// The name by which it is chosen.
  public var name: String {
    switch self {
    case .id: "id"
    case .section: "section"
    case .sectionTitle: "section_title"
    case .order: "order"
    case .position: "position"
    case .name: "name"
    case .field(let field): field.column
    case .canEdit: "can_edit"
    case .canMove: "can_move"
    case .extra: "extra"
    }
  }

  /// The name that people see above it.
  public var title: String {
    switch self {
    case .id: "Id"
    case .section: "Section"
    case .sectionTitle: "Section title"
    case .order: "Order"
    case .position: "Row"
    case .name: "Name"
    case .field(let field): field.title
    case .canEdit: "Can edit"
    case .canMove: "Can move"
    case .extra: "Extra"
    }
  }

  /// The value for a program.
  package func value(_ customer: Customer, _ outline: ListOutline) -> JSON {
    switch self {
    case .id: .int(Int(customer.id.rawValue))
    case .section: .int(Int(customer.place.section.rawValue))
    case .sectionTitle: .string(outline.section(customer.place.section)?.title ?? "")
    case .order: .int(customer.place.order)
    case .position: .int(outline.position(of: customer.place))
    case .name: .string(customer.name)
    case .field(let field): customer.fields[field].json
    case .canEdit: .bool(customer.canEdit)
    case .canMove: .bool(customer.canMove)
    case .extra: .raw(customer.fields.extra)
    }
  }

  /// The value for people, and whether it is a number.
  ///
  /// Of several e-mail addresses, phone numbers, and postal addresses it is the main one, and how many others there
  /// are: `lizzy@longbourn.example +1`.
  package func cell(_ customer: Customer, _ outline: ListOutline) -> (text: String, isNumber: Bool) {
    if case .field(let field) = self, field.contactKind != nil {
      let values = customer.fields.values(of: field)
      return ((values.first ?? "") + (values.count > 1 ? " +\(values.count - 1)" : ""), false)
    }
    if case .field(let field) = self, field.kind == .lines {
      return (customer.fields.values(of: field).joined(separator: ", "), false)
    }
    return switch value(customer, outline) {
    case .int(let number): (String(number), true)
    case .bool(let flag): (flag ? "yes" : "no", false)
    case .raw(let text): (text, Double(text) != nil)
    case .string(let text): (text, false)
    case let value: (value.text, false)
    }
  }
}
