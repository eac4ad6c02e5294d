internal import CustomersTerminalText

/// A table in aligned columns, as people read it on a terminal and in a pipe.
struct TextTable: TableRenderer {
  let layout: ColumnLayout
  var hasHeader = true
  var hasColor = false
  /// The words to highlight.
  var highlight: Highlight?

  func begin() -> String {
    guard hasHeader else { return "" }
    return line(layout.columns.map { ($0, TableCell($0.title, .heading)) }, highlight: nil)
  }

  func title(_ text: String) -> String { styled(fitted(printable(text)), .sectionTitle, if: hasColor) + "\n" }

  func footer(_ text: String) -> String { styled(fitted(printable(text)), .detail, if: hasColor) + "\n" }

  func row(_ cells: [TableCell]) -> String {
    line(layout.columns.map { ($0, cells[$0.index]) }, highlight: hasColor ? highlight : nil)
  }

  private func line(_ cells: [(ColumnLayout.Column, TableCell)], highlight: Highlight?) -> String {
    var line = ""
    // The spaces up to the next text; after the last text of a line there are none.
    var blanks = 0
    var used = 0
    for (column, cell) in cells {
      var text = printable(cell.text)
      if let lineWidth = layout.lineWidth {
        text = cut(text, to: min(column.width, lineWidth - used - blanks))
      }
      let width = displayWidth(text)
      let padding = max(0, column.width - width)
      if column.isNumber { blanks += padding }
      if width > 0 {
        let shown = highlight?.marked(text, cell.style) ?? styled(text, cell.style, if: hasColor)
        line += String(repeating: " ", count: blanks) + shown
        used += blanks + width
        blanks = 0
      }
      blanks += (column.isNumber ? 0 : padding) + displayWidth(ColumnLayout.gap)
    }
    return line + "\n"
  }

  private func fitted(_ text: String) -> String { layout.lineWidth.map { cut(text, to: $0) } ?? text }
}
