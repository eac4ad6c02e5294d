internal import CustomersSQLite

/// The history of a damaged file.
extension Rebuilding {
  /// Starts a new history if the old one is not whole: an undo could not be trusted.
  func carryHistory() throws -> Bool {
    if try !target.fetchAll(CustomerList.brokenLimit, [], { _ in true }).isEmpty {
      try target.executeScript(
        "DELETE FROM history_limit; INSERT INTO history_limit VALUES (10000, 64000000)")
      note("the limit of the history is the usual one")
    }
    let losesHistory = try eraseBrokenHistory()
    // Without these, a copy may bring back what was deleted here since, which can be seen and undone.
    if try format > 11 && !target.fetchAll(CustomerList.brokenStates, [], { _ in true }).isEmpty {
      try target.executeScript("DELETE FROM known_state; DELETE FROM undone_pull; DELETE FROM pulled_time")
      lose("what other copies of the list have", isInCopies: false)
    }
    return losesHistory
  }

  /// Erases the history if it is not whole; returns whether it did.
  private func eraseBrokenHistory() throws -> Bool {
    let tables = ["edit_record", "history_edit", "history_row", "history_step"]
    let isIncomplete = !incomplete.isDisjoint(with: tables)
    let log = format > 11 ? LogRules.current : .older
    guard
      try losesHistory || isIncomplete || !target.fetchAll(log.broken, [], { _ in true }).isEmpty
        || hasWrongRuns()
    else { return false }
    let steps = try target.fetchOne("SELECT count(*) FROM history_step") { $0.int(0) } ?? 0
    let customers = try customers()
    try target.executeScript(log.erase)
    let count = counted(steps, "step")
    lose(incomplete.contains("history_step") ? "the history" : "the history (\(count))", isInCopies: false)
    if format > 11 { try continueSteps() }
    for id in try customers.subtracting(self.customers()).sorted() {
      lose("the deleted customer @\(id)", isInCopies: false)
    }
    return true
  }

  /// Whether an edit of rows with consecutive ids names customers that never were, and not only some that can't be read.
  private func hasWrongRuns() throws -> Bool {
    let last = try greatestFoundID()
    return try target.fetchAll(CustomerList.lackingRuns) { run in
      run.int(1) > CustomerList.mostUncounted || run.integer(0) + run.integer(1) - 1 > last
    }.contains(true)
  }

  /// Keeps a step with the number of the last one, so that the states of other copies stay those that earlier steps took in.
  private func continueSteps() throws {
    try target.executeScript(
      """
      INSERT INTO history_step (id, at, program, user, host, action, kind, state, last, is_open, first_edit, bytes_before, bytes)
      SELECT id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), '', '', '', '', 'edit', 'dropped', id, 0, 1 + ifnull(edit, 0), 0, 0
      FROM (SELECT max(
          ifnull((SELECT max(step) FROM old_mark WHERE step <= \(CustomerList.greatestID)), 0),
          ifnull((SELECT max(step) FROM known_state WHERE step <= \(CustomerList.greatestID)), 0)) AS id,
        (SELECT max(last_edit) FROM old_mark
          WHERE typeof(last_edit) = 'integer' AND last_edit BETWEEN 0 AND \(CustomerList.greatestID)) AS edit)
      WHERE id > 0
      """)
  }

  private func customers() throws -> Set<Int64> {
    Set(try target.fetchAll("SELECT id FROM customer_record") { $0.integer(0) })
  }
}
