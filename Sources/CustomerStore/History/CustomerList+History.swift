internal import SQLite

extension CustomerList {
  /// The step that `undo` would undo, whichever program made it; nil if there is none.
  public func undoable() throws -> HistoryStep? {
    try step(where: "kind = 'edit' AND state = 'done' ORDER BY step.id DESC")
  }

  /// The step that `redo` would redo; nil if there is none.
  public func redoable() throws -> HistoryStep? { try step(where: "state = 'undone' ORDER BY step.id") }

  /// Undoes the last step that is done, whichever program made it.
  ///
  /// - Parameters:
  ///   - expected: the step that the person saw offered; if another one would be undone, none is.
  ///   - limit: the most edits that the outcome describes; those of a longer step it only counts.
  /// - Returns: the step, and what changed; nil if there is nothing to undo.
  /// - Throws: `ListError.historyDiffers` if a row is not where the history left it, `otherStep`.
  /// - Complexity: O(edits of the step).
  @discardableResult
  public mutating func undo(
    expecting expected: HistoryStep.ID? = nil, limit: Int = 1000
  ) throws -> RevertedStep? {
    try revert(undoable(), .undo, expected, limit)
  }

  /// Redoes the step that was undone last.
  ///
  /// A new edit makes that impossible.
  ///
  /// - Parameters:
  ///   - expected: the step that the person saw offered; if another one would be redone, none is.
  ///   - limit: as that of `undo`.
  /// - Returns: the step, and what changed; nil if there is nothing to redo.
  /// - Throws: as `undo`.
  @discardableResult
  public mutating func redo(
    expecting expected: HistoryStep.ID? = nil, limit: Int = 1000
  ) throws -> RevertedStep? {
    try revert(redoable(), .redo, expected, limit)
  }

  private func revert(
    _ step: HistoryStep?, _ kind: HistoryStep.Kind, _ expected: HistoryStep.ID?, _ limit: Int
  ) throws -> RevertedStep? {
    if let expected, step?.id != expected { throw ListError.otherStep(expected: expected, found: step?.id) }
    guard let step else { return nil }
    let before = try outline()
    try edit(
      "INSERT INTO turn_step SELECT ?, ?, ifnull(program, '') FROM history_state",
      [.integer(step.id), .text(kind.rawValue)]
    ) { $0 == .history ? .historyDiffers : nil }
    guard let reverted = try self.step(step.id), let made = try history(limit: 1).first else { return nil }
    return RevertedStep(step: reverted, outcome: try outcome(of: made, before: before, limit: limit))
  }

  private func step(where condition: String) throws -> HistoryStep? {
    try writePlan()
    return try connection.fetchOne("\(HistoryStep.query) WHERE \(condition) LIMIT 1") { HistoryStep($0) }
  }

  /// The latest steps, the last one first.
  public func history(limit: Int = .max) throws -> [HistoryStep] {
    try writePlan()
    return try connection.fetchAll(
      "\(HistoryStep.query) ORDER BY step.id DESC LIMIT ?", [.integer(limit)]
    ) { HistoryStep($0) }
  }

  /// A step; nil if the history has forgotten it.
  public func step(_ id: Int64) throws -> HistoryStep? {
    try writePlan()
    return try connection.fetchOne("\(HistoryStep.query) WHERE step.id = ?", [.integer(id)]) {
      HistoryStep($0)
    }
  }

  /// The step that this transaction is making; nil before its first edit.
  public func currentStep() throws -> HistoryStep? {
    try writePlan()
    return try connection.fetchOne("\(HistoryStep.query) WHERE step.is_open ORDER BY step.id DESC LIMIT 1") {
      HistoryStep($0)
    }
  }

  /// The edits of a step, in the order made, at most `limit`.
  public func changes(of step: Int64, limit: Int = .max) throws -> [ListChange] {
    try writePlan()
    let first = try connection.fetchOne(
      "SELECT first_edit FROM history_step WHERE id = ?", [.integer(step)]
    ) { $0.integer(0) }
    let next = try connection.fetchOne(
      "SELECT first_edit FROM history_step WHERE id = ? + 1", [.integer(step)]
    ) { $0.integer(0) }
    guard let first else { return [] }
    return try changes(from: first, to: next ?? .max, limit: limit).map(\.change)
  }

  /// Forgets all steps: nothing can be undone any more, and what was deleted is overwritten in the file.
  public mutating func forgetHistory() throws {
    try writePlan()
    try connection.execute("INSERT INTO forget_history VALUES (1)")
  }

  /// The name of a customer, also of a deleted one while the history keeps it; nil if it does not.
  public func recordedName(of id: CustomerID) throws -> String? {
    let sql = "SELECT first_name, last_name, company FROM customer_record WHERE id = ?"
    return try connection.fetchOne(sql, [.id(id)]) { row in
      CustomerFields(firstName: row.text(0), lastName: row.text(1), company: row.text(2)).name
    }
  }

  /// The title of a section, also of a deleted one while the history keeps it; nil if it does not.
  public func recordedTitle(of id: SectionID) throws -> String? {
    try connection.fetchOne("SELECT title FROM section_record WHERE id = ?", [.id(id)]) { $0.text(0) }
  }

  /// Sets how much is remembered: at most so many steps and, beside the list, about so many bytes.
  public mutating func limitHistory(steps: Int, bytes: Int) throws {
    try connection.execute(
      "UPDATE history_state SET steps = ?, bytes = ?", [.integer(max(1, steps)), .integer(max(0, bytes))])
  }
}

extension HistoryStep {
  fileprivate static let query = """
    SELECT step.id, at, program, action, kind, state, (
      SELECT count(*) FROM history_edit WHERE id >= step.first_edit AND id < coalesce(
        (SELECT next.first_edit FROM history_step AS next WHERE next.id = step.id + 1), 9223372036854775807))
    FROM history_step AS step
    """

  fileprivate init(_ row: borrowing Statement) {
    id = row.integer(0)
    time = row.text(1)
    program = row.text(2)
    action = row.text(3)
    kind = Kind(rawValue: row.text(4)) ?? .edit
    state = State(rawValue: row.text(5)) ?? .done
    editCount = row.int(6)
  }
}
