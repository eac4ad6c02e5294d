extension CustomerList {
  mutating func batched(_ updates: BatchUpdates) throws -> EditOutcome {
    let first = try lastEdit() + 1
    try performBatchUpdates(updates)
    return try outcomes(ofEdits: [first..<(try lastEdit()) + 1], limit: .max)[0]
  }

  /// The customer with an id; nil if there is none.
  func existing(_ id: CustomerID) throws -> Customer? {
    do { return try customer(id) } catch ListError.noSuchCustomer { return nil }
  }
}
