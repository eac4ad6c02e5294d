internal import CustomersSQLite

/// An edit in the log: the change, and the values that it replaced.
struct LoggedEdit {
  var number: Int64
  var change: ListChange
  var old: OldValues
}

/// The values that an update replaced; nil for unchanged columns.
struct OldValues {
  private var fields: [CustomerField: FieldValue] = [:]
  private var extra: String?
  private var canEdit: Bool?
  private var canMove: Bool?
  private(set) var title: String?
  private(set) var footer: String?

  fileprivate static let columns =
    CustomerFields.columnNames + ["can_edit", "can_move", "title", "footer"]

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

extension CustomerList {
  /// The edits from a number on, the last one first, a few at a time in memory.
  func forEachEditBackwards(from first: Int64, _ body: (LoggedEdit) throws -> Void) throws {
    let sql = """
      SELECT id, kind, row, count, section, "order", to_section, to_order, name, to_name,
        \(OldValues.columns.joined(separator: ", "))
      FROM history_edit WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 500
      """
    var next = Int64.max
    while true {
      let page = try connection.fetchAll(sql, [.integer(first), .integer(next)]) { row in
        LoggedEdit(number: row.integer(0), change: try change(row), old: OldValues(row, from: 10))
      }
      for edit in page { try body(edit) }
      guard let last = page.last else { return }
      next = last.number
    }
  }
}
