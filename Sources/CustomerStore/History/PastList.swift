internal import CustomersSQLite

/// An earlier state of the list, reached by going back edit by edit: its sections and some customers.
///
/// The log of a repaired or damaged file may be inconsistent; then the result is as close as possible.
struct PastList {
  /// The sections in order, with their numbers of rows.
  private var sections: [CustomerSection]
  /// The sections that did not exist yet; one may have been deleted before and restored by undo.
  private var later: [SectionID: CustomerSection] = [:]
  /// The tracked customers, with fields and protection, including those that are not in the list.
  private(set) var customers: [CustomerID: Customer]
  /// The places of some of them, if they are in the list.
  private(set) var places: [CustomerID: CustomerPlace] = [:]
  /// The customers whose places are tracked too, which takes longer.
  private let placed: Set<CustomerID>

  /// Starts with the list as it is now; `known` are some of the customers as they are, at any place.
  init(
    _ list: borrowing CustomerList, following ids: Set<CustomerID>, placesOf placed: Set<CustomerID>,
    known: [CustomerID: Customer] = [:]
  ) throws {
    self.placed = placed
    sections = try list.sections()
    customers = try list.customers(placed)
    places = customers.mapValues(\.place)
    let unknown = ids.filter { id in
      if customers[id] == nil { customers[id] = known[id] }
      return customers[id] == nil
    }
    customers.merge(try list.records(of: unknown)) { present, _ in present }
  }

  var outline: ListOutline { ListOutline(sections) }

  /// Reverts an edit, in memory only.
  mutating func goBack(_ edit: LoggedEdit, in list: borrowing CustomerList) throws {
    if edit.change.movesRows {
      for id in placed { places[id] = edit.change.placeBefore(places[id], of: id) }
    }
    switch edit.change {
    case .insert(_, let place): count(-1, in: place.section)
    case .delete(_, let place): count(1, in: place.section)
    case .move(_, let from, let to):
      count(1, in: from.section)
      count(-1, in: to.section)
    case .insertMany(_, let count, let place): self.count(-count, in: place.section)
    case .deleteMany(_, let count, let place): self.count(count, in: place.section)
    case .update(let id, _): customers[id].map { customers[id] = edit.old.applied(to: $0) }
    case .column:
      for id in customers.keys {
        if let extra = try list.extra(of: id, before: edit.number) { customers[id]?.fields.extra = extra }
      }
    case .arrange: break
    case .insertSection(let id, _): if let index = index(of: id) { later[id] = sections.remove(at: index) }
    case .deleteSection(let id, let order): put(try later[id] ?? list.sectionRecord(id), at: order)
    case .moveSection(let id, let order, _):
      if let index = index(of: id) { put(sections.remove(at: index), at: order) }
    case .updateSection(let id):
      guard let index = index(of: id) else { break }
      sections[index].title = edit.old.title ?? sections[index].title
      sections[index].footer = edit.old.footer ?? sections[index].footer
    }
    for index in sections.indices { sections[index].order = index + 1 }
  }

  private func index(of id: SectionID) -> Int? { sections.firstIndex { $0.id == id } }

  private mutating func count(_ difference: Int, in section: SectionID) {
    guard let index = index(of: section) else { return }
    sections[index].count = max(0, sections[index].count + difference)
  }

  private mutating func put(_ section: CustomerSection, at order: Int) {
    sections.insert(section, at: min(max(order - 1, 0), sections.count))
  }
}

extension CustomerList {
  /// Customers' records, even if they are deleted, without their places; those that is no longer in the history
  /// are missing.
  fileprivate func records(of ids: Set<CustomerID>) throws -> [CustomerID: Customer] {
    guard let first = ids.min(), let last = ids.max() else { return [:] }
    let columns = "SELECT \(Customer.columns) FROM customer_record WHERE id"
    func record(_ row: borrowing Statement) -> Customer {
      Customer(row, place: CustomerPlace(section: SectionID(rawValue: 0), order: 0))
    }
    var found: [CustomerID: Customer] = [:]
    // Reading adjacent records takes less time than looking up many.
    if ids.count > 16, last.rawValue - first.rawValue < 10 * Int64(ids.count) {
      try connection.query("\(columns) BETWEEN ? AND ?", [.id(first), .id(last)]) { row in
        while try row.step() {
          let id = CustomerID(rawValue: row.integer(0))
          if ids.contains(id) { found[id] = record(row) }
        }
      }
    } else {
      for id in ids { found[id] = try connection.fetchOne("\(columns) = ?", [.id(id)], record) }
    }
    return found
  }

  /// A section as it was when it was deleted.
  fileprivate func sectionRecord(_ id: SectionID) throws -> CustomerSection {
    let sql = "SELECT title, footer FROM section_record WHERE id = ?"
    return try connection.fetchOne(sql, [.id(id)]) { row in
      CustomerSection(id: id, title: row.text(0), footer: row.text(1))
    } ?? CustomerSection(id: id, title: "")
  }

  /// The extra columns of a customer before an edit of a column; nil if it did not have that column.
  fileprivate func extra(of id: CustomerID, before edit: Int64) throws -> String? {
    try connection.fetchOne(
      "SELECT extra FROM history_row WHERE edit = ? AND customer = ?", [.integer(edit), .id(id)]
    ) { $0.text(0) }
  }
}
