/// The moves of a `planningMoves` scope, in memory.
final class MovePlanner {
  /// The order after the moves so far; nil if moves are not planned.
  var order: PlannedOrder?

  /// Whether moves are planned.
  var isPlanning: Bool { order != nil }

  /// Forgets the planned moves: their transaction is over.
  func drop() { order = nil }
}
