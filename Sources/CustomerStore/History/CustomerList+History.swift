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

  /// Refuses ranges of ids that can't be valid; the history keeps every record that it names.
  ///
  /// - Throws: `ListError.damaged`.
  private func refuseWrongRange(first: Int64, count: Int) throws {
    guard (0...Self.greatestID).contains(first), (0...Int(Self.greatestID)).contains(count) else {
      throw ListError.damaged
    }
    guard count > 1_000_000 else { return }
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

/// An edit in the log: the change and the values that it replaced.
struct LoggedEdit {
  var number: Int64
  var change: ListChange
  var old: OldValues
}

extension LoggedEdit {
  /// Whether the edit, an update, gave a customer the fields or the protection that it has now.
  func changed(_ customer: Customer) -> Bool {
    let before = old.applied(to: customer)
    return !customer.fields.differences(from: before.fields).isEmpty
      || (customer.canEdit, customer.canMove) != (before.canEdit, before.canMove)
  }

  /// The same for the title and the footer of a section.
  func changed(_ section: CustomerSection) -> Bool {
    (old.title ?? section.title, old.footer ?? section.footer) != (section.title, section.footer)
  }
}

/// The values that an update replaced; nil for unchanged columns.
struct OldValues {
  private var fields: [CustomerField: FieldValue] = [:]
  private(set) var extra: String?
  private var canEdit: Bool?
  private var canMove: Bool?
  private(set) var title: String?
  private(set) var footer: String?
  private var customer: CustomerID?
  private var time: String?
  private var author: String?
  private var text: String?
  private var name: String?
  private var value: String?
  private var place: Int?
  private var choices: String?

  fileprivate static let names =
    CustomerFields.columnNames + [
      "can_edit", "can_move", "title", "footer", "customer", "line_at", "author", "text", "name", "value",
      "place",
      "choices",
    ]
  fileprivate static let columns = names.joined(separator: ", ")

  /// The columns of the view that have another value since.
  var columns: Set<String> {
    var columns = Set(fields.keys.map(\.column))
    if extra != nil { columns.insert("extra") }
    if canEdit != nil { columns.insert("can_edit") }
    if canMove != nil { columns.insert("can_move") }
    return columns
  }

  /// Decodes `columns`, from column `first` on.
  fileprivate init(_ row: borrowing Statement, from first: Int32) {
    for (index, field) in CustomerField.stored.enumerated() where !row.isNull(first + Int32(index)) {
      let column = first + Int32(index)
      fields[field] = field.kind == .flag ? .flag(row.bool(column)) : .text(row.text(column))
    }
    let rest = first + Int32(CustomerField.stored.count)
    extra = row.isNull(rest) ? nil : row.text(rest)
    canEdit = row.isNull(rest + 1) ? nil : row.bool(rest + 1)
    canMove = row.isNull(rest + 2) ? nil : row.bool(rest + 2)
    title = row.isNull(rest + 3) ? nil : row.text(rest + 3)
    footer = row.isNull(rest + 4) ? nil : row.text(rest + 4)
    customer = row.isNull(rest + 5) ? nil : CustomerID(rawValue: row.integer(rest + 5))
    time = row.isNull(rest + 6) ? nil : row.text(rest + 6)
    author = row.isNull(rest + 7) ? nil : row.text(rest + 7)
    text = row.isNull(rest + 8) ? nil : row.text(rest + 8)
    name = row.isNull(rest + 9) ? nil : row.text(rest + 9)
    value = row.isNull(rest + 10) ? nil : row.text(rest + 10)
    place = row.isNull(rest + 11) ? nil : row.int(rest + 11)
    choices = row.isNull(rest + 12) ? nil : row.text(rest + 12)
  }

  /// The entry with the values from before.
  func applied(to entry: ListEntry) -> ListEntry {
    ListEntry(
      id: entry.id, kind: entry.kind, name: name ?? entry.name, value: value ?? entry.value,
      place: place ?? entry.place, choices: choices ?? entry.choices)
  }

  /// The line with the values from before.
  func applied(to line: LogLine) -> LogLine {
    LogLine(
      id: line.id, customer: customer ?? line.customer, time: time ?? line.time,
      author: author ?? line.author,
      text: text ?? line.text)
  }

  /// The customer with the values from before.
  func applied(to customer: Customer) -> Customer {
    var customer = customer
    for (field, value) in fields { customer.fields[field] = value }
    customer.fields.extra = extra ?? customer.fields.extra
    customer.canEdit = canEdit ?? customer.canEdit
    customer.canMove = canMove ?? customer.canMove
    return customer
  }
}

/// The edits from a number on; a few of them are read once, and more of them in pages.
struct EditLog {
  private static let pageSize = 500

  private let first: Int64
  /// An arrangement of more rows is read without them.
  private let mostMoves: Int
  /// The last of them, the last one first.
  private let page: [LoggedEdit]
  /// Whether that is all.
  private var isComplete: Bool { page.count < Self.pageSize }

  /// The changes in a part of the log.
  enum Part {
    case all([(edit: Int64, change: ListChange)])
    /// More than wanted: how many.
    case tooMany(Int)
  }

  init(from first: Int64, in list: borrowing CustomerList, mostMoves: Int = .max) throws {
    (self.first, self.mostMoves) = (first, mostMoves)
    page = try list.edits(from: first, before: .max, limit: Self.pageSize, mostMoves: mostMoves)
  }

  /// The changes of the edits in each of some ranges of numbers, which have none in common, in order; `limit` is at most the
  /// `mostMoves` of the log.
  ///
  /// - Complexity: O(edits from the first range to the last one): each is read once, as the log is searched from its end.
  func changes(
    inEach ranges: [Range<Int64>], limit: Int, in list: borrowing CustomerList
  ) throws -> [Part] {
    var counts = [Int](repeating: 0, count: ranges.count)
    var found = [[(edit: Int64, change: ListChange)]](repeating: [], count: ranges.count)
    let order = ranges.indices.sorted { ranges[$0].lowerBound < ranges[$1].lowerBound }
    var next = order[...]
    func take(_ number: Int64, _ change: ListChange) {
      while let first = next.first, ranges[first].upperBound <= number { next.removeFirst() }
      if let first = next.first, ranges[first].contains(number) { found[first].append((number, change)) }
    }
    if isComplete {
      for edit in page.reversed() { take(edit.number, edit.change) }
    } else {
      let end = try list.lastEdit().saturatingAdding(1)
      counts = try ranges.map { try count($0, before: end, in: list) }
      // Those with more are passed over.
      for run in order.split(whereSeparator: { counts[$0] > limit }) {
        guard let first = run.first, let last = run.last else { continue }
        try list.forEachChange(
          from: ranges[first].lowerBound, to: min(end, ranges[last].upperBound), take)
      }
    }
    return try ranges.indices.map { index in
      guard counts[index] <= limit else { return .tooMany(counts[index]) }
      let rows = try found[index].reduce(0) { $0 + (try list.rowsToDescribe(of: $1.change, $1.edit)) }
      return rows <= limit ? .all(found[index]) : .tooMany(rows)
    }
  }

  /// How many edits there are in a range, or rows, if there is one edit.
  private func count(
    _ edits: Range<Int64>, before end: Int64, in list: borrowing CustomerList
  ) throws -> Int {
    let count = (edits.lowerBound..<min(edits.upperBound, max(edits.lowerBound, end))).saturatingCount
    guard count == 1 else { return count }
    return try max(1, list.rowCount(ofEdit: edits.lowerBound))
  }

  /// The edits with some numbers, which are in ascending order, the last one first.
  func edits(_ numbers: [Int64], in list: borrowing CustomerList) throws -> [LoggedEdit] {
    try IDRanges(joining: numbers.map { $0..<$0 + 1 }).ranges.reversed().flatMap { range in
      try list.edits(from: range.lowerBound, before: range.upperBound, limit: .max, mostMoves: mostMoves)
    }
  }

  /// Passes all of them to `body`, the last one first, a few at a time in memory.
  ///
  /// With `customers`, updates of others may be left out.
  func forEachBackwards(
    in list: borrowing CustomerList, about customers: Set<CustomerID>? = nil,
    _ body: (LoggedEdit) throws -> Void
  ) throws {
    var page = page
    while true {
      for edit in page { try body(edit) }
      guard page.count == Self.pageSize, let last = page.last else { return }
      page = try list.edits(
        from: first, before: last.number, limit: Self.pageSize, mostMoves: mostMoves, about: customers)
    }
  }
}

extension CustomerList {
  /// The number of rows that an edit names one by one, at least 1.
  fileprivate func rowsToDescribe(of change: ListChange, _ number: Int64) throws -> Int {
    switch change {
    case .arrange(_, let moves): max(1, moves.isEmpty ? try rowCount(ofEdit: number) : moves.count)
    case .rows(let changes):
      // Long runs of added or deleted rows are described as such.
      changes.runs.reduce(0) { sum, run in
        (run.from == nil) != (run.to == nil) && run.count > EditOutcome.runLength ? sum + 1 : sum + run.count
      }
    default: 1
    }
  }

  /// The last edits with numbers in a range, the last one first.
  ///
  /// An arrangement of more than `mostMoves` rows is read without them, and an update only if it is `about` one of
  /// these customers.
  func edits(
    from first: Int64, before next: Int64, limit: Int, mostMoves: Int = .max,
    about customers: Set<CustomerID>? = nil
  ) throws -> [LoggedEdit] {
    let ids = customers.map { "[" + $0.map { String($0.rawValue) }.joined(separator: ",") + "]" }
    let condition = ids == nil ? "" : "WHERE (kind <> 'update' OR row IN (SELECT value FROM json_each(?4)))"
    return try connection.fetchAll(
      """
      SELECT id, kind, row, count, section, "order", to_section, to_order, name, to_name,
        \(OldValues.columns), step
      FROM \(Self.loggedEdits) \(condition) ORDER BY step DESC, id DESC LIMIT ?3
      """, [.integer(first), .integer(next), .integer(limit)] + (ids.map { [.text($0)] } ?? [])
    ) { row in
      LoggedEdit(
        number: row.integer(0), change: try change(row, mostMoves: mostMoves), old: OldValues(row, from: 10))
    }
  }
}
