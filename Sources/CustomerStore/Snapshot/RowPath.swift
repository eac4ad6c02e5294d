/// Where a table displays a row: section and row, both counted from 0, as in table views.
public struct RowPath: Hashable, Comparable, Sendable {
  /// The section, from 0.
  public var section: Int
  /// The row in the section, from 0.
  public var row: Int

  /// Creates a path; there need not be such a row.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Whether one row is displayed above the other.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// One of the updates that together take a table from one snapshot to the next.
///
/// As in a batch update of UIKit, deleted, reloaded, and moved items use paths before the batch; inserted
/// items and the destinations of moves use paths after it.
public enum TableUpdate: Hashable, Sendable {
  /// Everything may have changed.
  case reloadData
  /// A section was deleted, with its rows.
  case deleteSection(Int)
  /// A section was inserted, with its rows.
  case insertSection(Int)
  /// The title or footer of a section changed; the index is the one after the updates.
  case reloadTitle(Int)
  /// A row was deleted.
  case delete(RowPath)
  /// A row was inserted.
  case insert(RowPath)
  /// A row was moved and looks the same.
  case move(RowPath, to: RowPath)
  /// A row looks different.
  case reload(RowPath)
}
