@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport

/// Edits that give rows another place.
extension RandomEditor {
  mutating func move(_ list: inout CustomerList, most: Int) throws -> String {
    let rows = someRows(most)
    guard !rows.isEmpty, let section = anySection() else { return try insert(&list) }
    let ids = Set(rows.map(\.id))
    let staying = model.sections[section].rows.filter { !ids.contains($0.id) }
    let index = generator.below(staying.count + 1)
    let destination = destination(for: index, among: staying)
    let target = SectionID(rawValue: model.sections[section].id)
    let edit = "move \(rows.map(\.id)) to \(destination) in \(target)"
    return try moving(ids, edit, section: section, at: index) {
      try list.move(rows.map { CustomerID(rawValue: $0.id) }, to: destination, in: target)
    }
  }

  mutating func moveBy(_ list: inout CustomerList) throws -> String {
    let rows = someRows(4)
    let ids = Set(rows.map(\.id))
    guard let first = model.rows.first(where: { ids.contains($0.id) }),
      let (section, index) = model.position(of: first.id)
    else { return try insert(&list) }
    let staying = model.sections[section].rows.filter { !ids.contains($0.id) }.count
    let distance = generator.below(9) - 4
    let edit = "move \(rows.map(\.id)) by \(distance)"
    let customers = rows.map { CustomerID(rawValue: $0.id) }
    // A row goes as far as it goes.
    return try moving(ids, edit, section: section, at: max(0, min(index + distance, staying))) {
      try list.move(customers.map { try list.row($0) }, by: distance)
    }
  }

  mutating func swap(_ list: inout CustomerList) throws -> String {
    guard let one = anyRow(), let other = anyRow(), one != other,
      let here = model.position(of: one.id), let there = model.position(of: other.id)
    else { return try insert(&list) }
    let edit = "swap \(one.id) and \(other.id)"
    var after = model
    after.sections[here.section].rows[here.index] = other
    after.sections[there.section].rows[there.index] = one
    return try becoming(after, [one.id, other.id], edit) {
      try list.swap(CustomerID(rawValue: one.id), CustomerID(rawValue: other.id))
    }
  }

  mutating func arrange(_ list: inout CustomerList) throws -> String {
    guard let section = anySection() else { return try insert(&list) }
    var after = model
    after.sections[section].rows.shuffle(using: &generator)
    let rows = after.sections[section].rows
    let moved = Set(zip(rows, model.sections[section].rows).filter { $0 != $1 }.map(\.0.id))
    let id = SectionID(rawValue: after.sections[section].id)
    return try becoming(after, moved, "arrange \(rows.map(\.id))") {
      try list.arrange(rows.map { CustomerID(rawValue: $0.id) }, in: id)
    }
  }

  private mutating func moving(
    _ ids: Set<Int64>, _ edit: String, section: Int, at index: Int, _ body: () throws -> [CustomerMove]
  ) throws -> String {
    var after = model
    after.move(ids, section: section, at: index)
    return try becoming(after, ids, edit, body)
  }

  /// Runs an edit that moves rows, and compares the places that it reports.
  ///
  /// A protected row that goes elsewhere is refused. One that comes back to its place after others
  /// passed it may be refused.
  private mutating func becoming(
    _ after: ListModel, _ ids: Set<Int64>, _ edit: String, _ body: () throws -> [CustomerMove]
  ) throws -> String {
    let fixed = model.rows.filter { ids.contains($0.id) && !$0.canMove }.map(\.id)
    let displaced = fixed.filter { place(of: $0, in: model) != place(of: $0, in: after) }
    do {
      let moves = try body()
      let expected = Set(
        ids.compactMap { id -> CustomerMove? in
          guard let from = place(of: id, in: model), let to = place(of: id, in: after) else { return nil }
          return CustomerMove(id: CustomerID(rawValue: id), from: from, to: to)
        })
      guard Set(moves) == expected, moves.count == expected.count, displaced.isEmpty else {
        throw Mismatch(text: "\(edit) returned \(moves), protected \(displaced)")
      }
      model = after
    } catch ListError.moveForbidden(let id) {
      guard fixed.contains(id.rawValue) else {
        throw Mismatch(text: "\(edit) was refused for \(id)")
      }
    }
    return edit
  }

  private func place(of id: Int64, in model: ListModel) -> CustomerPlace? {
    model.position(of: id).map { section, index in
      CustomerPlace(section: SectionID(rawValue: model.sections[section].id), order: index + 1)
    }
  }
}
