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
      object("add", [id(customer), place("to", to)] + (try fields(customer)))
    case .delete(let customer, let from): object("delete", [id(customer), place("from", from)])
    case .move(let customer, let from, let to):
      object("move", [id(customer), place("from", from), place("to", to)])
    case .update(let customer, _): object("edit", [id(customer)] + (try fields(customer)))
    case .insertMany(let first, let count, let to):
      object("add", [("first_id", .int(Int(first.rawValue))), ("count", .int(count)), place("to", to)])
    case .deleteMany(let first, let count, let from):
      object(
        "delete", [("first_id", .int(Int(first.rawValue))), ("count", .int(count)), place("from", from)])
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
        "section add",
        [id(section), ("to", .int(to))]
          + ((try? list.section(section)).map { [("title", .string($0.title))] } ?? []))
    case .deleteSection(let section, let from): object("section delete", [id(section), ("from", .int(from))])
    case .moveSection(let section, let from, let to):
      object("section move", [id(section), ("from", .int(from)), ("to", .int(to))])
    case .column(let from, let to):
      object(
        "column",
        [from.map { ("from", JSON.string($0)) }, to.map { ("to", JSON.string($0)) }].compactMap { $0 })
    case .updateSection(let section):
      object(
        "section rename",
        [id(section)]
          + ((try? list.section(section)).map {
            [("title", .string($0.title)), ("footer", .string($0.footer))]
          } ?? []))
    }
  }
}
