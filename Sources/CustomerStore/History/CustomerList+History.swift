internal import CustomersSQLite

extension CustomerList {
  /// The latest steps, the last one first.
  public func history(limit: Int = .max) throws -> [HistoryStep] {
    return try connection.fetchAll(
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

  /// A step; nil if the history has forgotten it.
  package func step(_ id: Int64) throws -> HistoryStep? {
    return try connection.fetchOne("\(HistoryStep.query) WHERE step.id = ?", [.integer(id)]) {
      HistoryStep($0)
    }
  }

  /// The number of the first step that the history has; 1 if it has forgotten none, nil if it has none.
  package func firstStep() throws -> Int64? {
    try connection.fetchOne("SELECT min(id) FROM history_step") { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
  }

  /// The steps that have edits of a customer, even if it is deleted, the last one first.
  ///
  /// - Complexity: O(edits in the history).
  package func history(of customer: CustomerID) throws -> [HistoryStep] {
    let sql = """
      \(HistoryStep.query)
      WHERE step.id IN (
        SELECT step FROM history_edit AS edit
        WHERE kind IN ('insert', 'delete', 'move', 'update') AND row = ?1
          OR kind IN ('insert rows', 'delete rows') AND ?1 BETWEEN row AND row + count - 1
          OR kind IN ('rows', 'arrange', 'column')
            AND EXISTS (SELECT 1 FROM history_row WHERE edit = edit.id AND customer = ?1)
          OR kind IN ('line insert', 'line delete', 'line update')
            AND (customer = ?1 OR EXISTS (SELECT 1 FROM line_record WHERE uid = row AND customer = ?1)))
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
