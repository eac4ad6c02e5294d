internal import CustomersSQLite

extension CustomerList {
  /// What happened since a version, step by step; or the current list, if that is more than `limit` edits or
  /// the history has forgotten some or is another one.
  ///
  /// - Parameters:
  ///   - version: the last known version.
  ///   - limit: the maximum number of edits.
  /// - Returns: steps, or one `reload`, or an empty array if nothing happened.
  /// - Throws: `ListError.damaged`, `StoreError`.
  package func events(after version: ListVersion, limit: Int = 5_000) throws -> [ListEvent] {
    try steps(after: version, limit: limit)?.map(ListEvent.step) ?? [.reload(snapshot())]
  }

  /// What happened since a version, step by step, for callers that read the list themselves.
  ///
  /// - Returns: the steps; nil if they have more than `limit` edits, or the history has forgotten some or is
  ///   another one.
  /// - Throws: `StoreError`.
  package func steps(after version: ListVersion, limit: Int = 5_000) throws -> [ListStep]? {
    let now = try self.version()
    guard try has(version) else { return nil }
    let (edit, last) = (version.edit, now.edit)
    guard edit != last else { return [] }
    guard edit >= 0, edit < last, last - edit <= limit else { return nil }
    let found = try changes(from: edit + 1, to: .max, limit: limit)
    guard found.count == last - edit else { return nil }
    var changes = found.map(\.change)
    let customers = try self.customers(changes.flatMap(\.customersWithNewFields))
    changes.setPlacesOfUpdates(now: customers.mapValues(\.place))
    let heads = try stepHeads(from: edit + 1)
    return try heads.enumerated().map { index, head in
      let next = index + 1 < heads.count ? heads[index + 1].firstEdit : last + 1
      let edits = max(head.firstEdit, edit + 1)...next - 1
      let part = Array(changes[Int(edits.lowerBound - edit - 1)...Int(edits.upperBound - edit - 1)])
      var own: [CustomerID: Customer] = [:]
      for id in part.flatMap(\.customersWithNewFields) { own[id] = customers[id] }
      return ListStep(
        edits: edits, changes: part, mark: head.mark, id: head.id, program: head.program,
        user: head.user, host: head.host,
        action: head.action, kind: head.kind, readAt: now, customers: own,
        sections: try sections(part.compactMap(\.sectionWithNewTitle)))
    }
  }

  private struct StepHead {
    var id: Int64
    var mark: String
    var firstEdit: Int64
    var program: String
    var user: String
    var host: String
    var action: String
    var kind: HistoryStep.Kind
  }

  /// The steps that have edits, starting with the one that contains this edit.
  private func stepHeads(from edit: Int64) throws -> [StepHead] {
    try connection.fetchAll(
      """
      SELECT id, first_edit, program, user, host, action, kind, \(HistoryStep.mark) FROM history_step
      WHERE id >= (SELECT max(id) FROM history_step WHERE first_edit <= ?) AND edits > 0 ORDER BY id
      """, [.integer(edit)]
    ) { row in
      StepHead(
        id: row.integer(0), mark: row.text(7), firstEdit: row.integer(1), program: row.text(2),
        user: row.text(3),
        host: row.text(4), action: row.text(5), kind: HistoryStep.Kind(rawValue: row.text(6)) ?? .edit)
    }
  }

  private func sections(_ ids: [SectionID]) throws -> [SectionID: CustomerSection] {
    guard !ids.isEmpty else { return [:] }
    let sections = try sections().filter { ids.contains($0.id) }
    return Dictionary(sections.map { ($0.id, $0) }) { first, _ in first }
  }
}

extension ListChange {
  fileprivate var customersWithNewFields: [CustomerID] {
    switch self {
    case .insert(let id, _), .update(let id, _): [id]
    case .rows(let changes): changes.filter { $0.from == nil }.map(\.id)
    case .line(_, let id, _): [id]
    default: []
    }
  }

  fileprivate var sectionWithNewTitle: SectionID? {
    switch self {
    case .insertSection(let id, _), .updateSection(let id): id
    default: nil
    }
  }
}

extension CustomerList {
  /// The number of the last edit that was made, by any program; 0 in a new list.
  package func lastEdit() throws -> Int64 {
    return try connection.fetchOne("SELECT id FROM last_edit") { Int64($0.int(0)) } ?? 0
  }

  /// Returns the changes since a version, in order, at most `limit` edits.
  ///
  /// - Parameters:
  ///   - version: the last known version: `version` when the list was read.
  ///   - limit: the maximum number of edits.
  /// - Returns: the changes and the version after the last one; nil if the history has forgotten some, or is
  ///   another one, so that the list must be read again.
  /// - Throws: `StoreError`.
  package func changes(
    after version: ListVersion, limit: Int = 1000
  ) throws -> (changes: [ListChange], version: ListVersion)? {
    let (edit, now) = (version.edit, try self.version())
    guard edit < .max, try has(version) else { return nil }
    let found = try changes(from: edit + 1, to: .max, limit: limit)
    guard let first = found.first, let last = found.last else {
      return now.edit == edit ? ([], now) : nil
    }
    return first.edit == edit + 1 ? (found.map(\.change), try self.version(at: last.edit)) : nil
  }

  /// Passes the changes from an edit on to `body`, in order, a few at a time in memory.
  func forEachChange(
    from first: Int64, to next: Int64 = .max, _ body: (_ edit: Int64, ListChange) throws -> Void
  ) throws {
    var first = first
    while case let page = try changes(from: first, to: next, limit: 1000), let last = page.last {
      for (edit, change) in page { try body(edit, change) }
      first = last.edit.saturatingAdding(1)
    }
  }

  /// The log from edit `?1` to the one before `?2`, as a table.
  ///
  /// The view `history_edit` would read a step from its first edit on, which may be long ago in a script.
  static let loggedEdits: String = {
    let places = ["row", "count", "section", "\"order\"", "to_section", "to_order"]
    let values = OldValues.names + ["to_name"]
    let steps = """
      step.id >= (SELECT ifnull(max(id), 0) FROM history_step WHERE first_edit <= ?1)
        AND step.id <= (SELECT max(id) FROM history_step WHERE first_edit < ?2)
      """
    return """
      (SELECT id AS step, first_edit AS id, first_kind AS kind, \(places.joined(separator: ", ")),
        \(values.map { "CAST(NULL AS BLOB) AS \($0)" }.joined(separator: ", "))
      FROM history_step AS step
      WHERE first_kind IS NOT NULL AND first_edit >= ?1 AND first_edit < ?2 AND \(steps)
      UNION ALL
      SELECT step.id, edit.id, edit.kind,
        \((places + values).map { "edit.\($0)" }.joined(separator: ", "))
      FROM history_step AS step
      CROSS JOIN edit_record AS edit ON edit.id BETWEEN max(first_edit, ?1) AND min(first_edit + edits, ?2) - 1
      WHERE \(steps))
      """
  }()

  func changes(from first: Int64, to next: Int64, limit: Int) throws -> [(edit: Int64, change: ListChange)] {
    return try connection.fetchAll(
      """
      SELECT id, kind, row, count, section, "order", to_section, to_order, name, to_name, step
      FROM \(Self.loggedEdits) ORDER BY step, id LIMIT ?3
      """, [.integer(first), .integer(next), .integer(max(0, limit))]
    ) { row in (row.integer(0), try change(row)) }
  }

  /// Decodes a row of the log.
  ///
  /// An arrangement of more than `mostMoves` rows is read without them.
  func change(_ row: borrowing Statement, mostMoves: Int = .max) throws -> ListChange {
    if let edit = LineEdit(of: "entry", kind: row.text(1)) { return .entry(row.integer(2), edit) }
    if let edit = LineEdit(of: "line", kind: row.text(1)) {
      let line = LogLineID(rawValue: row.integer(2))
      return .line(line, of: try lines([line])[line]?.line.customer ?? CustomerID(rawValue: 0), edit)
    }
    try refuseWrongRange(first: row.integer(2), count: row.int(3))
    let customer = CustomerID(rawValue: row.integer(2))
    let section = SectionID(rawValue: row.integer(2))
    let from = CustomerPlace(section: SectionID(rawValue: row.integer(4)), order: row.int(5))
    let to = CustomerPlace(section: SectionID(rawValue: row.integer(6)), order: row.int(7))
    return switch row.text(1) {
    case "insert": .insert(customer, at: to)
    case "delete": .delete(customer, from: from)
    case "move": .move(customer, from: from, to: to)
    case "insert rows": .insertMany(first: customer, count: row.int(3), at: to)
    case "delete rows": .deleteMany(first: customer, count: row.int(3), from: from)
    case "rows": .rows(try rows(ofEdit: row.integer(0)))
    case "arrange": try arrangement(row.integer(0), of: section, mostMoves: mostMoves)
    case "section insert": .insertSection(section, at: to.order)
    case "section delete": .deleteSection(section, from: from.order)
    case "section move": .moveSection(section, from: from.order, to: to.order)
    case "section update": .updateSection(section)
    case "column": .column(from: row.isNull(8) ? nil : row.text(8), to: row.isNull(9) ? nil : row.text(9))
    default: .update(customer, at: nil)
    }
  }

  /// A longer range of ids that the history names is counted before it is read.
  static let mostUncounted = 1_000_000

  /// Refuses ranges of ids that can't be valid; the history keeps every record that it names, but for those that a repair
  /// could not read.
  ///
  /// - Throws: `ListError.damaged`.
  private func refuseWrongRange(first: Int64, count: Int) throws {
    guard (0...Self.greatestID).contains(first), (0...Int(Self.greatestID)).contains(count) else {
      throw ListError.damaged
    }
    guard count > Self.mostUncounted else { return }
    let found = try connection.fetchOne(
      "SELECT count(*) FROM customer_record WHERE id BETWEEN ?1 AND ?1 + ?2 - 1",
      [.integer(first), .integer(count)]
    ) { $0.int(0) }
    guard found == count else { throw ListError.damaged }
  }

  /// Lines as they are, or as they were when they were deleted.
  func lines(_ ids: some Sequence<LogLineID>) throws -> [LogLineID: (line: LogLine, isThere: Bool)] {
    let sql = "SELECT \(LogLine.columns), deleted_by IS NULL FROM line_record WHERE uid = ?"
    return try ids.reduce(into: [:]) { lines, id in
      lines[id] = try connection.fetchOne(sql, [.integer(id.rawValue)]) { (LogLine($0), $0.bool(5)) }
    }
  }

  private func rows(ofEdit edit: Int64) throws -> [RowChange] {
    try connection.fetchAll(
      #"SELECT customer, section, "order", to_section, to_order FROM history_row WHERE edit = ?"#,
      [.integer(edit)]
    ) { row in
      RowChange(
        id: CustomerID(rawValue: row.integer(0)),
        from: row.isNull(1)
          ? nil : CustomerPlace(section: SectionID(rawValue: row.integer(1)), order: row.int(2)),
        to: row.isNull(3)
          ? nil : CustomerPlace(section: SectionID(rawValue: row.integer(3)), order: row.int(4)))
    }
  }

  private func arrangement(_ edit: Int64, of section: SectionID, mostMoves: Int) throws -> ListChange {
    let isBig = try mostMoves < .max && rowCount(ofEdit: edit) > mostMoves
    return .arrange(section, isBig ? [] : try moves(ofEdit: edit, in: section))
  }

  /// The first rows that an arrangement moved, by their new places.
  func moves(ofEdit edit: Int64, in section: SectionID, limit: Int = .max) throws -> [CustomerMove] {
    try connection.fetchAll(
      #"SELECT customer, "order", to_order FROM history_row WHERE edit = ? ORDER BY to_order LIMIT ?"#,
      [.integer(edit), .integer(limit)]
    ) { row in
      CustomerMove(
        id: CustomerID(rawValue: row.integer(0)), from: CustomerPlace(section: section, order: row.int(1)),
        to: CustomerPlace(section: section, order: row.int(2)))
    }
  }
}

extension CustomerList {
  /// The number of rows that an arrangement moved.
  func rowCount(ofEdit edit: Int64) throws -> Int {
    // Its rows have places in the section of the edit; those of other edits have sections or no place.
    let condition = "edit = ? AND to_order IS NOT NULL AND to_section IS NULL"
    return try connection.fetchOne("SELECT count(*) FROM history_row WHERE \(condition)", [.integer(edit)]) {
      $0.int(0)
    } ?? 0
  }

  /// The place of a row before an edit, from its place after it; nil if it is not in the list. O(log rows)
  func place(before edit: LoggedEdit, of id: CustomerID, at place: CustomerPlace?) throws -> CustomerPlace? {
    guard case .arrange(let section, _) = edit.change else { return edit.change.placeBefore(place, of: id) }
    let moved = try connection.fetchOne(
      #"SELECT "order" FROM history_row WHERE edit = ? AND customer = ?"#, [.integer(edit.number), .id(id)]
    ) { CustomerPlace(section: section, order: $0.int(0)) }
    return moved ?? place
  }
}
