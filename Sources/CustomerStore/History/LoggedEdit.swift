internal import CustomersSQLite

/// An edit in the log: the change and the values that it replaced.
struct LoggedEdit {
  var number: Int64
  var change: ListChange
  var old: OldValues
}

/// The values that an update replaced; nil for unchanged columns.
struct OldValues {
  private var fields: [CustomerField: FieldValue] = [:]
  private(set) var extra: String?
  private var canEdit: Bool?
  private var canMove: Bool?
  private(set) var title: String?
  private(set) var footer: String?

  fileprivate static let columns =
    (CustomerFields.columnNames + ["can_edit", "can_move", "title", "footer"]).joined(separator: ", ")

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
    for (index, field) in CustomerField.standard.enumerated() where !row.isNull(first + Int32(index)) {
      let column = first + Int32(index)
      fields[field] = field.kind == .flag ? .flag(row.bool(column)) : .text(row.text(column))
    }
    let rest = first + Int32(CustomerField.standard.count)
    extra = row.isNull(rest) ? nil : row.text(rest)
    canEdit = row.isNull(rest + 1) ? nil : row.bool(rest + 1)
    canMove = row.isNull(rest + 2) ? nil : row.bool(rest + 2)
    title = row.isNull(rest + 3) ? nil : row.text(rest + 3)
    footer = row.isNull(rest + 4) ? nil : row.text(rest + 4)
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
  /// The last of them, the last one first.
  private let page: [LoggedEdit]
  /// Whether that is all.
  private var isComplete: Bool { page.count < Self.pageSize }

  /// The changes in a part of the log.
  enum Part {
    case all([ListChange])
    /// More than wanted: how many.
    case tooMany(Int)
  }

  init(from first: Int64, in list: borrowing CustomerList) throws {
    self.first = first
    page = try list.edits(from: first, before: .max, limit: Self.pageSize)
  }

  /// The changes of the edits with these numbers, in order.
  func changes(in edits: Range<Int64>, limit: Int, in list: borrowing CustomerList) throws -> Part {
    if isComplete {
      let found = page.reversed().filter { edits.contains($0.number) }.map(\.change)
      let count = found.reduce(0) { $0 + $1.rowsToDescribe }
      return count <= limit ? .all(found) : .tooMany(count)
    }
    let end = min(edits.upperBound, max(edits.lowerBound, try list.lastEdit().saturatingAdding(1)))
    let count = (edits.lowerBound..<end).saturatingCount
    guard count <= limit else { return .tooMany(count) }
    return .all(try list.changes(from: edits.lowerBound, to: end, limit: limit).map(\.change))
  }

  /// Passes all of them to `body`, the last one first, a few at a time in memory.
  func forEachBackwards(in list: borrowing CustomerList, _ body: (LoggedEdit) throws -> Void) throws {
    var page = page
    while true {
      for edit in page { try body(edit) }
      guard page.count == Self.pageSize, let last = page.last else { return }
      page = try list.edits(from: first, before: last.number, limit: Self.pageSize)
    }
  }
}

extension ListChange {
  /// The number of rows that it names one by one, at least 1.
  fileprivate var rowsToDescribe: Int {
    if case .arrange(_, let moves) = self { max(1, moves.count) } else { 1 }
  }
}

extension CustomerList {
  /// The last edits with numbers in a range, the last one first.
  fileprivate func edits(from first: Int64, before next: Int64, limit: Int) throws -> [LoggedEdit] {
    try connection.fetchAll(
      """
      SELECT id, kind, row, count, section, "order", to_section, to_order, name, to_name,
        \(OldValues.columns)
      FROM history_edit WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?
      """, [.integer(first), .integer(next), .integer(limit)]
    ) { row in
      LoggedEdit(number: row.integer(0), change: try change(row), old: OldValues(row, from: 10))
    }
  }
}
