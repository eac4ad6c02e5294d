internal import Formats
internal import CustomerStore

/// A customer as programs read it.
enum Record {
  static func json(
    _ customer: Customer, _ outline: Outline, _ columns: [Column] = Column.all
  ) -> JSON {
    .object(columns.map { ($0.name, $0.value(customer, outline)) })
  }

  /// What people wrote down, without the place.
  static func fields(_ customer: Customer) -> [(String, JSON)] {
    let nowhere = Outline([])
    return Column.written.map { ($0.name, $0.value(customer, nowhere)) }
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
