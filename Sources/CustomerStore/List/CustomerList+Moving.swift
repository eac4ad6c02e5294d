internal import CustomersMigrations
internal import CustomersSQLite

extension CustomerList {
  /// Moves customers as a block, in their current order.
  ///
  /// - Parameters:
  ///   - customers: the customers, in any order.
  ///   - destination: the place that the first of them has **after** the move.
  ///   - section: the section to move to; nil for the section of the first of them. It is ignored for
  ///     `before` and `after`, which use that customer's section.
  /// - Throws: `ListError.placeOutOfRange`, `noSuchCustomer`, `noSuchSection`, `duplicateID`, `moveForbidden`.
  /// - Complexity: O(customers moved), independent of the length of the list.
  public mutating func move(
    _ customers: [CustomerID], to destination: Destination, in section: SectionID? = nil
  ) throws {
    try move(customers, to: destination, in: section, expecting: [:])
  }

  /// The same, if they are where the caller saw them.
  ///
  /// - Parameters:
  ///   - customers: the customers, in any order.
  ///   - destination: as for `move`.
  ///   - section: as for `move`.
  ///   - expected: where the caller saw the customers; if one of them is elsewhere now, nothing is moved.
  ///   - version: the version in which the caller saw the list. A customer that was moved among its neighbors
  ///     since is not moved; one that only shifted, because others were added, deleted, or moved, is.
  /// - Returns: where each of them was and is, in order, including those that stay where they are.
  /// - Throws: what `move` throws, and `ListError.moveConflict`, `orderChanged`, `tooLongAgo`, `otherHistory`.
  /// - Complexity: O(customers moved) and O(edits since `version`).
  @discardableResult
  package mutating func move(
    _ customers: [CustomerID], to destination: Destination, in section: SectionID? = nil,
    expecting expected: [CustomerID: CustomerPlace] = [:], asSeenAt version: ListVersion? = nil
  ) throws -> [CustomerMove] {
    let rows = try customers.map { try row($0) }.inOrder()
    for row in rows {
      if let place = expected[row.id], place != row.place {
        throw ListError.moveConflict(row.id, expected: place, found: row.place)
      }
    }
    return try move(rows, to: destination, in: section, asSeenAt: version)
  }

  /// The same, for rows that were just read.
  @discardableResult
  mutating func move(
    _ rows: [MovingRow], to destination: Destination, in section: SectionID?,
    asSeenAt version: ListVersion? = nil
  ) throws -> [CustomerMove] {
    let rows = try rows.inOrder()
    if let version, !rows.isEmpty { try refuseChangedOrder(of: rows.map(\.id), since: version) }
    return try put(BlockMove(rows, to: destination, in: section, of: self))
  }

  /// Moves rows up (negative) or down by some places, as a block in their current order, but not beyond the ends of the
  /// section.
  ///
  /// - Throws: the same errors as `move(_:to:)`.
  @discardableResult
  mutating func move(_ rows: [MovingRow], by distance: Int) throws -> [CustomerMove] {
    try put(BlockMove(rows, by: distance, of: self))
  }

  /// Swaps two customers, in one section or across two.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `moveForbidden`.
  @discardableResult
  package mutating func swap(_ one: CustomerID, _ other: CustomerID) throws -> [CustomerMove] {
    let block = try BlockMove(swapping: row(one), row(other))
    // If they are neighbors, only one is moved and the triggers shift the other; so both are checked here.
    for move in block.moves where try !customer(move.id).canMove { throw ListError.moveForbidden(move.id) }
    let upper = block.moves[0]
    return try atomically {
      try put(block)
      // A neighbor has shifted there already, but the history should name both.
      if upper.from.next == upper.to { try logUnmoved(upper.id, upper.to) }
      return block.moves
    }
  }

  /// Moves rows one after another.
  @discardableResult
  private func put(_ block: BlockMove) throws -> [CustomerMove] {
    if block.steps.count >= ManyRows.fewest {
      let rows = Rearrangement(block.moves)
      if try !isFixed(block.moves.map(\.id)) {
        try atomically { _ = try write(rows) }
        return block.moves
      }
    }
    // A single statement is one edit by itself.
    if block.steps.count == 1 {
      try set(block.steps[0].id, block.steps[0].place)
    } else if !block.steps.isEmpty {
      try atomically { for step in block.steps { try set(step.id, step.place) } }
    }
    return block.moves
  }

  /// Writes a move of a row to its current place.
  private func logUnmoved(_ id: CustomerID, _ place: CustomerPlace) throws {
    try edit(
      "INSERT INTO logged_move VALUES (?, ?, ?)", [.id(id), .id(place.section), .integer(place.order)]
    ) { _ in nil }
  }

  func set(_ id: CustomerID, _ place: CustomerPlace) throws {
    try edit(
      #"UPDATE customers SET section = ?, "order" = ? WHERE id = ?"#,
      [.id(place.section), .integer(place.order), .id(id)]
    ) { refusal in
      switch refusal {
      case .protected: .moveForbidden(id)
      // The place was computed from the numbers in the file.
      case .place: .damaged
      default: nil
      }
    }
  }
}

extension CustomerList: RowOrder {
  /// A customer with its place and section, read by one statement.
  func row(_ id: CustomerID) throws -> MovingRow {
    let sql = """
      SELECT s.id, s.title, s.footer, s."order", s.count, c."order"
      FROM customers AS c JOIN sections AS s ON s.id = c.section WHERE c.id = ?
      """
    let found = try connection.fetchOne(sql, [.id(id)]) { row in
      let section = CustomerSection(row)
      return MovingRow(id: id, place: CustomerPlace(section: section.id, order: row.int(5)), section: section)
    }
    guard let found else { throw ListError.noSuchCustomer(id) }
    return found
  }
}

extension CustomerPlace {
  /// The place below in the same section.
  fileprivate var next: CustomerPlace { CustomerPlace(section: section, order: order + 1) }
}

/// An order of rows in which moves can be worked out: that of the list or that of a plan.
protocol RowOrder: ~Copyable {
  /// A customer with its place and section.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  borrowing func row(_ id: CustomerID) throws -> MovingRow

  /// The section, by default the first one.
  ///
  /// - Throws: `ListError.noSuchSection`, `noSections`.
  borrowing func section(_ id: SectionID?) throws -> CustomerSection
}

/// A customer and where it is.
struct MovingRow {
  var id: CustomerID
  var place: CustomerPlace
  var section: CustomerSection
}

extension [MovingRow] {
  /// The rows in their current order.
  ///
  /// - Throws: `ListError.duplicateID`.
  func inOrder() throws -> [MovingRow] {
    var seen: Set<CustomerID> = []
    for row in self where !seen.insert(row.id).inserted { throw ListError.duplicateID(row.id) }
    return sorted { ($0.section.order, $0.place.order) < ($1.section.order, $1.place.order) }
  }
}

/// A move of some rows together, worked out before any of them is moved.
struct BlockMove {
  /// Where each of them was and is, in order, including those that stay where they are.
  private(set) var moves: [CustomerMove] = []
  /// The rows to move, one after another, each to the place that it has at that time.
  private(set) var steps: [(id: CustomerID, place: CustomerPlace)] = []

  init(
    _ rows: [MovingRow], to destination: Destination, in section: SectionID?,
    of order: borrowing some RowOrder & ~Copyable
  ) throws {
    let rows = try rows.inOrder()
    guard !rows.isEmpty else { return }
    let gap = try Gap(for: rows, at: destination, in: section, of: order)
    moves = rows.enumerated().map { index, row in
      CustomerMove(
        id: row.id, from: row.place,
        to: CustomerPlace(section: gap.section, order: gap.unmovedRowsAbove &+ 1 &+ index))
    }
    // Moved one by one, rows that are in place already would leave and come back.
    if moves.contains(where: { $0.from != $0.to }) { put(rows, in: gap) }
  }

  /// Moves rows up (negative) or down by some places, as a block.
  init(_ rows: [MovingRow], by distance: Int, of order: borrowing some RowOrder & ~Copyable) throws {
    let rows = try rows.inOrder()
    let destination = rows.first.map { first in
      let last = first.section.count &- rows.count { $0.section.id == first.section.id } &+ 1
      let (number, isTooFar) = first.place.order.addingReportingOverflow(distance)
      return Destination.place(max(1, min(isTooFar ? distance : number, last)))
    }
    try self.init(rows, to: destination ?? .first, in: nil, of: order)
  }

  /// Swaps two rows.
  init(swapping one: MovingRow, _ other: MovingRow) throws {
    let rows = try [one, other].inOrder()
    let (upper, lower) = (rows[0], rows[1])
    moves = [
      CustomerMove(id: upper.id, from: upper.place, to: lower.place),
      CustomerMove(id: lower.id, from: lower.place, to: upper.place),
    ]
    // The lower row first: moving it up pushes the upper one down by one, which then moves down.
    steps = [(lower.id, upper.place), (upper.id, lower.place)]
  }

  /// Moves rows one after another to the destination of the block.
  private mutating func put(_ rows: [MovingRow], in gap: Gap) {
    var before = 0
    let areAbove = rows.map { row in
      guard row.place.section == gap.section else { return false }
      defer { before += 1 }
      return row.place.order &- 1 &- before <= gap.unmovedRowsAbove
    }
    // Rows still waiting above the gap add to the numbers below them.
    var waiting = areAbove.count { $0 }
    for (index, row) in rows.enumerated() {
      if areAbove[index] { waiting -= 1 }
      let place = CustomerPlace(section: gap.section, order: gap.unmovedRowsAbove &+ 1 &+ index &+ waiting)
      if index > 0 || row.place != place { steps.append((row.id, place)) }
    }
  }
}

/// The destination of a block of rows: a gap between two rows that stay.
private struct Gap {
  var section: SectionID
  /// The number of staying rows above it.
  var unmovedRowsAbove: Int

  /// The gap for a destination, after checking that it exists.
  init(
    for rows: [MovingRow], at destination: Destination, in section: SectionID?,
    of order: borrowing some RowOrder & ~Copyable
  ) throws {
    switch destination {
    case .before(let id), .after(let id):
      guard !rows.contains(where: { $0.id == id }) else { throw ListError.duplicateID(id) }
      let place = try order.row(id).place
      let isAfter = destination == .after(id)
      self.init(section: place.section, unmovedRowsAbove: rows.unmovedRows(above: place) &+ (isAfter ? 1 : 0))
    case .first, .last, .place:
      // The section of the first of them has already been read.
      let known = rows.first { section == nil || $0.place.section == section }?.section
      let target = try known ?? order.section(section)
      let staying = target.count &- rows.count { $0.place.section == target.id }
      guard staying >= 0, staying < .max else { throw ListError.damaged }
      self.init(section: target.id, unmovedRowsAbove: try destination.order(1...staying + 1) - 1)
    }
  }

  private init(section: SectionID, unmovedRowsAbove: Int) {
    (self.section, self.unmovedRowsAbove) = (section, unmovedRowsAbove)
  }
}

extension [MovingRow] {
  /// The number of rows of a section above a place, not counting these, which move.
  ///
  /// A damaged file may have any numbers, so sums wrap around instead of trapping.
  fileprivate func unmovedRows(above place: CustomerPlace) -> Int {
    place.order &- 1 &- count { $0.place.section == place.section && $0.place.order < place.order }
  }
}
