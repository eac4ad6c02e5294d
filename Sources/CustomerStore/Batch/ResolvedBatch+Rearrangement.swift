extension ResolvedBatch {
  /// What deletes, moves and inserts do to the order.
  ///
  /// A protected row may be named if it only slides, as `move` allows it to be put where it is: then it is
  /// one of those that stay.
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

  private func rearrangement(moving isMoving: (Row) -> Bool) -> Rearrangement {
    Rearrangement(
      deleted: deletes.map(\.row.place),
      arrivals: moves.filter { isMoving($0.row) }.map { move in
        .init(row: .customer(move.row.id, from: move.row.place), place: move.place)
      } + inserts.enumerated().map { .init(row: .new($0), place: $1.place) })
  }
}
