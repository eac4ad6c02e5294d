/// The moves of a scope of `planningMoves`, in memory.
final class MovePlanner {
  /// The order that the moves made so far lead to; nil if none are planned.
  var order: PlannedOrder?

  /// Whether moves are planned.
  var isPlanning: Bool { order != nil }

  /// Forgets the moves that are planned: their transaction is over.
  func drop() { order = nil }
}
