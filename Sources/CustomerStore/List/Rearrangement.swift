internal import CustomersMigrations
internal import CustomersSQLite

/// Rows that get places in the list, all at once, while all others keep their order.
struct Rearrangement {
  /// A row, and the place that it has in the end.
  struct Arrival {
    var row: Row
    var place: CustomerPlace
  }

  enum Row {
    /// A row, by its place before; nil if it has none because it is deleted.
    case customer(CustomerID, from: CustomerPlace?)
    /// One of the new customers, by its index.
    case new(Int)
  }

  /// The rows that are deleted, with their places before.
  var deleted: [(id: CustomerID, place: CustomerPlace)] = []
  var arrivals: [Arrival] = []

  /// The effect on each section that rows enter or leave.
  var sections: [SectionID: SectionChange] {
    var sections: [SectionID: SectionChange] = [:]
    for (_, place) in deleted { sections[place.section, default: SectionChange()].left.append(place.order) }
    for arrival in arrivals {
      if case .customer(_, let from?) = arrival.row {
        sections[from.section, default: SectionChange()].left.append(from.order)
      }
      sections[arrival.place.section, default: SectionChange()].taken.append(arrival.place.order)
    }
    for section in sections.keys {
      sections[section]?.left.sort()
      sections[section]?.taken.sort()
    }
    return sections
  }

  /// The first of the given moves that is more than a shift: it takes a row past one that stays or past
  /// another of these.
  func firstThatPasses(among moves: [CustomerMove]) -> CustomerID? {
    let sections = sections
    var last: CustomerPlace?
    for move in moves.sorted(by: { $0.from.isBefore($1.from) }) {
      guard move.from.section == move.to.section, let section = sections[move.from.section],
        section.unmovedRows(beforeLeft: move.from.order) == section.unmovedRows(beforeTaken: move.to.order),
        last.map({ $0.section != move.to.section || $0.order < move.to.order }) ?? true
      else { return move.id }
      last = move.to
    }
    return nil
  }
}

/// The places of a section that rows leave (before) and get (after), both ascending.
struct SectionChange {
  var left: [Int] = []
  var taken: [Int] = []

  /// The number of staying rows above a place that a row leaves.
  func unmovedRows(beforeLeft order: Int) -> Int { order - 1 - left.count(below: order) }

  /// The number of staying rows above a place that a row gets.
  func unmovedRows(beforeTaken order: Int) -> Int { order - 1 - taken.count(below: order) }
}

extension CustomerPlace {
  /// A total order of places; natural within a section.
  func isBefore(_ other: CustomerPlace) -> Bool {
    (section.rawValue, order) < (other.section.rawValue, other.order)
  }
}

extension [Int] {
  /// The number of elements less than a number; the elements must be ascending.
  func count(below number: Int) -> Int { partitionIndex { $0 >= number } }
}

extension Array {
  /// Inserts other elements, each at its place in the result, counted from 1.
  func interleaved(with others: [(row: Element, order: Int)]) -> [Element] {
    var all = [Element?](repeating: nil, count: count + others.count)
    for other in others { all[other.order - 1] = .some(other.row) }
    var rest = makeIterator()
    return all.compactMap { row -> Element? in row ?? rest.next() }
  }
}

extension Rearrangement {
  /// Rows of the list that get other places, or keep theirs.
  init(_ moves: [CustomerMove]) {
    arrivals = moves.map { Arrival(row: .customer($0.id, from: $0.from), place: $0.to) }
  }

  /// Moves arrivals up that would leave a gap at the end of a section.
  mutating func fit(counts: (SectionID) throws -> Int) rethrows {
    for (section, change) in sections {
      let count = try counts(section) - change.left.count + change.taken.count
      let coming = arrivals.indices.filter { arrivals[$0].place.section == section }
      for (rest, index) in coming.sorted(by: { arrivals[$0].place.order > arrivals[$1].place.order })
        .enumerated()
      {
        arrivals[index].place.order = min(arrivals[index].place.order, count - rest)
      }
    }
  }
}

extension CustomerList {
  /// Writes a rearrangement as one edit.
  ///
  /// - Returns: the new customers, in the order of `fields`.
  /// - Complexity: O(rows that leave or arrive).
  func write(_ change: Rearrangement, inserting fields: [CustomerFields] = []) throws -> [CustomerID] {
    guard !change.deleted.isEmpty || !change.arrivals.isEmpty else { return [] }
    let new = try addRecords(fields.map { NewCustomer($0) })
    try write(change, new)
    return new
  }

  /// The same, for new customers that have records.
  func write(_ change: Rearrangement, _ new: [CustomerID]) throws {
    guard !change.deleted.isEmpty || !change.arrivals.isEmpty else { return }
    let places = change.arrivals.map { arrival -> (id: CustomerID, place: CustomerPlace?) in
      switch arrival.row {
      case .customer(let id, _): (id, arrival.place)
      case .new(let index): (new[index], arrival.place)
      }
    }
    try atomically {
      try stage(change.deleted.map { ($0.id, nil) } + places)
      try writeStagedRows()
    }
  }

  /// Stages rows and the places that they get, nil for those that are deleted.
  func stage(_ rows: [(id: CustomerID, place: CustomerPlace?)]) throws {
    try Migrations.manyRows.begin(connection)
    try connection.executeMany(
      "INSERT INTO staged_row (customer, to_section, to_order) VALUES (?, ?, ?)",
      for: rows.sorted { $0.id.rawValue < $1.id.rawValue }
    ) { statement, row in
      try statement.bind(row.id.rawValue, at: 1)
      try statement.bind(row.place.map { .id($0.section) } ?? .null, at: 2)
      try statement.bind(row.place.map { .integer($0.order) } ?? .null, at: 3)
    }
  }

  /// Deletes and places the staged rows.
  func writeStagedRows() throws { try edit({ _ in nil }) { try Migrations.manyRows.write(connection) } }

  /// The staged rows whose record has some property.
  func stagedRows(where condition: String) throws -> Set<CustomerID> {
    try Set(
      connection.fetchAll(
        "SELECT customer FROM staged_row LEFT JOIN customer_record AS c ON c.id = customer WHERE \(condition)"
      ) { CustomerID(rawValue: $0.integer(0)) })
  }

  /// Whether one of some customers must not be moved.
  func isFixed(_ customers: [CustomerID]) throws -> Bool {
    let sql = "SELECT can_move FROM customer_record WHERE id = ?"
    return try customers.contains { try connection.fetchOne(sql, [.id($0)]) { $0.bool(0) } == false }
  }
}

extension CustomerList {
  /// Puts the customers of a section in this order; it must name exactly those customers.
  ///
  /// - Returns: the rows whose place changed.
  /// - Throws: `ListError.arrangementDiffers`, `duplicateID`, `noSuchSection`; `moveForbidden` if a customer
  ///   that must not be moved would change its place.
  /// - Complexity: O(rows of the section), written once.
  @discardableResult
  package mutating func arrange(_ customers: [CustomerID], in section: SectionID) throws -> [CustomerMove] {
    let rows = try arrangement(of: customers, in: section)
    try atomically { try write(rows) }
    return rows.moves
  }

  /// The rows whose place an arrangement changes, after checking that it is allowed.
  ///
  /// - Throws: the same errors as `arrange`.
  func arrangement(of customers: [CustomerID], in section: SectionID) throws -> ArrangedRows {
    let present = try arrangement(of: section)
    var places: [CustomerID: Int] = [:]
    for (index, id) in customers.enumerated() {
      guard places.updateValue(index + 1, forKey: id) == nil else { throw ListError.duplicateID(id) }
    }
    let unknown = customers.filter { present[$0] == nil }
    let missing = present.keys.filter { places[$0] == nil }.sorted()
    guard unknown.isEmpty, missing.isEmpty else {
      throw ListError.arrangementDiffers(missing: missing, unknown: unknown)
    }
    var rows = ArrangedRows(section: section)
    for id in customers {
      guard let before = present[id], let after = places[id], before.order != after else { continue }
      guard before.canMove else { throw ListError.moveForbidden(id) }
      rows.rows.append((id, UInt32(clamping: before.order), UInt32(clamping: after)))
    }
    return rows
  }

  /// Gives rows of a section the places of each other.
  private func write(_ arranged: ArrangedRows) throws {
    guard !arranged.rows.isEmpty else { return }
    try Migrations.manyRows.begin(connection)
    try connection.executeMany(
      #"INSERT INTO arranged_row (to_order, customer, "order") VALUES (?, ?, ?)"#, for: arranged.rows
    ) { statement, row in
      try statement.bind(Int64(row.to), at: 1)
      try statement.bind(row.id.rawValue, at: 2)
      try statement.bind(Int64(row.from), at: 3)
    }
    try edit({ _ in nil }) { try Migrations.manyRows.arrange(section: arranged.section.rawValue, connection) }
  }

  private func arrangement(of section: SectionID) throws -> [CustomerID: (order: Int, canMove: Bool)] {
    _ = try self.section(section)
    var found: [CustomerID: (order: Int, canMove: Bool)] = [:]
    try forEach(in: section, count: nil, CustomerColumns([])) { customer in
      found[customer.id] = (customer.place.order, customer.canMove)
      return true
    }
    return found
  }
}

extension CustomerList {
  /// The rows whose place a sort of a section, or of each section, changes.
  ///
  /// Customers that must not be moved stay where they are, and the others are sorted around them.
  ///
  /// - Throws: `ListError.noSuchSection`.
  /// - Complexity: O(n log n) for the rows.
  func sorted(by order: SortOrder, in section: SectionID?) throws -> [ArrangedRows] {
    let sections = try section.map { [try self.section($0)] } ?? wholeSections()
    let (columns, kinds) = (CustomerColumns(order.fields), try columnKinds())
    return try sections.map { section in
      var values = SortedValues(order, kinds)
      var places: [UInt32] = []
      try forEach(in: section.id, count: section.count, columns) { customer in
        guard customer.canMove else { return true }
        values.append(customer)
        places.append(UInt32(clamping: customer.place.order))
        return true
      }
      var arranged = ArrangedRows(section: section.id)
      for (row, place) in zip(values.sortedIndices(), places) where places[Int(row)] != place {
        arranged.rows.append((values.ids[Int(row)], places[Int(row)], place))
      }
      return arranged
    }
  }

  /// Gives rows of sections the places of each other.
  func arrange(_ sections: [ArrangedRows]) throws {
    try atomically { for rows in sections { try write(rows) } }
  }
}

/// Rows of a section that get the places of each other, in 16 bytes each.
struct ArrangedRows {
  let section: SectionID
  /// The rows by their new places.
  var rows: [(id: CustomerID, from: UInt32, to: UInt32)] = []

  init(section: SectionID) { self.section = section }

  var moves: [CustomerMove] {
    rows.map { row in
      CustomerMove(
        id: row.id, from: CustomerPlace(section: section, order: Int(row.from)),
        to: CustomerPlace(section: section, order: Int(row.to)))
    }
  }
}

extension CustomerList {
  /// The number of customers of a section, or of the list, that must not be moved.
  ///
  /// - Complexity: O(rows).
  package func fixedCount(in section: SectionID?) throws -> Int {
    let sql = "SELECT count(*) FROM customer_record AS c WHERE can_move = 0 AND deleted_by IS NULL"
    let only = section.map {
      (" AND (SELECT section FROM placed_row WHERE customer = c.id) = ?", [SQLiteValue.id($0)])
    }
    return try connection.fetchOne(sql + (only?.0 ?? ""), only?.1 ?? []) { $0.int(0) } ?? 0
  }
}
