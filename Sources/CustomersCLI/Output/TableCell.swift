internal import CustomersTerminalText

/// A cell of a row.
struct TableCell: ColumnCell, Sendable {
  let text: String
  var style: Style?
  /// Numbers are aligned on the right.
  var isNumber = false

  init(_ text: String, _ style: Style? = nil) {
    self.text = text
    self.style = style
  }

  init(_ cell: (text: String, isNumber: Bool)) { (text, isNumber) = cell }

  init(number: String) {
    text = number
    isNumber = true
  }

  init(_ number: Int) { self.init(number: String(number)) }
}
