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
  ///   - version: the version in which the caller saw the list. A customer that was moved among its neighbors
  ///     since is not moved; one that only shifted, because others were added, deleted, or moved, is.
  /// - Returns: where each of them was and is, in order, including those that stay where they are.
  /// - Throws: `ListError.placeOutOfRange`, `noSuchCustomer`, `noSuchSection`, `duplicateID`,
  ///   `moveForbidden`, `moveConflict`, `orderChanged`, `tooLongAgo`, `otherHistory`.
  /// - Complexity: O(customers moved), independent of the length of the list; and O(edits since `version`).
  @discardableResult
  public mutating func move(
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

  /// Moves a customer, like `move` of several.
  @discardableResult
  public mutating func move(
    _ customer: CustomerID, to destination: Destination, in section: SectionID? = nil,
    asSeenAt version: ListVersion? = nil
  ) throws -> CustomerMove {
    try move([customer], to: destination, in: section, asSeenAt: version)[0]
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
  @discardableResult
  mutating func move(_ rows: [MovingRow], by distance: Int) throws -> [CustomerMove] {
    try put(BlockMove(rows, by: distance, of: self))
  }

  /// Swaps two customers, in one section or across two.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `moveForbidden`.
  @discardableResult
  public mutating func swap(_ one: CustomerID, _ other: CustomerID) throws -> [CustomerMove] {
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
    let values = [SQLiteValue.id(place.section), .integer(place.order)]
    try edit("INSERT INTO logged_move VALUES (?, ?, ?, ?, ?)", [.id(id)] + values + values) { _ in nil }
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
