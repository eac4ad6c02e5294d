internal import CustomersSQLite

extension CustomerList {
  /// Makes many moves in memory first, then writes their net result.
  ///
  /// Only the time differs: `move` and `swap` do, return and refuse the same, and reading by id, by place and
  /// in order shows their effect. The rows whose place changed are written when `body` ends, or before an
  /// edit in it that is not a move (later moves are then written one by one). Until then the history has none
  /// of the moves; after that it has only their net result. If `count` is so small that writing one by one is
  /// faster, nothing is planned.
  ///
  /// - Parameters:
  ///   - count: the approximate number of moves that `body` makes.
  ///   - body: the moves.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, and nothing has changed; `ListError.damaged`.
  /// - Complexity: O(rows of the list); then O(√rows) per move, and at the end O(rows), written once.
  @discardableResult
  public mutating func planningMoves<Result>(
    _ count: Int, _ body: (inout CustomerList) throws -> Result
  ) throws -> Result {
    guard !planner.isPlanning, try Self.isRenewed(count: self.count(), edits: count),
      let order = try plannableOrder()
    else { return try body(&self) }
    let connection = connection
    let (recorder, wasOpen) = (recorder, recorder.isOpen)
    do {
      return try connection.savepoint {
        planner.order = order
        let result = try body(&self)
        try writePlan()
        return result
      }
    } catch {
      planner.drop()
      recorder.isOpen = wasOpen
      throw error
    }
  }

  /// The order of all rows; nil if the numbers are damaged, which a move reports when it gets there.
  private func plannableOrder() throws -> PlannedOrder? {
    var sections: [SectionID: [CustomerID]] = [:]
    do {
      for section in try self.sections() {
        sections[section.id] = try ids(in: section.id)
        guard sections[section.id]?.count == section.count else { return nil }
      }
    } catch ListError.damaged {
      return nil
    }
    return PlannedOrder(sections)
  }

  /// Writes the planned moves and stops planning; all edits start with this.
  func writePlan() throws {
    guard let order = planner.order.take() else { return }
    do {
      let arrivals = try order.moved.map { id in
        Rearrangement.Arrival(
          row: .customer(id, from: try place(of: id)), place: try order.place(of: id) ?? place(of: id))
      }
      try atomically { _ = try write(Rearrangement(arrivals: arrivals)) }
    } catch {
      planner.order = order
      throw error
    }
  }
}

/// Moving and reading while moves are planned.
extension CustomerList {
  /// Runs several moves that are one edit.
  func asOneMove(_ body: () throws -> Void) throws {
    guard planner.isPlanning else { return try atomically(body) }
    do {
      try body()
      planner.order?.accept()
    } catch {
      planner.order?.takeBack()
      throw error
    }
  }

  /// Plans to move a customer to a place.
  ///
  /// - Throws: `ListError.moveForbidden`, unless it is there already.
  func planMove(_ id: CustomerID, to place: CustomerPlace) throws {
    guard plannedPlace(of: id) != place else { return }
    let canMove = try connection.fetchOne(
      "SELECT can_move FROM customer_record WHERE id = ?", [.id(id)]
    ) { $0.bool(0) }
    guard canMove == true else { throw ListError.moveForbidden(id) }
    planner.order?.move(id, to: place)
  }

  /// The planned place of a customer; nil if there is no plan or no such customer.
  func plannedPlace(of id: CustomerID) -> CustomerPlace? { planner.order?.place(of: id) }

  /// A section with its planned number of rows, if there is a plan.
  func planned(_ section: CustomerSection) -> CustomerSection {
    var section = section
    section.count = planner.order?.count(of: section.id) ?? section.count
    return section
  }

  /// Passes the customers of a section to `body` in planned order, from place `order` on, until it returns
  /// false.
  func forEachPlanned(from order: Int, in section: SectionID, _ body: (Customer) throws -> Bool) throws {
    var order = order
    while let ids = planner.order?.rows(from: order, in: section), !ids.isEmpty {
      for id in ids {
        let customer = try connection.fetchOne(
          "SELECT \(Customer.columns) FROM customer_record WHERE id = ?", [.id(id)]
        ) { Customer($0, place: CustomerPlace(section: section, order: order)) }
        guard let customer, try body(customer) else { return }
        order += 1
      }
    }
  }
}
