internal import CustomersSQLite

/// The extra columns that an edit changed, with their values from before.
struct ExtraChange {
  private(set) var old: [(name: String, value: FieldValue?)] = []
  /// Whether it can't be split by column, because a string is no object.
  private(set) var isWhole = false

  init() {}

  init(from before: String, to after: String) {
    let (before, after) = (ExtraColumns(before), ExtraColumns(after))
    isWhole = before.isWhole || after.isWhole
    old = after.differences(from: before).map { ($0.column, before[$0.column]) }
  }

  /// Adds a later change of the same customer.
  mutating func add(_ change: ExtraChange) {
    old += change.old
    isWhole = isWhole || change.isWhole
  }

  /// Whether both changed the same column.
  func overlaps(_ other: ExtraChange) -> Bool {
    let names = Set(old.map(\.name))
    return isWhole || other.isWhole || other.old.contains { names.contains($0.name) }
  }
}

/// Goes back through the history edit by edit and finds which extra columns of some customers changed.
struct ExtraTrail {
  private let followed: Set<CustomerID>
  /// The columns before the edits that were passed; those of the others are as they are now.
  private var columns: [CustomerID: String] = [:]

  /// Follows the customers whose extra columns were updated by edits with these numbers.
  init(from edits: Range<Int64>, in list: borrowing CustomerList) throws {
    let sql =
      "SELECT row FROM history_edit WHERE id >= ? AND id < ? AND kind = 'update' AND extra IS NOT NULL"
    followed = Set(
      try list.connection.fetchAll(sql, [.integer(edits.lowerBound), .integer(edits.upperBound)]) {
        CustomerID(rawValue: $0.integer(0))
      })
  }

  /// Goes back before an edit; the last edit comes first.
  ///
  /// - Returns: what it changed in the extra columns of customers that are followed.
  mutating func goBack(
    _ edit: LoggedEdit, in list: borrowing CustomerList
  ) throws -> [CustomerID: ExtraChange] {
    var changes: [CustomerID: ExtraChange] = [:]
    for (id, before) in try list.extraColumns(before: edit) where followed.contains(id) {
      let now = "SELECT extra FROM customer_record WHERE id = ?"
      let after = try columns[id] ?? list.connection.fetchOne(now, [.id(id)]) { $0.text(0) } ?? before
      changes[id] = ExtraChange(from: before, to: after)
      columns[id] = before
    }
    return changes
  }
}

extension CustomerList {
  /// The extra columns that an edit replaced, of each customer.
  fileprivate func extraColumns(before edit: LoggedEdit) throws -> [(CustomerID, String)] {
    switch edit.change {
    case .update(let id, _): return edit.old.extra.map { [(id, $0)] } ?? []
    case .column:
      let sql = "SELECT customer, extra FROM history_row WHERE edit = ?"
      return try connection.fetchAll(sql, [.integer(edit.number)]) {
        (CustomerID(rawValue: $0.integer(0)), $0.text(1))
      }
    default: return []
    }
  }

  /// The extra columns of a customer as they are to be written, with other values of some.
  func extraColumns(of id: CustomerID, setting values: ExtraChange) throws -> String {
    let before = try customer(id).fields.extraColumns
    var columns = before
    for (name, value) in values.old { columns[name] = value }
    return try json(columns, changedFrom: before, of: id)
  }

  /// The text of changed extra columns; what does not change stays as it is written in the file, which reading
  /// may have shown without spaces.
  func json(_ columns: ExtraColumns, changedFrom before: ExtraColumns, of id: CustomerID) throws -> String {
    let sql = "SELECT extra FROM customer_record WHERE id = ?"
    let stored = try connection.fetchOne(sql, [.id(id)]) { $0.text(0) } ?? before.json
    return columns.json(changedFrom: before, writtenAs: stored)
  }
}
