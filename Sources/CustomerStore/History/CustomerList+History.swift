internal import SQLite

extension CustomerList {
  /// Takes the last step back that is done, whoever made it.
  ///
  /// - Returns: the step, or nil if the history has none.
  /// - Throws: `ListError.historyDiffers` if a row is not where the history left it.
  /// - Complexity: O(edits of the step).
  @discardableResult
  public mutating func undo() throws -> HistoryStep? {
    try turn(
      "SELECT id FROM history_step WHERE kind = 'edit' AND state = 'done' ORDER BY id DESC LIMIT 1", .undo)
  }

  /// Does the step again that was taken back last.
  ///
  /// A new edit makes that impossible.
  ///
  /// - Returns: the step, or nil if there is none.
  /// - Throws: as `undo`.
  @discardableResult
  public mutating func redo() throws -> HistoryStep? {
    try turn("SELECT id FROM history_step WHERE state = 'undone' ORDER BY id LIMIT 1", .redo)
  }

  private func turn(_ query: String, _ kind: HistoryStep.Kind) throws -> HistoryStep? {
    try writePlan()
    guard let id = try connection.fetchOne(query, [], { $0.integer(0) }) else { return nil }
    try edit(
      "INSERT INTO turn_step SELECT ?, ?, ifnull(program, '') FROM history_state",
      [.integer(id), .text(kind.rawValue)]
    ) { $0 == .history ? .historyDiffers : nil }
    return try step(id)
  }

  /// The latest steps, the last one first.
  public func history(limit: Int = .max) throws -> [HistoryStep] {
    return try connection.fetchAll(
      "\(HistoryStep.query) ORDER BY step.id DESC LIMIT ?", [.integer(limit)]
    ) { HistoryStep($0) }
  }

  /// A step; nil if the history has forgotten it.
  public func step(_ id: Int64) throws -> HistoryStep? {
    return try connection.fetchOne("\(HistoryStep.query) WHERE step.id = ?", [.integer(id)]) {
      HistoryStep($0)
    }
  }

  /// The step that this transaction is making; nil before its first edit.
  public func currentStep() throws -> HistoryStep? {
    return try connection.fetchOne("\(HistoryStep.query) WHERE step.is_open ORDER BY step.id DESC LIMIT 1") {
      HistoryStep($0)
    }
  }

  /// The edits of a step, in the order made, at most `limit`.
  public func changes(of step: Int64, limit: Int = .max) throws -> [ListChange] {
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
