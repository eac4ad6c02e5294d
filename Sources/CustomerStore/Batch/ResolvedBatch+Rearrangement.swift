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
      deleted: deletes.map(\.row.place),
      arrivals: moves.filter { isMoving($0.row) }.map { move in
        .init(row: .customer(move.row.id, from: move.row.place), place: move.place)
      } + inserts.enumerated().map { .init(row: .new($0), place: $1.place) })
  }
}
