/// The edits of rows, each with the rows that it names.
extension CustomerList {
  mutating func insert(
    _ customers: [NewCustomer], at destination: Destination, in section: SectionID?
  ) throws -> [EditOutcome.Row] {
    var place = try opening(destination, in: section)
    var id = try largestID() + 1
    if customers.count == 1, customers[0].canEdit, customers[0].canMove {
      _ = try insertRow(customers[0].fields, at: place)
    } else {
      var rest = customers.makeIterator()
      _ = try insertRows(at: place) { rest.next() }
    }
    return customers.map { new in
      defer { (id, place.order) = (id + 1, place.order + 1) }
      let customer = Customer(
        id: CustomerID(rawValue: id), place: place, fields: new.fields, canEdit: new.canEdit,
        canMove: new.canMove)
      return .init(customer: customer, from: nil, to: place)
    }
  }

  /// Either all of the customers are changed or none.
  mutating func edited(
    _ ids: [CustomerID], _ found: FoundRows, _ body: (inout CustomerList, CustomerID) throws -> Customer
  ) throws -> [EditOutcome.Row] {
    // Checks all first, so that none is changed if one must not be.
    let before = try ids.map { try customer($0, found) }
    if ids.count > 1, let one = before.first(where: { !$0.canEdit }) { throw ListError.editForbidden(one.id) }
    return try eachAtomically(before) { list, before in
      let after = try body(&list, before.id)
      let fields = after.fields.differences(from: before.fields)
      return EditOutcome.Row(customer: after, from: before.place, to: after.place, fields: fields)
        .following(before)
    }
  }

  mutating func merged(_ ids: [CustomerID]) throws -> [EditOutcome.Row] {
    let before = try ids.map { try customer($0) }
    let after = try merge(ids)
    let fields = after.fields.differences(from: before[0].fields)
    let row = EditOutcome.Row(customer: after, from: before[0].place, to: after.place, fields: fields)
    return [row.following(before[0])]
      + before.dropFirst().map { .init(customer: $0, from: $0.place, to: nil) }
  }

  mutating func moved(
    _ ids: [CustomerID], _ found: FoundRows,
    _ body: (inout CustomerList, [MovingRow]) throws -> [CustomerMove]
  ) throws -> [EditOutcome.Row] {
    var customers: [CustomerID: Customer] = [:]
    let rows = try ids.map { id in
      let customer = try customer(id, found)
      customers[id] = customer
      guard let section = found.outline.section(customer.place.section) else {
        throw ListError.noSuchCustomer(id)
      }
      return MovingRow(id: id, place: customer.place, section: section)
    }
    let moves = try body(&self, rows)
    func staying(_ end: (CustomerMove) -> CustomerPlace) -> StayerCount {
      StayerCount(
        without: moves.map(end).map { (section: $0.section, orders: $0.order..<$0.order + 1) })
    }
    let (before, after) = (staying(\.from), staying(\.to))
    return moves.compactMap { move in
      guard let customer = customers[move.id] else { return nil }
      var row = EditOutcome.Row(customer, move)
      // A row of a block may be back where it was, after others moved past it.
      row.isMoved = row.isMoved || before.stayers(before: move.from) != after.stayers(before: move.to)
      return row
    }
  }

  mutating func protected(
    _ ids: [CustomerID], _ found: FoundRows, canEdit: Bool?, canMove: Bool?
  ) throws -> [EditOutcome.Row] {
    // Looks up all first, so that none is protected if one is missing.
    try eachAtomically(ids.map { try customer($0, found) }) { list, before in
      var after = before
      (after.canEdit, after.canMove) = (canEdit ?? before.canEdit, canMove ?? before.canMove)
      if after != before { try list.protect(before.id, canEdit: canEdit, canMove: canMove) }
      return EditOutcome.Row(
        customer: after, from: before.place, to: before.place, hasOtherRights: after != before
      ).following(before)
    }
  }

  /// Edits customers one after another, all of them or none; a single one needs no savepoint.
  private mutating func eachAtomically(
    _ customers: [Customer], _ body: (inout CustomerList, Customer) throws -> EditOutcome.Row
  ) throws -> [EditOutcome.Row] {
    guard customers.count > 1 else { return try customers.map { try body(&self, $0) } }
    return try atomically { list in try customers.map { try body(&list, $0) } }
  }

  /// The rows of moves that were just made in whole sections.
  func rows(of moves: [CustomerMove]) throws -> [EditOutcome.Row] {
    let moves = Dictionary(uniqueKeysWithValues: moves.map { ($0.id, $0) })
    var rows: [EditOutcome.Row] = []
    for section in Set(moves.values.map(\.to.section)) {
      try forEach(in: section) { customer in
        if let move = moves[customer.id] { rows.append(.init(customer, move)) }
        return true
      }
    }
    return rows
  }
}

extension EditOutcome.Row {
  /// A row that was moved, possibly to where it was.
  init(_ customer: Customer, _ move: CustomerMove) {
    self.init(customer: customer, from: move.from, to: move.to, isMoved: move.from != move.to)
    self.customer.place = move.to
  }
}
