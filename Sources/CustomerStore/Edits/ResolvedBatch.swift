/// The operations of a batch, resolved: customers instead of rows, and places as numbers.
struct ResolvedBatch {
  /// A row that an operation names.
  struct BatchRow {
    var id: CustomerID
    var place: CustomerPlace
    var canEdit = true
    var canMove = true
  }

  private(set) var updates: [(operation: Int, id: CustomerID)] = []
  private(set) var deletes: [(operation: Int, row: BatchRow)] = []
  private(set) var moves: [(operation: Int, row: BatchRow, place: CustomerPlace)] = []
  private(set) var inserts: [(operation: Int, place: CustomerPlace)] = []

  /// Resolves the operations.
  ///
  /// - Parameters:
  ///   - operations: the operations.
  ///   - row: finds the row at a place or of a customer, before the batch.
  ///   - count: returns the number of rows of a section, before the batch.
  /// - Throws: `BatchError` for the first operation that names no row, otherwise for the first that conflicts
  ///   with an earlier one, otherwise for the first without a place.
  init(
    _ operations: [BatchUpdates.Operation], row: (BatchUpdates.Source) throws -> BatchRow,
    count: (SectionID) throws -> Int
  ) throws {
    let rows = try operations.enumerated().map { index, operation in
      try operation.source.map { source in try refusing(index, at: source) { try row(source) } }
    }
    try validateRows(operations, rows)
    var counts: [SectionID: Int] = [:]
    for (index, operation) in operations.enumerated() {
      guard let section = operation.target?.section, counts[section] == nil else { continue }
      counts[section] = try refusing(index) { try count(section) }
    }
    let places = try Self.places(operations, rows, counts)
    for (index, operation) in operations.enumerated() {
      switch (operation, rows[index], places[index]) {
      case (.update, let row?, _): updates.append((index, row.id))
      case (.delete, let row?, _): deletes.append((index, row))
      case (.move, let row?, let place?): moves.append((index, row, place))
      case (.insert, _, let place?): inserts.append((index, place))
      default: break
      }
    }
  }

  /// Refuses two conflicting operations on the same row.
  private func validateRows(_ operations: [BatchUpdates.Operation], _ rows: [BatchRow?]) throws {
    var deleted: [CustomerID: Int] = [:]
    var moved: [CustomerID: Int] = [:]
    var updated: [CustomerID: Int] = [:]
    for (index, operation) in operations.enumerated() {
      guard let id = rows[index]?.id else { continue }
      var earlier = deleted[id]
      switch operation {
      case .delete:
        earlier = earlier ?? moved[id] ?? updated[id]
        deleted[id] = index
      case .move:
        earlier = earlier ?? moved[id]
        moved[id] = index
      case .update, .insert: updated[id] = updated[id] ?? index
      }
      if let earlier { throw BatchError.sameRow(id, first: earlier, second: index) }
    }
  }

  /// The place of each operation's target: targets at the top and at the end of a section are numbered in the
  /// order of the calls.
  private static func places(
    _ operations: [BatchUpdates.Operation], _ rows: [BatchRow?], _ before: [SectionID: Int]
  ) throws -> [CustomerPlace?] {
    var counts = before
    var ends: [SectionID: Int] = [:]
    for (index, operation) in operations.enumerated() {
      if let target = operation.target {
        counts[target.section, default: 0] += 1
        if case .last(let section) = target { ends[section, default: 0] += 1 }
      }
      if case .update = operation { continue }
      if let row = rows[index] { counts[row.place.section]? -= 1 }
    }
    var tops: [SectionID: Int] = [:]
    var taken: [CustomerPlace: Int] = [:]
    return try operations.enumerated().map { index, operation in
      guard let target = operation.target, let count = counts[target.section] else { return nil }
      var place = CustomerPlace(section: target.section, order: 0)
      switch target {
      case .place(let order, _): place.order = order
      case .first(let section):
        tops[section, default: 0] += 1
        place.order = tops[section, default: 0]
      case .last(let section):
        place.order = count - ends[section, default: 0] + 1
        ends[section, default: 0] -= 1
      }
      guard place.order >= 1, place.order <= count else {
        throw BatchError.noSuchPlace(operation: index, asked: place, allowed: 1..<count + 1)
      }
      if let first = taken.updateValue(index, forKey: place) {
        throw BatchError.samePlace(place, first: first, second: index)
      }
      return place
    }
  }
}

/// Runs an operation and adds its index to a refusal.
func refusing<Result>(
  _ operation: Int, at source: BatchUpdates.Source? = nil, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as ListError {
    if case .placeOutOfRange(let asked, let allowed) = error, case .place(_, let section) = source {
      throw BatchError.noSuchRow(
        operation: operation, asked: CustomerPlace(section: section, order: asked), allowed: allowed)
    }
    throw BatchError.refused(operation: operation, error)
  }
}

extension ResolvedBatch {
  /// The effect of deletes, moves, and inserts on the order.
  ///
  /// A protected row may be named if it only shifts, just as `move` may put it where it is: it counts as one
  /// of the rows that stay.
  ///
  /// - Throws: `BatchError.refused` with `ListError.moveForbidden`.
  func rearrangement() throws -> Rearrangement {
    let all = rearrangement { _ in true }
    let fixed = moves.filter { !$0.row.canMove }
    guard !fixed.isEmpty else { return all }
    let passing = all.firstThatPasses(
      among: fixed.map { CustomerMove(id: $0.row.id, from: $0.row.place, to: $0.place) })
    if let move = fixed.first(where: { $0.row.id == passing }) {
      throw BatchError.refused(operation: move.operation, .moveForbidden(move.row.id))
    }
    return rearrangement(moving: \.canMove)
  }

  private func rearrangement(moving isMoving: (BatchRow) -> Bool) -> Rearrangement {
    Rearrangement(
      deleted: deletes.map { ($0.row.id, $0.row.place) },
      arrivals: moves.filter { isMoving($0.row) }.map { move in
        .init(row: .customer(move.row.id, from: move.row.place), place: move.place)
      } + inserts.enumerated().map { .init(row: .new($0), place: $1.place) })
  }
}
