internal import CustomersSQLite

/// Rows that get places in the list, all at once, while all others keep their order.
struct Rearrangement {
  /// A row, and the place that it has in the end.
  struct Arrival {
    var row: Row
    var place: CustomerPlace
  }

  enum Row {
    /// A row of the list, by its place before.
    case customer(CustomerID, from: CustomerPlace)
    /// One of the new customers, by its index.
    case new(Int)
  }

  /// The places (before) of rows that are deleted.
  var deleted: [CustomerPlace] = []
  var arrivals: [Arrival] = []

  /// The effect on each section that rows enter or leave.
  var sections: [SectionID: SectionChange] {
    var sections: [SectionID: SectionChange] = [:]
    for place in deleted { sections[place.section, default: SectionChange()].left.append(place.order) }
    for arrival in arrivals {
      if case .customer(_, let from) = arrival.row {
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

extension CustomerList {
  /// Writes a rearrangement, after the rows that it deletes have been deleted.
  ///
  /// A few rows are placed one by one, each once; a section that gets many is rewritten.
  ///
  /// - Returns: the new customers, in the order of `fields`.
  func write(_ change: Rearrangement, inserting fields: [CustomerFields] = []) throws -> [CustomerID] {
    var writing = try Writing(change, fields, counts: { try section($0).count })
    for (section, arrivals) in writing.renewed { try bring(arrivals, to: section, &writing) }
    for arrival in writing.single { try put(arrival, &writing) }
    for (section, arrivals) in writing.renewed { try renew(section, arrivals, writing.newIDs) }
    return writing.newIDs.compactMap { $0 }
  }

  /// Puts a row in place among those that are in place already.
  private func put(_ arrival: Rearrangement.Arrival, _ writing: inout Writing) throws {
    if case .customer(_, let from) = arrival.row { writing.leave(from) }
    let place = writing.place(now: arrival.place)
    switch arrival.row {
    case .customer(let id, _): try set(id, place)
    case .new(let index): writing.newIDs[index] = try insertRow(writing.fields[index], at: place)
    }
  }

  /// Moves the rows that are not in a section yet to its end.
  private func bring(
    _ arrivals: [Rearrangement.Arrival], to section: SectionID, _ writing: inout Writing
  ) throws {
    var count = try self.section(section).count
    var new: [Int] = []
    for arrival in arrivals {
      switch arrival.row {
      case .new(let index): new.append(index)
      case .customer(_, let from) where from.section == section: break
      case .customer(let id, let from):
        writing.leave(from)
        count += 1
        try set(id, CustomerPlace(section: section, order: count))
      }
    }
    guard !new.isEmpty else { return }
    let first = try nextID(in: "customer_record")
    var next = new.makeIterator()
    _ = try insertRows(at: CustomerPlace(section: section, order: count + 1)) { [fields = writing.fields] in
      next.next().map { NewCustomer(fields[$0]) }
    }
    for (offset, index) in new.enumerated() {
      writing.newIDs[index] = CustomerID(rawValue: first + Int64(offset))
    }
  }

  /// Writes the order of a section that has all its rows.
  private func renew(
    _ section: SectionID, _ arrivals: [Rearrangement.Arrival], _ newIDs: [CustomerID?]
  ) throws {
    let present = try ids(in: section)
    let places = arrivals.compactMap { arrival in
      switch arrival.row {
      case .customer(let id, _): (id, arrival.place.order)
      case .new(let index): newIDs[index].map { ($0, arrival.place.order) }
      }
    }
    let coming = Set(places.map(\.0))
    let order = present.filter { !coming.contains($0) }.interleaved(with: places)
    if order != present { try write(order, in: section) }
  }
}

/// The progress of writing a rearrangement.
private struct Writing {
  let fields: [CustomerFields]
  private let sections: [SectionID: SectionChange]
  /// The sections that are rewritten, and the rows they get.
  private(set) var renewed: [(section: SectionID, arrivals: [Rearrangement.Arrival])] = []
  /// The rows that the other sections get, by section and place.
  private(set) var single: [Rearrangement.Arrival] = []
  /// The new customers inserted so far.
  var newIDs: [CustomerID?]
  /// For each row still to leave, the number of staying rows above it; ascending.
  private var waiting: [SectionID: [Int]] = [:]

  init(
    _ change: Rearrangement, _ fields: [CustomerFields], counts: (SectionID) throws -> Int
  ) rethrows {
    self.fields = fields
    sections = change.sections
    newIDs = Array(repeating: nil, count: fields.count)
    var arrivals: [SectionID: [Rearrangement.Arrival]] = [:]
    for arrival in change.arrivals { arrivals[arrival.place.section, default: []].append(arrival) }
    for section in arrivals.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      let arrivals = arrivals[section, default: []].sorted { $0.place.order < $1.place.order }
      if try CustomerList.isRenewed(count: counts(section), edits: arrivals.count) {
        renewed.append((section, arrivals))
      } else {
        single += arrivals
      }
    }
    for case .customer(_, let from) in change.arrivals.map(\.row) {
      waiting[from.section, default: []].append(gap(from))
    }
    for section in waiting.keys { waiting[section]?.sort() }
  }

  /// The number of staying rows above a row that leaves.
  private func gap(_ from: CustomerPlace) -> Int {
    sections[from.section]?.unmovedRows(beforeLeft: from.order) ?? 0
  }

  /// Records that a row is about to leave its place.
  mutating func leave(_ from: CustomerPlace) {
    guard let index = waiting[from.section]?.count(below: gap(from)) else { return }
    waiting[from.section]?.remove(at: index)
  }

  /// The place that a row gets now, while the rows that will come below it are missing and some that will
  /// leave are still there.
  ///
  /// Waiting rows with the same number of staying rows above them stay below it.
  func place(now place: CustomerPlace) -> CustomerPlace {
    let above = sections[place.section]?.unmovedRows(beforeTaken: place.order) ?? 0
    let passing = waiting[place.section]?.count(below: above) ?? 0
    return CustomerPlace(section: place.section, order: place.order + passing)
  }
}

extension CustomerList {
  /// Whether a section is rewritten when this many of its rows get a place; otherwise they are placed one by
  /// one.
  ///
  /// Measured (`CustomersBenchmark planning`): placing a row takes as long as writing about 36. A few rows
  /// are always placed one by one, so that programs that follow the changes see what was moved.
  static func isRenewed(count: Int, edits: Int) -> Bool { edits > 16 + count / 36 }
}

extension CustomerList {
  /// Puts the customers of a section in this order; it must name exactly those customers.
  ///
  /// - Returns: the rows whose place changed.
  /// - Throws: `ListError.arrangementDiffers`, `duplicateID`, `noSuchSection`; `moveForbidden` if a customer
  ///   that must not be moved would change its place.
  /// - Complexity: O(rows of the section), written once.
  @discardableResult
  public mutating func arrange(_ customers: [CustomerID], in section: SectionID) throws -> [CustomerMove] {
    let moves = try moves(arranging: customers, in: section)
    if !moves.isEmpty { try write(customers, in: section) }
    return moves
  }

  /// The rows whose place an arrangement changes, after checking that it is allowed.
  ///
  /// - Throws: the same errors as `arrange`.
  func moves(arranging customers: [CustomerID], in section: SectionID) throws -> [CustomerMove] {
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
    var moves: [CustomerMove] = []
    for id in customers {
      guard let before = present[id], let after = places[id], before.order != after else { continue }
      guard before.canMove else { throw ListError.moveForbidden(id) }
      moves.append(
        CustomerMove(
          id: id, from: CustomerPlace(section: section, order: before.order),
          to: CustomerPlace(section: section, order: after)))
    }
    return moves
  }

  /// Writes the order of all customers of a section.
  func write(_ order: [CustomerID], in section: SectionID) throws {
    try atomically {
      try stage(order)
      try edit("INSERT INTO logged_arrange VALUES (?)", [.id(section)]) { _ in nil }
    }
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
  /// Sorts the rows of a section, or of each section, once; the list does not stay sorted.
  ///
  /// Customers that must not be moved stay where they are, and the others are sorted around them.
  ///
  /// - Returns: the rows whose place changed.
  /// - Throws: `ListError.noSuchSection`.
  /// - Complexity: O(n log n) for the rows, written once.
  @discardableResult
  public mutating func sort(by order: SortOrder, in section: SectionID? = nil) throws -> [CustomerMove] {
    let sections = try section.map { [try self.section($0)] } ?? wholeSections()
    // Checks every section before writing any.
    let orders = try sections.map { section in
      var values = SortedValues(order)
      var fixed: [(row: CustomerID, order: Int)] = []
      let columns = CustomerColumns(order.fields)
      try forEach(in: section.id, count: section.count, columns) { customer in
        if customer.canMove {
          values.append(customer)
        } else {
          fixed.append((customer.id, customer.place.order))
        }
        return true
      }
      let ids = values.sorted().interleaved(with: fixed)
      return (section: section.id, ids: ids, moves: try moves(arranging: ids, in: section.id))
    }
    try atomically {
      for order in orders where !order.moves.isEmpty { try write(order.ids, in: order.section) }
    }
    return orders.flatMap(\.moves)
  }
}

extension CustomerList {
  /// The number of customers of a section, or of the list, that must not be moved.
  ///
  /// - Complexity: O(rows).
  package func fixedCount(in section: SectionID?) throws -> Int {
    let sql = "SELECT count(*) FROM customers WHERE can_move = 0"
    let only = section.map { (" AND section = ?", [SQLiteValue.id($0)]) } ?? ("", [])
    return try connection.fetchOne(sql + only.0, only.1) { $0.int(0) } ?? 0
  }
}
