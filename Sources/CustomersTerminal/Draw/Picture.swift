internal import CustomerStore
internal import CustomersText

/// A frame and the target of the pointer in each of its cells; they are drawn together, so that they agree.
struct Picture {
  private(set) var screen: ScreenBuffer
  private var zones: [Zone] = []

  private struct Zone {
    var row: Int
    var columns: Range<Int>
    var target: PointerTarget
  }

  init(columns: Int, rows: Int) { screen = ScreenBuffer(columns: columns, rows: rows) }

  var cursor: ScreenBuffer.Position? {
    get { screen.cursor }
    set { screen.cursor = newValue }
  }

  /// Writes a string with a target for the pointer.
  ///
  /// - Returns: the column after the text.
  @discardableResult
  mutating func write(
    _ text: String, column: Int, row: Int, style: ScreenStyle = .plain, width: Int = .max,
    on target: PointerTarget? = nil
  ) -> Int {
    let end = screen.write(text, column: column, row: row, style: style, width: width)
    if let target { add(target, row: row, columns: column..<max(column, end)) }
    return end
  }

  /// Writes a string that ends before a column.
  ///
  /// - Returns: the column where it starts.
  @discardableResult
  mutating func write(
    _ text: String, endingAt end: Int, row: Int, style: ScreenStyle = .plain, on target: PointerTarget? = nil
  ) -> Int {
    let start = end - columnCount(of: text)
    guard start >= 0 else { return end }
    write(text, column: start, row: row, style: style, on: target)
    return start
  }

  /// Writes a string in the middle of a row.
  mutating func write(centered text: String, row: Int, style: ScreenStyle = .plain) {
    write(text, column: max(0, (screen.columns - columnCount(of: text)) / 2), row: row, style: style)
  }

  /// Sets the target of some cells, replacing any other.
  mutating func add(_ target: PointerTarget, row: Int, columns: Range<Int>) {
    zones.append(Zone(row: row, columns: columns, target: target))
  }

  mutating func restyle(row: Int, columns: Range<Int>? = nil, _ attributes: ScreenStyle.Attributes) {
    screen.restyle(row: row, columns: columns) { $0.attributes.formUnion(attributes) }
  }

  mutating func clear(row: Int, columns: Range<Int>) {
    screen.clear(row: row, columns: columns)
    zones.removeAll { $0.row == row && $0.columns.overlaps(columns) }
  }

  /// The target in a cell; nil for none.
  func target(column: Int, row: Int) -> PointerTarget? {
    zones.last { $0.row == row && $0.columns.contains(column) }?.target
  }
}

/// The width of a string on the screen.
func columnCount(of text: String) -> Int { displayWidth(printable(text)) }

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
