extension CustomerList {
  /// Makes an edit.
  ///
  /// - Returns: what it changed. In a dry run, `CustomerStore.dryRun`, it is the same.
  /// - Throws: what the edit's own function throws: `ListError`, `FieldConflict`, `BatchError`; nothing
  ///   is changed then.
  /// - Complexity: that of the edit, and O(sections).
  @discardableResult
  public mutating func apply(_ edit: ListEdit) throws -> EditOutcome {
    let before = try outline()
    let (rows, sections) = try make(edit)
    return EditOutcome(rows, sections: sections, before: before, after: try outline())
  }

  private typealias Effect = (rows: [EditOutcome.Row], sections: [SectionID])

  private mutating func make(_ edit: ListEdit) throws -> Effect {
    switch edit {
    case .insert(let customers, let destination, let section):
      return (try insert(customers, at: destination, in: section), [])
    case .update(let id, let values):
      return (try edited(id) { list in try list.update(id) { $0.set(values) } }, [])
    case .save(let id, let from, let to):
      return (try edited(id) { list in try list.update(id, from: from, to: to) }, [])
    case .delete(let ids, let edit):
      let customers = try ids.map { try customer($0) }
      try delete(ids, asSeenAt: edit)
      return (customers.map { .init(customer: $0, from: $0.place, to: nil) }, [])
    case .move(let ids, let destination, let section, let edit):
      return (try moved(ids) { try $0.move(ids, to: destination, in: section, asSeenAt: edit) }, [])
    case .moveBy(let ids, let distance): return (try moved(ids) { try $0.move(ids, by: distance) }, [])
    case .swap(let one, let other): return (try moved([one, other]) { try $0.swap(one, other) }, [])
    case .protect(let ids, let canEdit, let canMove):
      return (try ids.map { try protected($0, canEdit: canEdit, canMove: canMove) }, [])
    case .sort(let order, let section): return (try rows(of: sort(by: order, in: section)), [])
    case .arrange(let ids, let section): return (try rows(of: arrange(ids, in: section)), [])
    case .section(let edit): return try make(edit)
    case .batch(let updates): return (try batched(updates), [])
    }
  }

  private mutating func insert(
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

  private mutating func edited(
    _ id: CustomerID, _ body: (inout CustomerList) throws -> Customer
  ) throws -> [EditOutcome.Row] {
    let before = try customer(id)
    let after = try body(&self)
    let fields = after.fields.differences(from: before.fields)
    return [.init(customer: after, from: before.place, to: after.place, fields: fields)]
  }

  private mutating func moved(
    _ ids: [CustomerID], _ body: (inout CustomerList) throws -> [CustomerMove]
  ) throws -> [EditOutcome.Row] {
    var customers: [CustomerID: Customer] = [:]
    for id in ids { customers[id] = try customer(id) }
    return try body(&self).compactMap { move in customers[move.id].map { .init($0, move) } }
  }

  private mutating func protected(
    _ id: CustomerID, canEdit: Bool?, canMove: Bool?
  ) throws -> EditOutcome.Row {
    let before = try customer(id)
    var after = before
    (after.canEdit, after.canMove) = (canEdit ?? before.canEdit, canMove ?? before.canMove)
    if after != before { try protect(id, canEdit: canEdit, canMove: canMove) }
    return .init(customer: after, from: before.place, to: before.place, hasOtherRights: after != before)
  }

  /// The rows of moves that were just made in whole sections.
  private func rows(of moves: [CustomerMove]) throws -> [EditOutcome.Row] {
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

  private mutating func make(_ edit: SectionEdit) throws -> Effect {
    switch edit {
    case .add(let title, let footer, let order):
      return ([], [try addSection(title: title, footer: footer, at: order).id])
    case .rename(let id, let title, let footer):
      try renameSection(id, title: title, footer: footer)
      return ([], [id])
    case .move(let id, let order):
      try moveSection(id, to: order)
      return ([], [id])
    case .delete(let id, let withCustomers):
      var rows: [EditOutcome.Row] = []
      if withCustomers {
        try forEach(in: id) { customer in
          rows.append(.init(customer: customer, from: customer.place, to: nil))
          return true
        }
      }
      try deleteSection(id, withCustomers: withCustomers)
      return (rows, [id])
    }
  }

  private mutating func batched(_ updates: BatchUpdates) throws -> [EditOutcome.Row] {
    var known: [CustomerID: Customer] = [:]
    for source in updates.operations.compactMap(\.source) {
      // One that is not there is for the batch to refuse, with the operation's number.
      if let customer = try? customer(source) { known[customer.id] = customer }
    }
    let result = try performBatchUpdates(updates)
    let moves = Dictionary(uniqueKeysWithValues: result.moves.map { ($0.id, $0) })
    var rows = try result.inserted.map { id -> EditOutcome.Row in
      let customer = try customer(id)
      return .init(customer: customer, from: nil, to: customer.place)
    }
    for before in known.values {
      if let move = moves[before.id], !updates.updatesFields {
        rows.append(.init(before, move))
      } else if let after = try existing(before.id) {
        var row = EditOutcome.Row(after, .init(id: after.id, from: before.place, to: after.place))
        row.isMoved = row.isMoved && moves[before.id] != nil
        row.fields = after.fields.differences(from: before.fields)
        rows.append(row)
      } else {
        rows.append(.init(customer: before, from: before.place, to: nil))
      }
    }
    return rows
  }

  /// The customer with an id; nil if there is none.
  func existing(_ id: CustomerID) throws -> Customer? {
    do { return try customer(id) } catch ListError.noSuchCustomer { return nil }
  }
}

extension EditOutcome.Row {
  /// A row that was moved, or was to be moved to where it is.
  fileprivate init(_ customer: Customer, _ move: CustomerMove) {
    self.init(customer: customer, from: move.from, to: move.to, isMoved: move.from != move.to)
    self.customer.place = move.to
  }
}

extension BatchUpdates {
  fileprivate var updatesFields: Bool {
    operations.contains { if case .update = $0 { true } else { false } }
  }
}
