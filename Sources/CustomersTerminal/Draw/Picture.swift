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
