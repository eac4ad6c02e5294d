internal import CustomersTerminalText

/// What covers the list.
extension TableFace {
  /// The rows and columns of the frame.
  var overlayRows: Range<Int> { rows > 16 ? 2..<rows - 2 : 1..<max(2, rows - 1) }
  var overlayColumns: Range<Int> { isNarrow ? 0..<columns : 2..<columns - 2 }

  func draw(_ overlay: Overlay, _ picture: inout Picture) {
    let (frame, box) = (overlayRows, overlayColumns)
    picture.cursor = nil
    let width = box.count - 4
    let pages = overlay.pageCount(frame.count - 2, width)
    for row in frame {
      picture.clear(row: row, columns: box)
      picture.write("│", column: box.lowerBound, row: row)
      picture.write("│", column: box.upperBound - 1, row: row)
    }
    let page = pages > 1 ? " \(min(overlay.page, pages - 1) + 1)/\(pages) " : ""
    edge("┌ \(overlay.title) ", "\(page)─┐", frame.lowerBound, &picture)
    edge("└", "┘", frame.upperBound - 1, &picture)
    let lines = overlay.lines(height: frame.count - 2, width: width)
    for (row, line) in zip(frame.dropFirst(), lines) { draw(line, row, box.lowerBound + 2, width, &picture) }
    if let search = overlay.search {
      let start = box.lowerBound + 2
      let view = FieldView(search, width: width - 2, hasFocus: overlay.isFinding)
      picture.write(" /\(view.text) ", column: start, row: frame.upperBound - 1, width: width)
      if overlay.isFinding {
        picture.cursor = .init(column: start + 2 + view.cursorColumn, row: frame.upperBound - 1)
      }
    }
  }

  private func edge(_ start: String, _ end: String, _ row: Int, _ picture: inout Picture) {
    let box = overlayColumns
    let line = String(repeating: "─", count: max(0, box.count - displayWidth(start) - displayWidth(end)))
    picture.write(start + line + end, column: box.lowerBound, row: row, width: box.count)
  }

  private func draw(_ line: Overlay.Entry, _ row: Int, _ column: Int, _ width: Int, _ picture: inout Picture)
  {
    switch line {
    case .heading(let text): picture.write(text, column: column, row: row, style: .init(.bold), width: width)
    case .text(let text): picture.write(text, column: column, row: row, width: width)
    case .keys(let keys, let meaning):
      let keyWidth = Overlay.keyWidth(width)
      picture.write(keys, column: column, row: row, width: meaning.isEmpty ? width : keyWidth - 1)
      picture.write(meaning, column: column + keyWidth, row: row, width: width - keyWidth)
    }
  }
}
