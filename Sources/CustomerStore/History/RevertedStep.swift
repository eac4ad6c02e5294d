/// A step that was undone or redone, and what that changed.
public struct RevertedStep: Hashable, Sendable {
  /// The step as the history has it now.
  public var step: HistoryStep
  /// What changed: of a deletion that was undone, the rows that came in.
  public var outcome: EditOutcome
}
