extension CustomerList {
  mutating func batched(_ updates: BatchUpdates) throws -> [EditOutcome.Row] {
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

extension BatchUpdates {
  fileprivate var updatesFields: Bool {
    operations.contains { if case .update = $0 { true } else { false } }
  }
}
