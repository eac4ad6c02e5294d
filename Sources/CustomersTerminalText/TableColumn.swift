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

/// A cell of a row.
package protocol ColumnCell {
  var text: String { get }
  /// Numbers are aligned on the right.
  var isNumber: Bool { get }
}
