/// A column of a table for people.
package struct TableColumn: Sendable {
  /// The importance of a column if not all fit: the least important are cut first.
  package enum Importance: CaseIterable, Sendable {
    case detail, contact, name
    /// Never cut, such as a number.
    case fixed
  }

  package let title: String
  package var importance: Importance
  /// Its minimum width.
  package var width: Int
  /// Whether it is omitted if it is empty.
  package var isOptional: Bool

  package init(title: String, importance: Importance = .detail, width: Int = 0, isOptional: Bool = false) {
    (self.title, self.importance, self.width, self.isOptional) = (title, importance, width, isOptional)
  }

  /// The width that it keeps before other columns are omitted for it.
  func leastWidth(in lineWidth: Int) -> Int { importance == .name ? lineWidth / 2 : 6 }
}

package protocol ColumnCell {
  var text: String { get }
  /// Numbers are aligned on the right.
  var isNumber: Bool { get }
}

/// The widths of the columns of a table, and which of them are shown.
package struct ColumnLayout: Sendable {
  /// The space between two columns.
  package static let gap = "  "

  package struct Column: Sendable {
    /// Its index among the cells of a row.
    package let index: Int
    package let title: String
    package fileprivate(set) var width: Int
    package let isNumber: Bool
  }

  package private(set) var columns: [Column]
  /// The maximum width of a line in terminal columns; nil for no limit.
  package let lineWidth: Int?

  /// Creates a layout for some rows.
  ///
  /// - Parameters:
  ///   - columns: the columns of the table.
  ///   - rows: the known rows, with a cell for each column.
  ///   - areAll: whether no other rows will come; if so, an empty column may be omitted.
  ///   - lineWidth: the width of the terminal, if any.
  package init(_ columns: [TableColumn], rows: [[some ColumnCell]], areAll: Bool, lineWidth: Int?) {
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

  /// Takes width from the least important columns first, starting with the widest; if that is not enough,
  /// omits the last of the least important.
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
