internal import CustomersSQLite

/// Many moves, made in memory before their net result is written.
///
///     if var plan = try MovePlan(list, moves: moves.count) {
///       for move in moves { try plan.apply(move, of: list) }
///       try list.write(plan)
///     }
///
/// Only the time differs: they do, return, and refuse the same as moves of the list. `CustomerList.write` writes
/// the rows whose place changed; until then the list and its history have none of the moves, and nothing else
/// may edit the list.
package struct MovePlan: Sendable {
  /// The sections before the moves.
  private let sections: ListOutline
  private var order: PlannedOrder

  /// Plans about `count` moves of the list as it is now.
  ///
  /// It is nil if making them one by one is faster, or if the numbers are damaged, which a move reports when it
  /// gets there. O(rows in the list)
  package init?(_ list: borrowing CustomerList, moves count: Int) throws {
    sections = try list.outline()
    // Measured (`CustomersBenchmark planning`): a move in the list takes as long as reading about 36 ids.
    guard count > 16 + sections.count / 36 else { return nil }
    var rows: [SectionID: [CustomerID]] = [:]
    for section in sections.sections {
      do {
        rows[section.id] = try list.ids(in: section.id, count: section.count)
      } catch let error as ListError where ErrorKind(of: error) == .damaged {
        return nil
      }
    }
    order = PlannedOrder(rows)
  }

  /// The outline of the list after the moves so far. O(sections)
  package var outline: ListOutline { ListOutline(sections.sections.map(planned)) }

  /// The customers that were moved, possibly to where they were.
  var moved: Set<CustomerID> { order.moved }

  /// The place of a customer after the moves so far; nil if there is no such customer.
  func place(of id: CustomerID) -> CustomerPlace? { order.place(of: id) }

  /// A customer at its planned place.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  func customer(_ id: CustomerID, in list: borrowing CustomerList) throws -> Customer {
    var customer = try list.customer(id)
    customer.place = place(of: id) ?? customer.place
    return customer
  }

  /// The customers at planned positions (from 1) in the whole list; positions outside of it are omitted.
  func customers(at positions: Range<Int>, of list: borrowing CustomerList) throws -> [Customer] {
    let outline = outline
    return try positions.compactMap(outline.place(at:)).flatMap { place in
      try order.rows(from: place.order, in: place.section).prefix(1).map { try customer($0, in: list) }
    }
  }

  /// Passes the customers of a section to `body`, in planned order from place `order` on, until it returns
  /// false.
  func forEach(
    from order: Int, in section: SectionID, of list: borrowing CustomerList, _ body: (Customer) throws -> Bool
  ) throws {
    var order = order
    while case let ids = self.order.rows(from: order, in: section), !ids.isEmpty {
      for id in ids { guard try body(customer(id, in: list)) else { return } }
      order += ids.count
    }
  }
}

extension MovePlan: RowOrder {
  func row(_ id: CustomerID) throws -> MovingRow {
    guard let place = place(of: id) else { throw ListError.noSuchCustomer(id) }
    return MovingRow(id: id, place: place, section: try section(place.section))
  }

  func section(_ id: SectionID?) throws -> CustomerSection {
    guard let id else {
      guard let first = sections.sections.first else { throw ListError.noSections }
      return planned(first)
    }
    guard let section = sections.section(id) else { throw ListError.noSuchSection(id) }
    return planned(section)
  }

  /// A section with its planned number of rows.
  private func planned(_ section: CustomerSection) -> CustomerSection {
    var section = section
    section.count = order.count(of: section.id) ?? section.count
    return section
  }
}

extension MovePlan {
  /// Makes a `move`, `moveBy`, or `swap` in memory; other edits can't be planned, and trap.
  ///
  /// - Returns: where each row was and is.
  /// - Throws: the same errors as `CustomerList.apply`; nothing is moved.
  /// - Complexity: O(√rows in the list) per row.
  @discardableResult
  package mutating func apply(_ edit: ListEdit, of list: borrowing CustomerList) throws -> [CustomerMove] {
    let block: BlockMove
    switch edit {
    case .move(let ids, let destination, let section, let version):
      if let version { try list.refuseChangedOrder(of: ids, since: version) }
      block = try BlockMove(ids.map(row), to: destination, in: section, of: self)
    case .moveBy(let ids, let distance): block = try BlockMove(ids.map(row), by: distance, of: self)
    case .swap(let one, let other):
      block = try BlockMove(swapping: row(one), row(other))
      // The second one may have shifted to its place already.
      for move in block.moves { try refuseFixed(move.id, in: list) }
    default: preconditionFailure("only moves can be planned")
    }
    do {
      for step in block.steps where place(of: step.id) != step.place {
        try refuseFixed(step.id, in: list)
        order.move(step.id, to: step.place)
      }
      order.accept()
    } catch {
      order.rollBack()
      throw error
    }
    return block.moves
  }

  private func refuseFixed(_ id: CustomerID, in list: borrowing CustomerList) throws {
    let canMove = try list.connection.fetchOne(
      "SELECT can_move FROM customer_record WHERE id = ?", [.id(id)]
    ) { $0.bool(0) }
    guard canMove == true else { throw ListError.moveForbidden(id) }
  }
}

extension CustomerList {
  /// Writes the net result of planned moves.
  ///
  /// - Throws: `ListError.incomplete`, `damaged`; nothing is moved.
  /// - Complexity: O(rows in the list) at most, each written once.
  package mutating func write(_ plan: MovePlan) throws {
    let moves = try plan.moved.map { id in
      let place = try place(of: id)
      return CustomerMove(id: id, from: place, to: plan.place(of: id) ?? place)
    }
    guard moves.contains(where: { $0.from != $0.to }) else { return }
    try atomically { _ = try write(Rearrangement(moves)) }
  }
}

/// The order of all sections in memory, ids only, with cheap moves.
///
/// The ids of a section are in chunks of about √n, so that moving a row and finding a row or a place take
/// O(√n). Needs memory for a few words per row, however many moves are made.
struct PlannedOrder {
  private struct Chunk {
    var section: SectionID
    var ids: [CustomerID]
  }

  private var chunks: [Chunk] = []
  /// The chunks of each section in order, as indices of `chunks`.
  private var sequences: [SectionID: [Int]] = [:]
  private var chunkOf: [CustomerID: Int] = [:]
  private var counts: [SectionID: Int] = [:]
  private let chunkSize: Int
  private let mostChunks: Int
  /// The customers that were moved since the order was read.
  private(set) var moved: Set<CustomerID> = []
  /// The rows moved since the last `accept` and their places before.
  private var journal: [(id: CustomerID, from: CustomerPlace)] = []

  /// Creates the order from lists of ids.
  init(_ sections: [SectionID: [CustomerID]]) {
    let count = sections.values.reduce(0) { $0 + $1.count }
    let size = max(16, Int(Double(count).squareRoot()))
    chunkSize = size
    for (section, ids) in sections {
      counts[section] = ids.count
      // An empty section has an empty chunk.
      for start in stride(from: 0, to: max(1, ids.count), by: size) {
        sequences[section, default: []].append(chunks.count)
        chunks.append(Chunk(section: section, ids: Array(ids[start..<min(start + size, ids.count)])))
      }
    }
    mostChunks = 2 * chunks.count + 16
    chunkOf.reserveCapacity(count)
    for (number, chunk) in chunks.enumerated() { for id in chunk.ids { chunkOf[id] = number } }
  }

  /// The number of rows of a section; nil if there is no such section.
  func count(of section: SectionID) -> Int? { counts[section] }

  /// The place of a customer; nil if there is no such customer.
  func place(of id: CustomerID) -> CustomerPlace? {
    guard let number = chunkOf[id], let index = chunks[number].ids.firstIndex(of: id) else { return nil }
    var order = index + 1
    for earlier in sequences[chunks[number].section, default: []] {
      guard earlier != number else { break }
      order += chunks[earlier].ids.count
    }
    return CustomerPlace(section: chunks[number].section, order: order)
  }

  /// Some rows of a section from place `order` on; none beyond its end.
  func rows(from order: Int, in section: SectionID) -> ArraySlice<CustomerID> {
    guard order >= 1, order <= counts[section] ?? 0 else { return [] }
    let (position, index) = spot(CustomerPlace(section: section, order: order))
    return chunks[sequences[section, default: []][position]].ids[index...]
  }

  /// All rows of a section, in order.
  func ids(in section: SectionID) -> [CustomerID] {
    sequences[section, default: []].flatMap { chunks[$0].ids }
  }

  /// The chunk of a section with a place, as an index of its sequence, and the index in the chunk.
  private func spot(_ place: CustomerPlace) -> (position: Int, index: Int) {
    let sequence = sequences[place.section, default: []]
    var index = place.order - 1
    var position = 0
    while index >= chunks[sequence[position]].ids.count, position < sequence.count - 1 {
      index -= chunks[sequence[position]].ids.count
      position += 1
    }
    return (position, index)
  }
}

extension PlannedOrder {
  /// Moves a customer to the place that it has after the move.
  mutating func move(_ id: CustomerID, to place: CustomerPlace) {
    guard let from = self.place(of: id), from != place else { return }
    journal.append((id, from))
    moved.insert(id)
    shift(id, to: place)
  }

  /// Makes the moves since the last call final.
  mutating func accept() { journal.removeAll(keepingCapacity: true) }

  /// Reverts the moves since `accept`.
  mutating func rollBack() {
    for move in journal.reversed() { shift(move.id, to: move.from) }
    accept()
  }

  private mutating func shift(_ id: CustomerID, to place: CustomerPlace) {
    guard let old = chunkOf[id], let index = chunks[old].ids.firstIndex(of: id) else { return }
    chunks[old].ids.remove(at: index)
    counts[chunks[old].section, default: 0] -= 1
    let (position, newIndex) = spot(place)
    let new = sequences[place.section, default: []][position]
    chunks[new].ids.insert(id, at: newIndex)
    counts[place.section, default: 0] += 1
    chunkOf[id] = new
    if chunks[new].ids.count > 2 * chunkSize { split(position, of: place.section) }
  }

  /// Splits a chunk in two; if there are too many chunks, many of them empty, rebuilds them in the usual
  /// size.
  private mutating func split(_ position: Int, of section: SectionID) {
    let number = sequences[section, default: []][position]
    let half = chunks[number].ids[chunkSize...]
    for id in half { chunkOf[id] = chunks.count }
    sequences[section]?.insert(chunks.count, at: position + 1)
    chunks.append(Chunk(section: section, ids: Array(half)))
    chunks[number].ids.removeSubrange(chunkSize...)
    guard chunks.count > mostChunks else { return }
    var rebuilt = PlannedOrder(Dictionary(uniqueKeysWithValues: sequences.keys.map { ($0, ids(in: $0)) }))
    (rebuilt.moved, rebuilt.journal) = (moved, journal)
    self = rebuilt
  }
}

/// The order of rows, section by section.
package struct ListArrangement: Equatable, Sendable {
  /// A section and its rows in order.
  package struct Part: Equatable, Sendable {
    package var section: SectionID
    package var rows: [CustomerID]

    package init(section: SectionID, rows: [CustomerID] = []) { (self.section, self.rows) = (section, rows) }
  }

  package var parts: [Part]

  package init(parts: [Part] = []) { self.parts = parts }

  package var rows: [CustomerID] { parts.flatMap(\.rows) }

  /// The places of all rows.
  var places: [CustomerID: CustomerPlace] {
    var places: [CustomerID: CustomerPlace] = [:]
    for part in parts {
      for (index, id) in part.rows.enumerated() {
        places[id] = CustomerPlace(section: part.section, order: index + 1)
      }
    }
    return places
  }

  /// The fewest rows to move to get here from another arrangement, each with its place here; all others keep
  /// their order, including those in `fixed` if possible.
  package func moves(from known: ListArrangement, keeping fixed: Set<CustomerID>) -> [(
    id: CustomerID, to: CustomerPlace
  )] {
    let before = known.places
    return parts.flatMap { part in
      let staying = part.rows.indices.filter { before[part.rows[$0]]?.section == part.section }
      let orders = staying.map { before[part.rows[$0]]?.order ?? 0 }
      let kept = Set(unmovedRows(orders) { fixed.contains(part.rows[staying[$0]]) }.map { staying[$0] })
      return part.rows.enumerated().filter { !kept.contains($0.offset) }.map { index, id in
        (id, CustomerPlace(section: part.section, order: index + 1))
      }
    }
  }
}

extension CustomerList {
  /// The rows of the list of which something holds, section by section.
  ///
  /// - Complexity: O(rows).
  package func arrangement(where isIn: (CustomerID) -> Bool) throws -> ListArrangement {
    ListArrangement(
      parts: try sections().map { .init(section: $0.id, rows: try ids(in: $0.id).filter(isIn)) })
  }
}
