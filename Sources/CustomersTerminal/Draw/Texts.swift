internal import CustomerStore
internal import CustomersTerminalText

/// The width of a string on the screen.
func columnCount(of text: String) -> Int { displayWidth(printable(text)) }

/// `1 customer`, `2 customers`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension Picture {
  /// How much of a long text is searched for a match to show.
  private static let longestText = 500

  /// Writes a string with matches of a search underlined; of a long text, the part with the first match.
  ///
  /// - Returns: the column after the text.
  mutating func write(
    _ text: String, marking search: TextSearch?, column: Int, row: Int, style: ScreenStyle, width: Int
  ) -> Int {
    guard let search, width > 0 else {
      return write(text, column: column, row: row, style: style, width: width)
    }
    // Only the visible part is searched, and a part of the rest if nothing is found there.
    let whole = printable(String(text.prefix(max(width + 1, Self.longestText))))
    var shown = cut(whole, to: width)
    var ranges = search.ranges(in: shown)
    if ranges.isEmpty, shown != whole, let hit = search.ranges(in: whole).first {
      let start = whole.index(hit.lowerBound, offsetBy: -4, limitedBy: whole.startIndex) ?? whole.startIndex
      shown = cut("…" + whole[start...], to: width)
      ranges = search.ranges(in: shown)
    }
    let end = write(shown, column: column, row: row, style: style, width: width)
    for range in ranges {
      let start = column + displayWidth(String(shown[..<range.lowerBound]))
      restyle(row: row, columns: start..<start + displayWidth(String(shown[range])), .underline)
    }
    return end
  }
}
