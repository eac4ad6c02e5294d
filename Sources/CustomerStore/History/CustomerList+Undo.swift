internal import CustomersMigrations
internal import CustomersSQLite

extension CustomerList {
  /// The step that `undo` would undo, whichever program made it; nil if there is none.
  package func undoable() throws -> HistoryStep? {
    // All steps that are undone come after it.
    try step(
      where: """
        kind = 'edit' AND state = 'done'
          AND step.id < ifnull((SELECT min(id) FROM history_step WHERE state = 'undone'), 9223372036854775807)
        ORDER BY step.id DESC
        """)
  }

  /// The step that `redo` would redo; nil if there is none.
  package func redoable() throws -> HistoryStep? { try step(where: "state = 'undone' ORDER BY step.id") }

  /// Undoes the last step, whichever program made it.
  ///
  /// - Returns: the step; nil if there is nothing to undo.
  /// - Throws: `ListError.historyDiffers` if a row is not where the step left it, `damaged` if the history lost an edit
  ///   of the step; nothing is changed.
  /// - Complexity: O(edits of the step).
  @discardableResult
  public mutating func undo() throws -> HistoryStep? { try undo(expecting: nil)?.step }

  /// Redoes the step that was last undone.
  ///
  /// A new edit makes redo impossible.
  ///
  /// - Returns: the step; nil if there is nothing to redo.
  /// - Throws: the same errors as `undo`.
  @discardableResult
  public mutating func redo() throws -> HistoryStep? { try redo(expecting: nil)?.step }

  /// Undoes a step, if it is the last one.
  ///
  /// - Parameters:
  ///   - expected: the step that the user was shown; if a different one would be undone, none is; nil for any.
  ///   - limit: the maximum number of edits that the outcome describes; the rest of a longer step is only
  ///     counted.
  /// - Returns: the step and what changed; nil if there is nothing to undo.
  /// - Throws: `ListError.historyDiffers` if a row is not where the step left it, `damaged` if the history lost an edit
  ///   of the step, `otherStep`; nothing is changed.
  /// - Complexity: O(edits of the step).
  @discardableResult
  package mutating func undo(
    expecting expected: HistoryStep?, limit: Int = 1000
  ) throws -> RevertedStep? {
    try revert(undoable(), .undo, expected, limit)
  }

  /// Redoes a step, if it was the last one to be undone.
  ///
  /// - Parameters:
  ///   - expected: the step that the user was shown; if a different one would be redone, none is.
  ///   - limit: as for `undo`.
  /// - Returns: the step and what changed; nil if there is nothing to redo.
  /// - Throws: the same errors as `undo`.
  @discardableResult
  package mutating func redo(
    expecting expected: HistoryStep?, limit: Int = 1000
  ) throws -> RevertedStep? {
    try revert(redoable(), .redo, expected, limit)
  }

  private func revert(
    _ step: HistoryStep?, _ kind: HistoryStep.Kind, _ expected: HistoryStep?, _ limit: Int
  ) throws -> RevertedStep? {
    if let expected, step?.isSame(expected) != true {
      throw ListError.otherStep(expected: expected.id, found: step?.id)
    }
    guard let step else {
      try requireHistory(of: [])
      return nil
    }
    try requireHistory(inEffectOf: step.id)
    let last = try lastEdit()
    do {
      try atomically {
        // A place or a section that is not there any more is a difference, too.
        try edit({ [.history, .place, .section].contains($0) ? .rowElsewhere : nil }) {
          try Migrations.manyRows.revert(step: step.id, kind.rawValue, connection)
        }
      }
    } catch ListError.historyDiffers {
      throw try difference(from: step.id)
    } catch ListError.damaged {
      // What a table refuses in a sound list is what the history says. A cluster has no file to look at.
      throw try !connection.isRemote && check().isEmpty ? difference(from: step.id) : ListError.damaged
    }
    guard let reverted = try self.step(step.id) else { return nil }
    return RevertedStep(step: reverted, outcome: try outcome(after: last, limit: limit))
  }

  /// Verifies that no edit by which a step is in effect is missing, and no step after it: what would be undone is another one.
  ///
  /// - Throws: `ListError.damaged`.
  func requireHistory(inEffectOf step: HistoryStep.ID) throws {
    try requireHistory(of: [lastRedo(of: step) ?? step])
  }

  private func step(where condition: String) throws -> HistoryStep? {
    try connection.fetchOne("\(HistoryStep.query) WHERE \(condition) LIMIT 1") { HistoryStep($0) }
  }

  /// The error for a step that was refused; it names the row, which is found by reverting the edits one by one.
  ///
  /// Nothing is changed.
  private func difference(from step: HistoryStep.ID) throws -> ListError {
    struct Found: Error {}
    var customer: CustomerID?
    do {
      try connection.savepoint {
        guard let range = try editsInEffect(of: step) else { throw Found() }
        try EditLog(from: range.lowerBound, in: self).forEachBackwards(in: self) { edit in
          guard range.contains(edit.number) else { return }
          do {
            try Migrations.manyRows.revert(edit: edit.number, connection)
          } catch is SQLiteError {
            customer = try firstDifference(from: edit)
            throw Found()
          }
        }
        throw Found()
      }
    } catch is Found {}
    return .historyDiffers(step: step, customer: customer)
  }

  /// The first customer who is not where an edit left it; nil if it is about a section.
  func firstDifference(from edit: LoggedEdit) throws -> CustomerID? {
    switch edit.change {
    case .insert(let id, _), .delete(let id, _), .move(let id, _, _), .update(let id, _): return id
    // A line that is missing has no customer.
    case .line(_, let id, _): return id.rawValue > 0 ? id : nil
    case .insertMany(let first, let count, let start):
      return first.next(count).enumerated().first { index, id in
        (try? place(of: id)) != CustomerPlace(section: start.section, order: start.order + index)
      }?.element
    case .deleteMany(let first, let count, _):
      return try first.next(count).first { try !isDeleted($0) }
    case .rows(let changes):
      return try changes.first { try $0.to == nil ? !isDeleted($0.id) : (try? place(of: $0.id)) != $0.to }?.id
    case .arrange(_, let moves): return moves.first { (try? place(of: $0.id)) != $0.to }?.id
    case .column: return try customers(ofColumnEdit: edit.number).first { (try? place(of: $0)) == nil }
    case .entry, .insertSection, .deleteSection, .moveSection, .updateSection: return nil
    }
  }

  func isDeleted(_ id: CustomerID) throws -> Bool {
    try connection.fetchOne("SELECT 1 FROM deleted_row WHERE customer = ?", [.id(id)]) { _ in true } ?? false
  }
}

extension ListError {
  /// The refusal of an edit, for a caller that then names the step and the row.
  static let rowElsewhere = ListError.historyDiffers(step: 0, customer: nil)
}

extension CustomerID {
  /// This id and those after it.
  fileprivate func next(_ count: Int) -> some Sequence<CustomerID> {
    (0..<Int64(count)).lazy.map { CustomerID(rawValue: rawValue + $0) }
  }
}
