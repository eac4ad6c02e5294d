internal import CustomersTerminalText

/// A table in aligned columns, as people read it on a terminal and in a pipe.
struct TextTable: TableRenderer {
  let layout: ColumnLayout
  var hasHeader = true
  var hasColor = false
  /// The words to highlight.
  var highlight: Highlight?

  func begin(_ bytes: inout [UInt8]) {
    guard hasHeader else { return }
    line(to: &bytes, highlight: nil) { TableCell($0.title, .heading) }
  }

  func title(_ text: String, to bytes: inout [UInt8]) { line(text, .sectionTitle, to: &bytes) }

  func footer(_ text: String, to bytes: inout [UInt8]) { line(text, .detail, to: &bytes) }

  func row(_ cells: [TableCell], to bytes: inout [UInt8]) {
    line(to: &bytes, highlight: hasColor ? highlight : nil) { cells[$0.index] }
  }

  private func line(
    to bytes: inout [UInt8], highlight: Highlight?, _ cell: (ColumnLayout.Column) -> TableCell
  ) {
    // The spaces up to the next text; after the last text of a line there are none.
    var blanks = 0
    var used = 0
    for column in layout.columns {
      let cell = cell(column)
      var (text, width) = measured(cell.text)
      if let lineWidth = layout.lineWidth {
        let room = min(column.width, lineWidth - used - blanks)
        if width > room {
          text = cut(text, to: room)
          width = displayWidth(text)
        }
      }
      let padding = max(0, column.width - width)
      if column.isNumber { blanks += padding }
      if width > 0 {
        bytes.append(contentsOf: repeatElement(0x20, count: blanks))
        bytes += (highlight?.marked(text, cell.style) ?? styled(text, cell.style, if: hasColor)).utf8
        used += blanks + width
        blanks = 0
      }
      blanks += (column.isNumber ? 0 : padding) + ColumnLayout.gap.utf8.count
    }
    bytes.append(0x0a)
  }

  /// What is shown of a string and its width.
  private func measured(_ text: String) -> (String, Int) {
    if let width = plainWidth(text) { return (text, width) }
    let shown = printable(text)
    return (shown, displayWidth(shown))
  }

  private func line(_ text: String, _ style: Style, to bytes: inout [UInt8]) {
    let text = printable(text)
    let shown = layout.lineWidth.map { cut(text, to: $0) } ?? text
    bytes += (styled(shown, style, if: hasColor) + "\n").utf8
  }
}
