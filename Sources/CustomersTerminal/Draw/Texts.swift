internal import CustomerStore
internal import CustomersTerminalText

/// The width of a text on the screen.
func columnCount(of text: String) -> Int { displayWidth(printable(text)) }

/// `1 customer`, `2 customers`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension Picture {
  /// Writes a text with matches of a search underlined.
  ///
  /// - Returns: the column after the text.
  mutating func write(
    _ text: String, marking search: TextSearch?, column: Int, row: Int, style: ScreenStyle, width: Int
  ) -> Int {
    guard let search, width > 0 else {
      return write(text, column: column, row: row, style: style, width: width)
    }
    // Only the visible part is searched.
    let shown = cut(printable(String(text.prefix(width + 1))), to: width)
    let end = write(shown, column: column, row: row, style: style, width: width)
    for range in search.ranges(in: shown) {
      let start = column + displayWidth(String(shown[..<range.lowerBound]))
      restyle(row: row, columns: start..<start + displayWidth(String(shown[range])), .underline)
    }
    return end
  }
}
