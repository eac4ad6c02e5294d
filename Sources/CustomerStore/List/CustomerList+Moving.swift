internal import CustomersSQLite

extension CustomerList {
  /// Moves customers as a block, in their current order.
  ///
  /// - Parameters:
  ///   - customers: the customers, in any order.
  ///   - destination: the place that the first of them has **after** the move.
  ///   - section: the section to move to; nil for the section of the first of them. It is ignored for
  ///     `before` and `after`, which use that customer's section.
  ///   - expected: where the caller saw the customers; if one of them is elsewhere now, nothing is moved.
  ///   - edit: the number of the edit at which the caller saw the list, `lastEdit`. A customer that was moved
  ///     among its neighbors since is not moved; one that only shifted, because others were added, deleted or
  ///     moved, is.
  /// - Returns: where each of them was and is, in order, including those that stay where they are.
  /// - Throws: `ListError.placeOutOfRange`, `noSuchCustomer`, `noSuchSection`, `duplicateID`,
  ///   `moveForbidden`, `moveConflict`, `orderChanged`, `tooLongAgo`.
  /// - Complexity: O(customers moved), independent of the length of the list; and O(edits since `edit`).
  @discardableResult
  public mutating func move(
    _ customers: [CustomerID], to destination: Destination, in section: SectionID? = nil,
    expecting expected: [CustomerID: CustomerPlace] = [:], asSeenAt edit: Int64? = nil
  ) throws -> [CustomerMove] {
    let rows = try inOrder(customers.map { try row($0) })
    for row in rows {
      if let place = expected[row.id], place != row.place {
        throw ListError.moveConflict(row.id, expected: place, found: row.place)
      }
    }
    return try move(rows, to: destination, in: section, asSeenAt: edit)
  }

  /// The same, for rows that were just read.
  mutating func move(
    _ rows: [MovingRow], to destination: Destination, in section: SectionID?, asSeenAt edit: Int64? = nil
  ) throws -> [CustomerMove] {
    let rows = try inOrder(rows)
    guard !rows.isEmpty else { return [] }
    if let edit { try refuseChangedOrder(of: rows.map(\.id), since: edit) }
    let gap = try gap(for: rows, at: destination, in: section)
    let moves = rows.enumerated().map { index, row in
      CustomerMove(
        id: row.id, from: row.place,
        to: CustomerPlace(section: gap.section, order: gap.stayersAbove &+ 1 &+ index))
    }
    // Moved one by one, rows that are in place already would leave and come back.
    if moves.contains(where: { $0.from != $0.to }) { try put(rows, in: gap) }
    return moves
  }

  /// Moves a customer, like `move` of several.
  @discardableResult
  public mutating func move(
    _ customer: CustomerID, to destination: Destination, in section: SectionID? = nil,
    asSeenAt edit: Int64? = nil
  ) throws -> CustomerMove {
    try move([customer], to: destination, in: section, asSeenAt: edit)[0]
  }

  /// Moves customers up (negative) or down by some places, as a block in their current order, but not beyond
  /// the ends of the section.
  ///
  /// - Throws: the same errors as `move(_:to:)`.
  @discardableResult
  public mutating func move(_ customers: [CustomerID], by distance: Int) throws -> [CustomerMove] {
    try move(customers.map { try row($0) }, by: distance)
  }

  /// The same, for rows that were just read.
  mutating func move(_ rows: [MovingRow], by distance: Int) throws -> [CustomerMove] {
    let rows = try inOrder(rows)
    guard let first = rows.first else { return [] }
    let last = first.section.count &- rows.count { $0.section.id == first.section.id } &+ 1
    let (order, isTooFar) = first.place.order.addingReportingOverflow(distance)
    return try move(rows, to: .place(max(1, min(isTooFar ? distance : order, last))), in: nil)
  }

  /// Swaps two customers, in one section or across two.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `moveForbidden`.
  @discardableResult
  public mutating func swap(_ one: CustomerID, _ other: CustomerID) throws -> [CustomerMove] {
    let rows = try inOrder([row(one), row(other)])
    let (upper, lower) = (rows[0], rows[1])
    // If they are neighbors, only one is moved and the triggers shift the other; so both are checked here.
    for row in rows where try !customer(row.id).canMove { throw ListError.moveForbidden(row.id) }
    try asOneMove {
      // The lower row first: moving it up pushes the upper one down by one, which then moves down.
      try set(lower.id, upper.place)
      try set(upper.id, lower.place)
      // A neighbor has shifted there already, but the history should name both.
      if upper.place.next == lower.place, !planner.isPlanning { try logStay(upper.id, lower.place) }
    }
    return [
      CustomerMove(id: upper.id, from: upper.place, to: lower.place),
      CustomerMove(id: lower.id, from: lower.place, to: upper.place),
    ]
  }

  /// A customer and where it is.
  struct MovingRow {
    var id: CustomerID
    var place: CustomerPlace
    var section: CustomerSection
  }

  /// The rows in their current order.
  func inOrder(_ rows: [MovingRow]) throws -> [MovingRow] {
    var seen: Set<CustomerID> = []
    for row in rows where !seen.insert(row.id).inserted { throw ListError.duplicateID(row.id) }
    return rows.sorted { ($0.section.order, $0.place.order) < ($1.section.order, $1.place.order) }
  }

  /// A customer with its place and section, read by one statement.
  private func row(_ id: CustomerID) throws -> MovingRow {
    let sql = """
      SELECT s.id, s.title, s.footer, s."order", s.count, c."order"
      FROM customers AS c JOIN sections AS s ON s.id = c.section WHERE c.id = ?
      """
    if let place = plannedPlace(of: id) {
      return MovingRow(id: id, place: place, section: try section(place.section))
    }
    let found = try connection.fetchOne(sql, [.id(id)]) { row in
      let section = CustomerSection(row)
      return MovingRow(id: id, place: CustomerPlace(section: section.id, order: row.int(5)), section: section)
    }
    guard let found else { throw ListError.noSuchCustomer(id) }
    return found
  }

  /// The destination of a block of rows: a gap between two rows that stay.
  private struct Gap {
    var section: SectionID
    /// The number of staying rows above it.
    var stayersAbove: Int
  }

  /// The gap for a destination, after checking that it exists.
  private func gap(for rows: [MovingRow], at destination: Destination, in section: SectionID?) throws -> Gap {
    switch destination {
    case .before(let id), .after(let id):
      guard !rows.contains(where: { $0.id == id }) else { throw ListError.duplicateID(id) }
      let place = try place(of: id)
      let isAfter = destination == .after(id)
      return Gap(
        section: place.section, stayersAbove: Self.stayers(above: place, of: rows) &+ (isAfter ? 1 : 0))
    case .first, .last, .place:
      // The section of the first of them has already been read.
      let known = rows.first { section == nil || $0.place.section == section }?.section
      let target = try known ?? self.section(section)
      let staying = target.count &- rows.count { $0.place.section == target.id }
      guard staying >= 0, staying < .max else { throw ListError.damaged }
      return Gap(section: target.id, stayersAbove: try destination.order(1...staying + 1) - 1)
    }
  }

  /// The number of rows of a section above a place, not counting those that move.
  ///
  /// A damaged file may have any numbers, so sums wrap around instead of trapping.
  private static func stayers(above place: CustomerPlace, of moving: [MovingRow]) -> Int {
    place.order &- 1 &- moving.count { $0.place.section == place.section && $0.place.order < place.order }
  }

  /// Moves rows one after another to the destination of the block.
  private func put(_ rows: [MovingRow], in gap: Gap) throws {
    let areAbove = rows.map { row in
      row.place.section == gap.section && Self.stayers(above: row.place, of: rows) <= gap.stayersAbove
    }
    // Rows still waiting above the gap add to the numbers below them.
    var waiting = areAbove.count { $0 }
    func putAll() throws {
      for (index, row) in rows.enumerated() {
        if areAbove[index] { waiting -= 1 }
        let place = CustomerPlace(section: gap.section, order: gap.stayersAbove &+ 1 &+ index &+ waiting)
        if index > 0 || row.place != place { try set(row.id, place) }
      }
    }
    // A single statement is one edit by itself.
    if rows.count == 1, !planner.isPlanning { try putAll() } else { try asOneMove(putAll) }
  }

  /// Writes a move of a row to its current place.
  private func logStay(_ id: CustomerID, _ place: CustomerPlace) throws {
    let values = [SQLiteValue.id(place.section), .integer(place.order)]
    try edit("INSERT INTO logged_move VALUES (?, ?, ?, ?, ?)", [.id(id)] + values + values) { _ in nil }
  }

  func set(_ id: CustomerID, _ place: CustomerPlace) throws {
    if planner.isPlanning { return try planMove(id, to: place) }
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

extension CustomerPlace {
  /// The place below in the same section.
  fileprivate var next: CustomerPlace { CustomerPlace(section: section, order: order + 1) }
}
