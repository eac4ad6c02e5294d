internal import CustomerStore
internal import CustomersFormats

/// A column of a table for people.
struct TableColumn: Sendable {
  /// The importance of a column if not all fit: the least important are cut first.
  enum Importance: CaseIterable, Sendable {
    case detail, contact, name
    /// Never cut, such as a number.
    case fixed
  }

  let title: String
  var importance = Importance.detail
  /// Its minimum width.
  var width = 0
  /// Whether it is omitted if it is empty.
  var isOptional = false

  /// The width that it keeps before other columns are omitted for it.
  func leastWidth(in lineWidth: Int) -> Int { importance == .name ? lineWidth / 2 : 6 }
}

/// A cell of a row.
struct TableCell: Sendable {
  let text: String
  var style: Style?
  /// Numbers are aligned on the right.
  var isNumber = false

  init(_ text: String, _ style: Style? = nil) {
    self.text = text
    self.style = style
  }

  init(number: String) {
    text = number
    isNumber = true
  }

  init(_ number: Int) { self.init(number: String(number)) }
}

extension OutputColumn {
  /// The column in output for people.
  var forTable: TableColumn {
    switch name {
    case "id", "section", "order", "position": TableColumn(title: title, importance: .fixed)
    case "name", "first_name", "last_name": TableColumn(title: title, importance: .name)
    case "company", "email", "phone": TableColumn(title: title, importance: .contact)
    default: TableColumn(title: title)
    }
  }

  private var title: String {
    let others = [
      "id": "Id", "section": "Section", "order": "Order", "position": "Row", "name": "Name",
      "can_edit": "Can edit", "can_move": "Can move", "extra": "Extra",
    ]
    return CustomerField(column: name)?.title ?? others[name] ?? name
  }

  /// The value in output for people.
  func cell(_ customer: Customer, _ outline: ListOutline) -> TableCell {
    switch value(customer, outline) {
    case .int(let number): TableCell(number)
    case .bool(let flag): TableCell(flag ? "yes" : "no")
    case .raw(let text) where Double(text) != nil: TableCell(number: text)
    case let value: TableCell(value.plain)
    }
  }
}
