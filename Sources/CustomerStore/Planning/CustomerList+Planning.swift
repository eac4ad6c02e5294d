internal import SQLite
internal import Synchronization

extension CustomerList {
  /// Says that about so many moves come next, so that they may be planned in memory and written at once.
  ///
  /// That changes nothing but the time: `move` and `swap` do, return and refuse the same, and all reading
  /// shows what they did. The rows that have another place in the end are written with the next edit that
  /// is no move, or at the end of the transaction; the history has only what differs then. If so few moves
  /// are faster one by one, nothing is planned. So it is called before each long run of moves.
  ///
  /// - Complexity: O(rows of the list); then O(√rows) per move, and at the end O(rows), written once.
  public mutating func planMoves(_ count: Int) throws {
    guard !isPlanning, try Self.isRenewed(count: self.count(), edits: count) else { return }
    var sections: [SectionID: [CustomerID]] = [:]
    do {
      for section in try self.sections() {
        sections[section.id] = try ids(in: section.id)
        guard sections[section.id]?.count == section.count else { throw ListError.damaged }
      }
    } catch ListError.damaged {
      // For the moves to find, where they meet it.
      return
    }
    let order = PlannedOrder(sections)
    plan.withLock { $0 = order }
  }

  /// Whether moves are planned.
  var isPlanning: Bool { plan.withLock { $0 != nil } }

  /// Writes the moves that are planned, and plans no more.
  ///
  /// All edits begin with this, and all that looks into the tables otherwise than by `place(of:)`,
  /// `section` and `forEach`.
  func writePlan() throws {
    guard let order = plan.withLock({ $0.take() }) else { return }
    do {
      let arrivals = try order.moved.map { id in
        Rearrangement.Arrival(
          row: .customer(id, from: try place(of: id)), place: try order.place(of: id) ?? place(of: id))
      }
      try atomically { _ = try write(Rearrangement(arrivals: arrivals)) }
    } catch {
      plan.withLock { $0 = order }
      throw error
    }
  }

  /// Forgets the moves that are planned: their transaction is over.
  func dropPlan() { plan.withLock { $0 = nil } }
}

/// Moves and reading while moves are planned.
extension CustomerList {
  /// Runs several moves that are one edit.
  func asOneMove(_ body: () throws -> Void) throws {
    guard isPlanning else { return try atomically(body) }
    do {
      try body()
      plan.withLock { $0?.accept() }
    } catch {
      plan.withLock { $0?.takeBack() }
      throw error
    }
  }

  /// Plans that a customer goes to a place.
  ///
  /// - Throws: `ListError.moveForbidden`, if it is not there already.
  func planMove(_ id: CustomerID, to place: Place) throws {
    guard plannedPlace(of: id) != place else { return }
    let canMove = try connection.fetchOne(
      "SELECT can_move FROM customer_record WHERE id = ?", [.id(id)]
    ) { $0.bool(0) }
    guard canMove == true else { throw ListError.moveForbidden(id) }
    plan.withLock { $0?.move(id, to: place) }
  }

  /// Where a customer is by the plan; nil if there is no plan, or no such customer.
  func plannedPlace(of id: CustomerID) -> Place? { plan.withLock { $0?.place(of: id) } }

  /// A section with the number of rows that it has by the plan, if there is one.
  func planned(_ section: CustomerSection) -> CustomerSection {
    var section = section
    section.count = plan.withLock { $0?.count(of: section.id) } ?? section.count
    return section
  }

  /// Gives the customers of a section to `body` by the plan, from place `order` on, until it returns false.
  func forEachPlanned(from order: Int, in section: SectionID, _ body: (Customer) throws -> Bool) throws {
    var order = order
    while let ids = plan.withLock({ $0?.rows(from: order, in: section) }), !ids.isEmpty {
      for id in ids {
        let customer = try connection.fetchOne(
          "SELECT \(Customer.columns) FROM customer_record WHERE id = ?", [.id(id)]
        ) { Customer($0, place: Place(section: section, order: order)) }
        guard let customer, try body(customer) else { return }
        order += 1
      }
    }
  }
}
