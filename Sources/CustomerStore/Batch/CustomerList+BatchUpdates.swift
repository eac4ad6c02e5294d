extension CustomerList {
  /// Makes several updates at once.
  ///
  /// Rows are named by their places **before** the batch and get places as they are **after** it; see
  /// `BatchUpdates`.
  ///
  /// - Returns: the new customers and the moves made.
  /// - Throws: `BatchError`, and nothing is changed.
  /// - Complexity: O(operations), independent of the length of the list; with many operations, O(rows) of the
  ///   destination sections, each written once.
  @discardableResult
  public mutating func performBatchUpdates(_ updates: BatchUpdates) throws -> BatchResult {
    let batch = try ResolvedBatch(
      updates.operations, row: { try row($0) }, count: { try section($0).count })
    let change = try batch.rearrangement()
    let inserted = try atomically {
      for (operation, id) in batch.updates {
        guard case .update(_, let changes) = updates.operations[operation] else { continue }
        try refusing(operation) { _ = try revise(customer(id)) { $0.set(changes) } }
      }
      for (operation, row) in batch.deletes { try refusing(operation) { try remove(row.id) } }
      return try write(change, inserting: updates.newCustomers)
    }
    let moves = batch.moves.map { CustomerMove(id: $0.row.id, from: $0.row.place, to: $0.place) }
    return BatchResult(inserted: inserted, moves: moves)
  }

  /// Makes the updates that `body` collects, as `performBatchUpdates(_:)` does.
  @discardableResult
  public mutating func performBatchUpdates(
    _ body: (inout BatchUpdates) throws -> Void
  ) throws -> BatchResult {
    var updates = BatchUpdates()
    try body(&updates)
    return try performBatchUpdates(updates)
  }

  /// The customer named by an operation, before the batch.
  func customer(_ source: BatchUpdates.Source) throws -> Customer {
    switch source {
    case .place(let order, let section): try customer(at: order, in: section)
    case .customer(let id): try customer(id)
    }
  }

  private func row(_ source: BatchUpdates.Source) throws -> ResolvedBatch.BatchRow {
    let customer = try customer(source)
    return ResolvedBatch.BatchRow(id: customer.id, place: customer.place, canMove: customer.canMove)
  }
}

extension BatchUpdates {
  /// The inserted customers, in the order of the calls.
  fileprivate var newCustomers: [CustomerFields] {
    operations.compactMap { if case .insert(let fields, _) = $0 { fields } else { nil } }
  }
}
