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
  /// - Throws: `ListError.historyDiffers` if a row is not where the step left it, `otherStep`; nothing is changed.
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
    do {
      try edit(
        "INSERT INTO revert_step VALUES (?, ?)", [.integer(step.id), .text(kind.rawValue)]
      ) { $0 == .history ? .rowElsewhere : nil }
    } catch ListError.historyDiffers {
      throw try difference(from: step.id)
    }
    guard let reverted = try self.step(step.id) else { return nil }
    return RevertedStep(step: reverted, outcome: try outcome(after: last, limit: limit))
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
            try connection.execute(
              "INSERT INTO revert_edit SELECT id, kind FROM history_edit WHERE id = ?",
              [.integer(edit.number)])
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
    case .insertMany(let first, let count, let start):
      return first.next(count).enumerated().first { index, id in
        (try? place(of: id)) != CustomerPlace(section: start.section, order: start.order + index)
      }?.element
    case .deleteMany(let first, let count, _):
      return try first.next(count).first { try !isDeleted($0) }
    case .arrange(_, let moves): return moves.first { (try? place(of: $0.id)) != $0.to }?.id
    case .column: return try customers(ofColumnEdit: edit.number).first { (try? place(of: $0)) == nil }
    case .insertSection, .deleteSection, .moveSection, .updateSection: return nil
    }
  }

  private func isDeleted(_ id: CustomerID) throws -> Bool {
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
