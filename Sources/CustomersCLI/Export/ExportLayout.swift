internal import CustomerStore
internal import CustomersFormats

/// The columns of an exported file, and a customer's values in them.
///
/// All fields and the title of the section always come first, then the extra columns that any customer has.
struct ExportLayout {
  /// The columns of a table.
  let columns: [String]
  /// The index of each extra column, by the bytes of its name in the list.
  private let extraPlaces: [[UInt8]: Int]

  /// The columns of every file.
  static let fixed = CustomerField.standard.map(\.column) + ["can_edit", "can_move", "section"]

  init(extra: [String]) {
    columns = ExportLayout.fixed + ExtraName.escaping(extra, beside: ExportLayout.fixed)
    extraPlaces = Dictionary(
      uniqueKeysWithValues: extra.enumerated().map { (Array($1.utf8), ExportLayout.fixed.count + $0) })
  }

  /// The values of `columns`.
  func values(_ customer: Customer, _ title: String) -> [String] {
    let flags = [customer.fields.isFavorite, customer.canEdit, customer.canMove].map { $0 ? "1" : "0" }
    var values = customer.fields.texts + flags + [title]
    guard columns.count > values.count else { return values }
    values += Array(repeating: "", count: columns.count - values.count)
    guard customer.fields.extra != "{}" else { return values }
    for (name, value) in customer.fields.extraColumns.columns {
      if let place = extraPlaces[Array(name.utf8)] { values[place] = value.text }
    }
    return values
  }

  /// The customer as an object; the extra columns are a nested object.
  func json(_ customer: Customer, _ title: String) -> JSON {
    let texts = zip(CustomerField.texts, customer.fields.texts).map { ($0.column, JSON.string($1)) }
    return .object(
      texts + [
        ("is_favorite", .bool(customer.fields.isFavorite)), ("can_edit", .bool(customer.canEdit)),
        ("can_move", .bool(customer.canMove)), ("section", .string(title)),
        ("extra", .raw(customer.fields.extra)),
      ])
  }

  /// The customer as a card, without properties for empty or default values.
  func card(_ customer: Customer, _ title: String) -> String {
    var columns = zip(CustomerField.texts, customer.fields.texts).map {
      (name: $0.column, value: FileRecord.Value.text($1))
    }
    columns.removeAll { $0.value == .text("") }
    if customer.fields.isFavorite { columns.append(("is_favorite", .json("true"))) }
    if !customer.canEdit { columns.append(("can_edit", .json("false"))) }
    if !customer.canMove { columns.append(("can_move", .json("false"))) }
    columns.append(("section", .text(title)))
    let extra = customer.fields.extraColumns.columns
    let names = ExtraName.escaping(extra.map(\.name), beside: columns.map(\.name))
    return vCard(columns + zip(names, extra).map { ($0, FileRecord.Value($1.value)) })
  }
}

extension ExtraName {
  /// The names of the extra columns in a file, next to other columns.
  static func escaping(_ names: [String], beside columns: [String]) -> [String] {
    let taken = columns.map { ColumnTarget(column: $0) }
    let areListed = ColumnPlan.listedColumns.allSatisfy(names.contains)
    return names.map { name in
      let target = ColumnTarget(column: name)
      // Columns after one that has the field are kept even without a prefix.
      let isKept = target == .extra || taken.contains(where: target.writesOver)
      let isOther = columns.contains(name) || name == SpreadsheetMark.header || unescaped(name) != name
      return !isKept || isOther || (areListed && ColumnPlan.listedColumns.contains(name))
        ? escaped(name) : name
    }
  }
}
