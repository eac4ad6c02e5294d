internal import CustomerStore
internal import Formats

/// The columns of an exported file, and what a customer has in them.
///
/// Columns in which no customer has anything to say are left out, but the text fields.
struct ExportLayout {
  private let used: UsedColumns
  private let namesSections: Bool
  /// The columns of a table.
  let columns: [String]

  init(used: UsedColumns, namesSections: Bool) {
    self.used = used
    self.namesSections = namesSections
    var columns = CustomerField.texts.map(\.column)
    if used.hasFavorites { columns.append("is_favorite") }
    if used.hasEditLocks { columns.append("can_edit") }
    if used.hasMoveLocks { columns.append("can_move") }
    if namesSections { columns.append("section") }
    self.columns = columns + ExtraName.escaping(used.extra, beside: columns)
  }

  /// The values of `columns`.
  func values(_ customer: Customer, _ title: String) -> [String] {
    var values = customer.fields.texts
    if used.hasFavorites { values.append(customer.fields.isFavorite ? "1" : "0") }
    if used.hasEditLocks { values.append(customer.canEdit ? "1" : "0") }
    if used.hasMoveLocks { values.append(customer.canMove ? "1" : "0") }
    if namesSections { values.append(title) }
    guard !used.extra.isEmpty else { return values }
    let extra = customer.fields.extraColumns
    return values + used.extra.map { extra[$0]?.text ?? "" }
  }

  /// The customer as an object; what is kept beside the fields is one of its own.
  func json(_ customer: Customer, _ title: String) -> JSON {
    var members = zip(CustomerField.texts, customer.fields.texts).map { ($0.column, JSON.string($1)) }
    members.append(("is_favorite", .bool(customer.fields.isFavorite)))
    if !customer.canEdit { members.append(("can_edit", .bool(false))) }
    if !customer.canMove { members.append(("can_move", .bool(false))) }
    if namesSections { members.append(("section", .string(title))) }
    if customer.fields.extra != "{}" { members.append(("extra", .raw(customer.fields.extra))) }
    return .object(members)
  }

  /// The customer as a card.
  func card(_ customer: Customer, _ title: String) -> String {
    var columns = zip(CustomerField.texts, customer.fields.texts).map {
      (name: $0.column, value: FileRecord.Value.text($1))
    }
    columns.removeAll { $0.value == .text("") }
    if customer.fields.isFavorite { columns.append(("is_favorite", .json("true"))) }
    if !customer.canEdit { columns.append(("can_edit", .json("false"))) }
    if !customer.canMove { columns.append(("can_move", .json("false"))) }
    if namesSections { columns.append(("section", .text(title))) }
    let extra = customer.fields.extraColumns.columns
    let names = ExtraName.escaping(extra.map(\.name), beside: columns.map(\.name))
    return vCard(columns + zip(names, extra).map { ($0, FileRecord.Value($1.value)) })
  }
}

extension ExtraName {
  /// The names that columns get in a file, where they stand behind others.
  static func escaping(_ names: [String], beside columns: [String]) -> [String] {
    let taken = columns.map { ColumnTarget(column: $0) }
    let areListed = ColumnPlan.listedColumns.allSatisfy(names.contains)
    return names.map { name in
      let target = ColumnTarget(column: name)
      // What is behind a column that has the field is kept, also without a prefix.
      let isKept = target == .extra || taken.contains(where: target.writesOver)
      let isOther = columns.contains(name) || name == SpreadsheetMark.header || unescaped(name) != name
      return !isKept || isOther || (areListed && ColumnPlan.listedColumns.contains(name))
        ? escaped(name) : name
    }
  }
}
