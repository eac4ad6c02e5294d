internal import SQLite

extension CustomerList {
  /// Moves customers, as a block in their present order.
  ///
  /// - Parameters:
  ///   - customers: the customers, in any order.
  ///   - destination: the place that the first of them has **afterwards**.
  ///   - section: the section they go to; nil for the one that the first of them is in. Before and
  ///     after a customer it is that customer's.
  ///   - expected: where the caller saw the customers; if one is elsewhere now, nothing is moved.
  ///   - edit: the number of the edit at which the caller saw the list, `lastEdit`. A customer that
  ///     somebody has moved among its neighbors since is not moved; one that only slid, because others
  ///     came, went or moved, is.
  /// - Returns: where each of them was and is, in order; also those that stay where they are.
  /// - Throws: `ListError.placeOutOfRange`, `noSuchCustomer`, `noSuchSection`, `duplicateID`,
  ///   `moveForbidden`, `moveConflict`, `orderChanged`, `tooLongAgo`.
  /// - Complexity: O(customers moved), independent of the length of the list; and O(edits since `edit`).
  @discardableResult
  public mutating func move(
    _ customers: [CustomerID], to destination: Destination, in section: SectionID? = nil,
    expecting expected: [CustomerID: Place] = [:], asSeenAt edit: Int64? = nil
  ) throws -> [CustomerMove] {
    let rows = try inOrder(customers)
    guard !rows.isEmpty else { return [] }
    for row in rows {
      if let place = expected[row.id], place != row.place {
        throw ListError.moveConflict(row.id, expected: place, found: row.place)
      }
    }
    if let edit { try refuseChangedOrder(of: customers, since: edit) }
    let gap = try gap(for: rows, at: destination, in: section)
    let moves = rows.enumerated().map { index, row in
      CustomerMove(
        id: row.id, from: row.place, to: Place(section: gap.section, order: gap.stayersAbove &+ 1 &+ index))
    }
    // One by one, rows that are there already would leave their places and come back.
    if moves.contains(where: { $0.from != $0.to }) { try put(rows, in: gap) }
    return moves
  }

  /// Moves a customer; as `move` of several.
  @discardableResult
  public mutating func move(
    _ customer: CustomerID, to destination: Destination, in section: SectionID? = nil,
    asSeenAt edit: Int64? = nil
  ) throws -> CustomerMove {
    try move([customer], to: destination, in: section, asSeenAt: edit)[0]
  }

  /// Moves customers, as a block in their present order, up (negative) or down by some places, at most to
  /// the end of the section.
  ///
  /// - Throws: as `move(_:to:)`.
  @discardableResult
  public mutating func move(_ customers: [CustomerID], by distance: Int) throws -> [CustomerMove] {
    let rows = try inOrder(customers)
    guard let first = rows.first else { return [] }
    let last = first.section.count &- rows.count { $0.section.id == first.section.id } &+ 1
    let (order, isTooFar) = first.place.order.addingReportingOverflow(distance)
    return try move(customers, to: .place(max(1, min(isTooFar ? distance : order, last))))
  }

  /// Lets two customers change places, in one section or across two.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `moveForbidden`.
  @discardableResult
  public mutating func swap(_ one: CustomerID, _ other: CustomerID) throws -> [CustomerMove] {
    let rows = try inOrder([one, other])
    let (upper, lower) = (rows[0], rows[1])
    // Of two neighbors only one is moved, and the triggers let the other slide; so both are asked here.
    for row in rows where try !customer(row.id).canMove { throw ListError.moveForbidden(row.id) }
    try asOneMove {
      // The lower row first: its way up pushes the upper one down, which then leaves for below.
      try set(lower.id, upper.place)
      try set(upper.id, lower.place)
      // A neighbor has slid there already; the history is to name both all the same.
      if upper.place.next == lower.place, !planner.isPlanning { try logStay(upper.id, lower.place) }
    }
    return [
      CustomerMove(id: upper.id, from: upper.place, to: lower.place),
      CustomerMove(id: lower.id, from: lower.place, to: upper.place),
    ]
  }

  /// A customer and where it is.
  struct Row {
    var id: CustomerID
    var place: Place
    var section: CustomerSection
  }

  /// The customers in their present order.
  func inOrder(_ customers: [CustomerID]) throws -> [Row] {
    var seen: Set<CustomerID> = []
    let rows = try customers.map { id in
      guard seen.insert(id).inserted else { throw ListError.duplicateID(id) }
      return try row(id)
    }
    return rows.sorted { ($0.section.order, $0.place.order) < ($1.section.order, $1.place.order) }
  }

  /// A customer with its place and section, by one statement.
  private func row(_ id: CustomerID) throws -> Row {
    let sql = """
      SELECT s.id, s.title, s.footer, s."order", s.count, c."order"
      FROM customers AS c JOIN sections AS s ON s.id = c.section WHERE c.id = ?
      """
    if let place = plannedPlace(of: id) {
      return Row(id: id, place: place, section: try section(place.section))
    }
    let found = try connection.fetchOne(sql, [.id(id)]) { row in
      let section = CustomerSection(row)
      return Row(id: id, place: Place(section: section.id, order: row.int(5)), section: section)
    }
    guard let found else { throw ListError.noSuchCustomer(id) }
    return found
  }

  /// Where a block of rows goes: between two rows that stay.
  private struct Gap {
    var section: SectionID
    /// How many rows that stay are above it.
    var stayersAbove: Int
  }

  /// The gap that a destination means, and whether it can be had.
  private func gap(for rows: [Row], at destination: Destination, in section: SectionID?) throws -> Gap {
    switch destination {
    case .before(let id), .after(let id):
      guard !rows.contains(where: { $0.id == id }) else { throw ListError.duplicateID(id) }
      let place = try place(of: id)
      let isAfter = destination == .after(id)
      return Gap(
        section: place.section, stayersAbove: Self.stayers(above: place, of: rows) &+ (isAfter ? 1 : 0))
    case .first, .last, .place:
      // The one that the first of them is in has been read.
      let known = rows.first { section == nil || $0.place.section == section }?.section
      let target = try known ?? self.section(section)
      let staying = target.count &- rows.count { $0.place.section == target.id }
      guard staying >= 0, staying < .max else { throw ListError.damaged }
      return Gap(section: target.id, stayersAbove: try destination.order(1...staying + 1) - 1)
    }
  }

  /// How many rows of a section are above a place, without those that move.
  ///
  /// A broken file may have any numbers, so sums wrap around instead of trapping.
  private static func stayers(above place: Place, of moving: [Row]) -> Int {
    place.order &- 1 &- moving.count { $0.place.section == place.section && $0.place.order < place.order }
  }

  /// Puts rows, one after another, where the block of them is to be.
  private func put(_ rows: [Row], in gap: Gap) throws {
    let areAbove = rows.map { row in
      row.place.section == gap.section && Self.stayers(above: row.place, of: rows) <= gap.stayersAbove
    }
    // Those that wait above the gap make the numbers below them greater.
    var waiting = areAbove.count { $0 }
    func putAll() throws {
      for (index, row) in rows.enumerated() {
        if areAbove[index] { waiting -= 1 }
        let place = Place(section: gap.section, order: gap.stayersAbove &+ 1 &+ index &+ waiting)
        if index > 0 || row.place != place { try set(row.id, place) }
      }
    }
    // One statement is one edit by itself.
    if rows.count == 1, !planner.isPlanning { try putAll() } else { try asOneMove(putAll) }
  }

  /// Writes a move of a row to where it is.
  private func logStay(_ id: CustomerID, _ place: Place) throws {
    let values = [Value.id(place.section), .integer(place.order)]
    try edit("INSERT INTO logged_move VALUES (?, ?, ?, ?, ?)", [.id(id)] + values + values) { _ in nil }
  }

  func set(_ id: CustomerID, _ place: Place) throws {
    if planner.isPlanning { return try planMove(id, to: place) }
    try edit(
      #"UPDATE customers SET section = ?, "order" = ? WHERE id = ?"#,
      [.id(place.section), .integer(place.order), .id(id)]
    ) { refusal in
      switch refusal {
      case .protected: .moveForbidden(id)
      // The place was worked out from the numbers in the file.
      case .place: .damaged
      default: nil
      }
    }
  }
}

extension Place {
  /// The place below in the same section.
  fileprivate var next: Place { Place(section: section, order: order + 1) }
}
