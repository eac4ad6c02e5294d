/// A step that was undone or redone, and the resulting changes.
public struct RevertedStep: Hashable, Sendable {
  /// The step, with its new state.
  public var step: HistoryStep
  /// The changes: for an undone deletion, the restored rows.
  public var outcome: EditOutcome
}
