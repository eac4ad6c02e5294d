internal import CustomersSQLite

extension CustomerList {
  /// The latest steps, the last one first.
  public func history(limit: Int = .max) throws -> [HistoryStep] {
    try connection.fetchAll(
      "\(HistoryStep.query) ORDER BY step.id DESC LIMIT ?", [.integer(max(0, limit))]
    ) { HistoryStep($0) }
  }

  /// The steps that have edits after an edit, the first one first.
  package func history(after edit: Int64) throws -> [HistoryStep] {
    guard edit < .max else { return [] }
    let sql = """
      \(HistoryStep.query)
      WHERE step.id >= (SELECT max(id) FROM history_step WHERE first_edit <= ?) ORDER BY step.id
      """
    return try connection.fetchAll(sql, [.integer(edit + 1)]) { HistoryStep($0) }
      .filter { $0.edits.upperBound > edit + 1 }
  }

  /// Verifies that from the first of some steps to the last, none and no edit is missing, and none after all steps.
  ///
  /// - Throws: `ListError.damaged`, because what is left would not tell.
  /// - Complexity: O(edits of these steps), and O(rows of those that changed many at once).
  func requireHistory(of steps: [HistoryStep.ID]) throws {
    // +kind: SQLite would make an index of all edits.
    let sql = """
      SELECT 1 FROM incomplete_step WHERE id BETWEEN ?1 AND ?2
      UNION ALL SELECT 1 WHERE (SELECT count(*) FROM history_step WHERE id BETWEEN ?1 AND ?2) <> ?2 - ?1 + 1
      UNION ALL SELECT 1 FROM history_edit
      WHERE step BETWEEN ?1 AND ?2 AND +kind = 'rows'
        AND count <> (SELECT count(*) FROM history_row WHERE edit = history_edit.id)
      -- A sort has no count of the rows that it moved, but 12 bytes for each.
      UNION ALL SELECT 1 FROM history_step AS sort
      WHERE id BETWEEN ?1 AND ?2 AND ifnull(first_kind, 'arrange') = 'arrange'
        AND NOT EXISTS (SELECT 1 FROM history_edit WHERE step = sort.id AND +kind <> 'arrange')
        AND bytes - 32 * edits
          > 12 * (SELECT count(*) FROM history_row WHERE edit BETWEEN first_edit AND first_edit + edits - 1)
      UNION ALL SELECT 1 WHERE (SELECT max(id) FROM edit_record) > (SELECT id FROM last_edit)
      LIMIT 1
      """
    let ends: [SQLiteValue] = [.integer(steps.min() ?? 1), .integer(steps.max() ?? 0)]
    if try connection.fetchOne(sql, ends, { _ in true }) != nil {
      throw ListError.damaged
    }
  }

  /// A step; nil if the history has forgotten it.
  ///
  /// - Throws: `ListError.damaged` if steps are missing; `StoreError`.
  package func step(_ id: Int64) throws -> HistoryStep? {
    let found = try connection.fetchOne("\(HistoryStep.query) WHERE step.id = ?", [.integer(id)]) {
      HistoryStep($0)
    }
    if found == nil { try requireHistory(of: []) }
    return found
  }

  /// The number of the first step that the history has; 1 if it has forgotten none, nil if it has none.
  package func firstStep() throws -> Int64? {
    try connection.fetchOne("SELECT min(id) FROM history_step") { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
  }

  /// The steps that have edits of a customer, even if it is deleted, the last one first.
  ///
  /// - Throws: `ListError.damaged` if the history lost a step or an edit; `StoreError`.
  /// - Complexity: O(edits in the history).
  package func history(of customer: CustomerID) throws -> [HistoryStep] {
    try requireHistory(of: [firstStep(), history(limit: 1).first?.id].compactMap(\.self))
    let sql = """
      \(HistoryStep.query)
      WHERE step.id IN (
        SELECT step FROM history_edit AS edit
        WHERE kind IN ('insert', 'delete', 'move', 'update') AND row = ?1
          OR kind IN ('insert rows', 'delete rows') AND ?1 BETWEEN row AND row + count - 1
          OR kind IN ('rows', 'arrange', 'column')
            AND EXISTS (SELECT 1 FROM history_row WHERE edit = edit.id AND customer = ?1)
          OR kind IN ('line insert', 'line delete', 'line update')
            AND (customer = ?1 OR EXISTS (SELECT 1 FROM line_record WHERE uid = row AND customer = ?1)
              -- Another customer has it now.
              OR row IN (SELECT row FROM history_edit WHERE kind = 'line update' AND customer = ?1)))
      ORDER BY step.id DESC
      """
    return try connection.fetchAll(sql, [.id(customer)]) { HistoryStep($0) }
  }

  /// The step that this transaction is making; nil before its first edit.
  package func currentStep() throws -> HistoryStep? {
    return try connection.fetchOne("\(HistoryStep.query) WHERE step.is_open ORDER BY step.id DESC LIMIT 1") {
      HistoryStep($0)
    }
  }

  /// The edits of a step, in the order made, at most `limit`.
  package func changes(of step: Int64, limit: Int = .max) throws -> [ListChange] {
    guard let edits = try self.step(step)?.edits else { return [] }
    return try changes(from: edits.lowerBound, to: edits.upperBound, limit: limit).map(\.change)
  }

  /// Erases the history: nothing can be undone, and deleted data is overwritten in the file.
  ///
  /// - Throws: `StoreError.damaged`, `ListError.incomplete`, or `ListError.damaged` if the file is damaged: then undo may
  ///   restore what is nowhere else.
  /// - Complexity: O(size of the file).
  package mutating func forgetHistory() throws {
    if connection.isRemote {
      // A node has no file to look at here; its list still shows whether rows are missing.
      try requireRows()
    } else if let finding = try check().first {
      throw StoreError.damaged(finding.message)
    }
    try eraseHistory()
  }

  /// The same, without a look at a list that no one but this process has ever had.
  ///
  /// - Throws: `StoreError`.
  package mutating func eraseHistory() throws {
    _ = try recorder.open(connection)
    try connection.execute("INSERT INTO forget_history SELECT max(id) FROM history_step")
  }

  /// Sets how much is kept: at most this many steps and, besides the list, about this many bytes.
  package mutating func limitHistory(steps: Int, bytes: Int) throws {
    try connection.execute(
      "UPDATE history_limit SET steps = ?, bytes = ?", [.integer(max(1, steps)), .integer(max(0, bytes))])
  }
}

extension HistoryStep {
  /// The mark of a step in hexadecimal digits; empty in a damaged list.
  static let mark = "CASE WHEN mark THEN printf('%016x', mark) ELSE '' END"

  static let query = """
    SELECT step.id, at, program, user, host, action, kind, state, digest, first_edit, edits, \(mark),
           ifnull(person, '')
    FROM history_step AS step
    """

  init(_ row: borrowing Statement) {
    id = row.integer(0)
    time = row.text(1)
    program = row.text(2)
    user = row.text(3)
    host = row.text(4)
    action = row.text(5)
    kind = Kind(rawValue: row.text(6)) ?? .edit
    state = State(rawValue: row.text(7)) ?? .done
    digest = row.isNull(8) ? nil : row.text(8)
    firstEdit = row.integer(9)
    editCount = row.int(10)
    mark = row.text(11)
    person = row.text(12)
  }
}
