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
    guard let first = rows.first else { return [] }
    for row in rows {
      if let place = expected[row.id], place != row.place {
        throw ListError.moveConflict(row.id, expected: place, found: row.place)
      }
    }
    if let edit { try refuseChangedOrder(of: customers, since: edit) }
    let moving = Set(customers)
    let target = try target(destination, section ?? first.place.section, moving, rows)
    // One by one they would leave their places and come back.
    if try !stay(rows, before: target.follower, in: target.section) {
      try asOneMove {
        for row in rows { try put(row.id, before: target.follower, in: target.section) }
      }
    }
    return try rows.map { row in CustomerMove(id: row.id, from: row.place, to: try place(of: row.id)) }
  }

  /// Moves a customer; as `move` of several.
  @discardableResult
  public mutating func move(
    _ customer: CustomerID, to destination: Destination, in section: SectionID? = nil,
    asSeenAt edit: Int64? = nil
  ) throws -> CustomerMove {
    try move([customer], to: destination, in: section, asSeenAt: edit)[0]
  }

  /// Moves customers, as a block in their present order, up (negative) or down by some places.
  ///
  /// - Throws: as `move(_:to:)`; `placeOutOfRange` beyond the ends of the section.
  @discardableResult
  public mutating func move(_ customers: [CustomerID], by distance: Int) throws -> [CustomerMove] {
    guard let first = try inOrder(customers).first else { return [] }
    let (order, isTooFar) = first.place.order.addingReportingOverflow(distance)
    return try move(customers, to: .place(isTooFar ? distance : order))
  }

  /// Lets two customers change places, in one section or across two.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `moveForbidden`.
  @discardableResult
  public mutating func swap(_ one: CustomerID, _ other: CustomerID) throws -> [CustomerMove] {
    let rows = try inOrder([one, other])
    let (upper, lower) = (rows[0], rows[1])
    // Of two neighbours only one is moved, and the triggers let the other slide; so both are asked here.
    for row in rows where try !customer(row.id).canMove { throw ListError.moveForbidden(row.id) }
    try asOneMove {
      // The lower row first: its way up pushes the upper one down, which then leaves for below.
      try set(lower.id, upper.place)
      try set(upper.id, lower.place)
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
  }

  /// The customers in their present order.
  func inOrder(_ customers: [CustomerID]) throws -> [Row] {
    var seen: Set<CustomerID> = []
    var rows: [(section: Int, row: Row)] = []
    var sectionOrders: [SectionID: Int] = [:]
    for id in customers {
      guard seen.insert(id).inserted else { throw ListError.duplicateID(id) }
      let place = try place(of: id)
      let order = try sectionOrders[place.section] ?? section(place.section).order
      sectionOrders[place.section] = order
      rows.append((order, Row(id: id, place: place)))
    }
    return rows.sorted { ($0.section, $0.row.place.order) < ($1.section, $1.row.place.order) }.map(\.row)
  }

  /// The section that rows go to, and the row that will follow them there; nil at the end.
  private func target(
    _ destination: Destination, _ section: SectionID, _ moving: Set<CustomerID>, _ rows: [Row]
  ) throws -> (section: SectionID, follower: CustomerID?) {
    switch destination {
    case .before(let id):
      guard !moving.contains(id) else { throw ListError.duplicateID(id) }
      return (try place(of: id).section, id)
    case .after(let id):
      guard !moving.contains(id) else { throw ListError.duplicateID(id) }
      let place = try place(of: id)
      return (place.section, try follower(from: place.order + 1, in: place.section, moving))
    case .first, .last, .place:
      let places = rows.map(\.place).filter { $0.section == section }.map(\.order)
      let staying = try self.section(section).count - places.count
      guard staying >= 0 else { throw ListError.damaged }
      // The row that is there when those that move are taken out: every one above it adds one.
      var order = try destination.order(1...staying + 1)
      for place in places where place <= order { order += 1 }
      return (section, try follower(from: order, in: section, moving))
    }
  }

  /// The first row from a place on that stays.
  private func follower(
    from order: Int, in section: SectionID, _ moving: Set<CustomerID>
  ) throws -> CustomerID? {
    var found: CustomerID?
    try forEach(from: order, in: section) { customer in
      if !moving.contains(customer.id) { found = customer.id }
      return found == nil
    }
    return found
  }

  /// Whether rows are where they are to go.
  private func stay(_ rows: [Row], before follower: CustomerID?, in section: SectionID) throws -> Bool {
    let end = try follower.map { try place(of: $0).order } ?? self.section(section).count + 1
    return rows.enumerated().allSatisfy { index, row in
      row.place == Place(section: section, order: end - rows.count + index)
    }
  }

  private func put(_ id: CustomerID, before follower: CustomerID?, in section: SectionID) throws {
    let here = try place(of: id)
    var order: Int
    if let follower {
      order = try place(of: follower).order
    } else {
      order = try self.section(section).count + 1
    }
    if here.section == section, here.order < order { order -= 1 }
    let there = Place(section: section, order: order)
    if here != there { try set(id, there) }
  }

  func set(_ id: CustomerID, _ place: Place) throws {
    if isPlanning { return try planMove(id, to: place) }
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
