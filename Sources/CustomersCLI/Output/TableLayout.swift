internal import TerminalText

/// How wide the columns of a table are, and which of them are shown.
struct TableLayout: Sendable {
  /// What is between two columns.
  static let gap = "  "

  struct Column: Sendable {
    /// Its place among the cells of a row.
    let index: Int
    let title: String
    var width: Int
    let isNumber: Bool
  }

  private(set) var columns: [Column]
  /// The most columns of a terminal that a line may take; nil for any number.
  let lineWidth: Int?

  /// Makes the layout that suits some rows.
  ///
  /// - Parameters:
  ///   - columns: the columns of the table.
  ///   - rows: the rows that are known, with a cell for each column.
  ///   - areAll: whether no other rows will come; then a column that says nothing may be left out.
  ///   - lineWidth: the width of the terminal, if it is for one.
  init(_ columns: [TableColumn], rows: [[TableCell]], areAll: Bool, lineWidth: Int?) {
    self.lineWidth = lineWidth
    let shown: [Column] = columns.enumerated().compactMap { index, column in
      let cells = rows.lazy.map { $0[index] }.filter { !$0.text.isEmpty }
      guard !column.isOptional || !areAll || !cells.isEmpty else { return nil }
      let widest = cells.map { displayWidth(printable($0.text)) }.max() ?? 0
      return Column(
        index: index, title: column.title, width: max(widest, column.width, displayWidth(column.title)),
        isNumber: !cells.isEmpty && cells.allSatisfy(\.isNumber))
    }
    self.columns = lineWidth.map { Self.fitted(shown, columns, to: $0) } ?? shown
  }

  /// Takes width from what matters least first, and there from the widest; where even that is not enough,
  /// the last of what matters least is left out.
  private static func fitted(_ columns: [Column], _ described: [TableColumn], to lineWidth: Int) -> [Column] {
    var fitted = columns
    for index in fitted.indices { fitted[index].width = min(fitted[index].width, lineWidth) }
    let gaps = (fitted.count - 1) * displayWidth(gap)
    var excess = fitted.reduce(gaps) { $0 + $1.width } - lineWidth
    func all(_ importance: TableColumn.Importance) -> [Int] {
      fitted.indices.filter { described[fitted[$0].index].importance == importance }
    }
    for importance in TableColumn.Importance.allCases where importance != .fixed {
      let group = all(importance)
      while excess > 0, let widest = group.max(by: { fitted[$0].width < fitted[$1].width }),
        fitted[widest].width > described[fitted[widest].index].leastWidth(in: lineWidth)
      {
        fitted[widest].width -= 1
        excess -= 1
      }
    }
    guard excess > 0, let least = all(.detail).last ?? all(.contact).last else { return fitted }
    var fewer = columns
    fewer.remove(at: least)
    return Self.fitted(fewer, described, to: lineWidth)
  }
}
