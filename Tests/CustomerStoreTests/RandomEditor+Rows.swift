@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport

/// Edits that let rows in and out and change them where they are.
extension RandomEditor {
  mutating func insert(_ list: inout CustomerList) throws -> String {
    guard let section = anySection() else {
      _ = try expect(.noSections, "insert") { try list.insert(CustomerFields()) }
      return "insert into no section"
    }
    let index = generator.below(model.sections[section].rows.count + 1)
    let destination = destination(for: index, among: model.sections[section].rows)
    let stamp = Int64(generator.below(1_000_000))
    let id = SectionID(rawValue: model.sections[section].id)
    let edit = "insert at \(destination) in \(id)"
    let fields = CustomerFields(note: "\(stamp)")
    let customer = try list.insert(fields, at: destination, in: generator.oneIn(2) && section == 0 ? nil : id)
    model.insert([stamp], section: section, at: index)
    let expected = Customer(
      id: CustomerID(rawValue: model.lastID), place: CustomerPlace(section: id, order: index + 1),
      fields: fields,
      canEdit: true, canMove: true)
    guard customer == expected else { throw Mismatch(text: "\(edit) returned \(customer)") }
    return edit
  }

  mutating func insertMany(_ list: inout CustomerList) throws -> String {
    guard let section = anySection() else {
      _ = try expect(.noSections, "insert many") { try list.insert { nil } }
      return "insert many into no section"
    }
    let index = generator.below(model.sections[section].rows.count + 1)
    let destination = destination(for: index, among: model.sections[section].rows)
    // So many that they get a chapter of their own, now and then.
    let most = generator.oneIn(15) ? 192 + generator.below(30) : generator.below(12)
    let stamps = (0..<most).map(Int64.init)
    let id = SectionID(rawValue: model.sections[section].id)
    var rest = stamps[...]
    let count = try list.insert(at: destination, in: id) {
      rest.popFirst().map { CustomerFields(note: "\($0)") }
    }
    model.insert(stamps, section: section, at: index)
    let edit = "insert \(stamps.count) at \(destination) in \(id)"
    guard count == stamps.count else { throw Mismatch(text: "\(edit) returned \(count)") }
    return edit
  }

  mutating func deleteSome(_ list: inout CustomerList, most: Int) throws -> String {
    let rows = someRows(most)
    let edit = "delete \(rows.map(\.id))"
    let fixed = rows.first { !$0.canEdit }
    let error = fixed.map { ListError.editForbidden(CustomerID(rawValue: $0.id)) }
    _ = try expect(error, edit) { try list.delete(rows.map { CustomerID(rawValue: $0.id) }) }
    if error == nil { model.remove(Set(rows.map(\.id))) }
    return edit
  }

  mutating func update(_ list: inout CustomerList) throws -> String {
    guard let row = anyRow() else { return try insert(&list) }
    let id = CustomerID(rawValue: row.id)
    let stamp = generator.oneIn(4) ? row.stamp : Int64(generator.below(1_000_000)) + 1
    let error = row.canEdit || stamp == row.stamp ? nil : ListError.editForbidden(id)
    _ = try expect(error, "update \(id)") { try list.update(id) { $0.note = "\(stamp)" } }
    if error == nil { model.change([row.id]) { $0.stamp = stamp } }
    return "update \(id)"
  }

  mutating func protect(_ list: inout CustomerList) throws -> String {
    guard let row = anyRow() else { return try insert(&list) }
    let edit = generator.oneIn(3) ? nil : !generator.oneIn(3)
    let move = generator.oneIn(3) ? nil : !generator.oneIn(3)
    try list.protect(CustomerID(rawValue: row.id), canEdit: edit, canMove: move)
    model.change([row.id]) { row in
      row.canEdit = edit ?? row.canEdit
      row.canMove = move ?? row.canMove
    }
    return "protect \(row.id)"
  }
}
