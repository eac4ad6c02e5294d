internal import CustomersSQLite

extension CustomerList {
  /// The step that `undo` would undo, whichever program made it; nil if there is none.
  public func undoable() throws -> HistoryStep? {
    try step(where: "kind = 'edit' AND state = 'done' ORDER BY step.id DESC")
  }

  /// The step that `redo` would redo; nil if there is none.
  public func redoable() throws -> HistoryStep? { try step(where: "state = 'undone' ORDER BY step.id") }

  /// Undoes the last step, whichever program made it.
  ///
  /// - Parameters:
  ///   - expected: the step that the user was shown; if a different one would be undone, none is.
  ///   - limit: the maximum number of edits that the outcome describes; the rest of a longer step is only
  ///     counted.
  /// - Returns: the step and what changed; nil if there is nothing to undo.
  /// - Throws: `ListError.historyDiffers` if a row is not where the history left it, `otherStep`.
  /// - Complexity: O(edits of the step).
  @discardableResult
  public mutating func undo(
    expecting expected: HistoryStep? = nil, limit: Int = 1000
  ) throws -> RevertedStep? {
    try revert(undoable(), .undo, expected, limit)
  }

  /// Redoes the step that was last undone.
  ///
  /// A new edit makes redo impossible.
  ///
  /// - Parameters:
  ///   - expected: the step that the user was shown; if a different one would be redone, none is.
  ///   - limit: as for `undo`.
  /// - Returns: the step and what changed; nil if there is nothing to redo.
  /// - Throws: the same errors as `undo`.
  @discardableResult
  public mutating func redo(
    expecting expected: HistoryStep? = nil, limit: Int = 1000
  ) throws -> RevertedStep? {
    try revert(redoable(), .redo, expected, limit)
  }

  private func revert(
    _ step: HistoryStep?, _ kind: HistoryStep.Kind, _ expected: HistoryStep?, _ limit: Int
  ) throws -> RevertedStep? {
    if let expected, (step?.id, step?.time) != (expected.id, expected.time) {
      throw ListError.otherStep(expected: expected.id, found: step?.id)
    }
    guard let step else { return nil }
    let last = try lastEdit()
    try edit(
      "INSERT INTO revert_step VALUES (?, ?)", [.integer(step.id), .text(kind.rawValue)]
    ) { $0 == .history ? .historyDiffers : nil }
    guard let reverted = try self.step(step.id) else { return nil }
    return RevertedStep(step: reverted, outcome: try outcome(after: last, limit: limit))
  }

  private func step(where condition: String) throws -> HistoryStep? {
    try connection.fetchOne("\(HistoryStep.query) WHERE \(condition) LIMIT 1") { HistoryStep($0) }
  }
}
