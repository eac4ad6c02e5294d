internal import Formats
internal import CustomerStore

extension ListChange {
  /// The change for a program.
  ///
  /// A customer that has been deleted since has no fields any more.
  func json(_ list: borrowing CustomerList) throws -> JSON {
    func object(_ op: String, _ pairs: [(String, JSON)]) -> JSON { .object([("op", .string(op))] + pairs) }
    func id(_ id: CustomerID) -> (String, JSON) { ("id", .int(Int(id.rawValue))) }
    func id(_ id: SectionID) -> (String, JSON) { ("id", .int(Int(id.rawValue))) }
    func place(_ name: String, _ place: Place) -> (String, JSON) {
      (name, .object([("section", .int(Int(place.section.rawValue))), ("order", .int(place.order))]))
    }
    func fields(_ id: CustomerID) throws -> [(String, JSON)] {
      guard let customer = try? list.customer(id) else { return [] }
      return Record.fields(customer)
    }
    return switch self {
    case .insert(let customer, let to):
      object("insert", [id(customer), place("to", to)] + (try fields(customer)))
    case .delete(let customer, let from): object("delete", [id(customer), place("from", from)])
    case .move(let customer, let from, let to):
      object("move", [id(customer), place("from", from), place("to", to)])
    case .update(let customer, _): object("update", [id(customer)] + (try fields(customer)))
    case .insertMany(let first, let count, let to):
      object("insert_rows", [id(first), ("count", .int(count)), place("to", to)])
    case .deleteMany(let first, let count, let from):
      object("delete_rows", [id(first), ("count", .int(count)), place("from", from)])
    case .arrange(let section, let moves):
      object(
        "arrange",
        [
          ("section", .int(Int(section.rawValue))),
          (
            "moves",
            .array(
              moves.map {
                .object([id($0.id), ("from", .int($0.from.order)), ("to", .int($0.to.order))])
              })
          ),
        ])
    case .insertSection(let section, let to):
      object(
        "insert_section",
        [id(section), ("to", .int(to))]
          + ((try? list.section(section)).map { [("title", .string($0.title))] } ?? []))
    case .deleteSection(let section, let from): object("delete_section", [id(section), ("from", .int(from))])
    case .moveSection(let section, let from, let to):
      object("move_section", [id(section), ("from", .int(from)), ("to", .int(to))])
    case .updateSection(let section):
      object(
        "update_section",
        [id(section)]
          + ((try? list.section(section)).map {
            [("title", .string($0.title)), ("footer", .string($0.footer))]
          } ?? []))
    }
  }
}
