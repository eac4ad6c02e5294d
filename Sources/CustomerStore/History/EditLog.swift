internal import CustomersSQLite

/// An edit in the log: the change and the values that it replaced.
struct LoggedEdit {
  var number: Int64
  var change: ListChange
  var old: OldValues
}

extension LoggedEdit {
  /// Whether the edit, an update, gave a customer the fields or the protection that it has now.
  func changed(_ customer: Customer) -> Bool { !old.columns(notIn: customer).isEmpty }

  /// The same for the title and the footer of a section.
  func changed(_ section: CustomerSection) -> Bool { old.differ(from: section) }
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

  static let names =
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

  /// The columns of a customer that have another value now.
  func columns(notIn customer: Customer) -> Set<String> {
    var columns = Set(fields.filter { customer.fields[$0.key] != $0.value }.keys.map(\.column))
    if let extra, !customer.fields.extraColumns.differences(from: ExtraColumns(extra)).isEmpty {
      columns.insert("extra")
    }
    if canEdit ?? customer.canEdit != customer.canEdit { columns.insert("can_edit") }
    if canMove ?? customer.canMove != customer.canMove { columns.insert("can_move") }
    return columns
  }

  /// Whether the title or the footer of a section is another one now.
  func differ(from section: CustomerSection) -> Bool {
    (title ?? section.title, footer ?? section.footer) != (section.title, section.footer)
  }

  /// The values before this update of a customer, a section, or an entry, and a later one.
  func over(_ later: OldValues?) -> OldValues {
    guard var values = later else { return self }
    values.fields.merge(fields) { $1 }
    values.extra = extra ?? values.extra
    values.canEdit = canEdit ?? values.canEdit
    values.canMove = canMove ?? values.canMove
    values.title = title ?? values.title
    values.footer = footer ?? values.footer
    values.name = name ?? values.name
    values.value = value ?? values.value
    values.place = place ?? values.place
    values.choices = choices ?? values.choices
    return values
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

    /// Whether lines of logs changed.
    var hasLines: Bool {
      guard case .all(let changes) = self else { return false }
      return changes.contains { if case .line = $0.change { true } else { false } }
    }
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
