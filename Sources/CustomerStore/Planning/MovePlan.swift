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
public struct MovePlan: Sendable {
  /// The sections before the moves.
  private let sections: ListOutline
  private var order: PlannedOrder

  /// Plans about `count` moves of the list as it is now.
  ///
  /// It is nil if making them one by one is faster, or if the numbers are damaged, which a move reports when it
  /// gets there. O(rows in the list)
  public init?(_ list: borrowing CustomerList, moves count: Int) throws {
    sections = try list.outline()
    guard CustomerList.isRenewed(count: sections.count, edits: count) else { return nil }
    var rows: [SectionID: [CustomerID]] = [:]
    for section in sections.sections {
      do {
        rows[section.id] = try list.ids(in: section.id, count: section.count)
      } catch let error as ListError where error.isDamage {
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
  public mutating func apply(_ edit: ListEdit, of list: borrowing CustomerList) throws -> [CustomerMove] {
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
  public mutating func write(_ plan: MovePlan) throws {
    let arrivals = try plan.moved.map { id in
      let place = try place(of: id)
      return Rearrangement.Arrival(row: .customer(id, from: place), place: plan.place(of: id) ?? place)
    }
    try atomically { _ = try write(Rearrangement(arrivals: arrivals)) }
  }
}
