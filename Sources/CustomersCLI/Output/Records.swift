internal import Formats
internal import CustomerStore

/// A customer as programs read it: the columns of the view `customers`, its position in the whole list,
/// and its name.
enum Record {
  static func json(_ customer: Customer, _ outline: Outline) -> JSON {
    let place: [(String, JSON)] = [
      ("id", .int(Int(customer.id.rawValue))), ("section", .int(Int(customer.place.section.rawValue))),
      ("order", .int(customer.place.order)), ("position", .int(outline.position(of: customer.place))),
    ]
    return .object(place + fields(customer))
  }

  /// What people wrote down, without the place.
  static func fields(_ customer: Customer) -> [(String, JSON)] {
    [("name", .string(customer.name))]
      + Field.all.map { ($0.column, .string(customer.fields[keyPath: $0.path])) } + [
        ("is_favorite", .bool(customer.fields.isFavorite)), ("can_edit", .bool(customer.canEdit)),
        ("can_move", .bool(customer.canMove)), ("extra", .raw(customer.fields.extra)),
      ]
  }

  static let columns =
    ["id", "section", "order", "position", "name"] + Field.all.map(\.column)
    + ["is_favorite", "can_edit", "can_move", "extra"]

  /// The values of `columns`.
  static func values(_ customer: Customer, _ outline: Outline) -> [String] {
    let flags = [customer.fields.isFavorite, customer.canEdit, customer.canMove]
    return [
      String(customer.id.rawValue), String(customer.place.section.rawValue), String(customer.place.order),
      String(outline.position(of: customer.place)), customer.name,
    ] + Field.all.map { customer.fields[keyPath: $0.path] } + flags.map { $0 ? "1" : "0" } + [
      customer.fields.extra
    ]
  }
}

extension Move {
  /// The customer's name and its old and new position, for a program.
  func json(_ name: String, _ before: Outline, _ after: Outline) -> JSON {
    .object([
      ("id", .int(Int(id.rawValue))), ("name", .string(name)),
      ("from", .int(before.position(of: from))), ("to", .int(after.position(of: to))),
      ("section", .int(Int(to.section.rawValue))),
    ])
  }
}
