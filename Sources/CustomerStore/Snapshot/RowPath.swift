/// Where a table shows a row: section and row, both counted from 0 as tables do.
public struct RowPath: Hashable, Comparable, Sendable {
  /// The section, from 0.
  public var section: Int
  /// The row in the section, from 0.
  public var row: Int

  /// Makes a path; whether there is such a row is for the snapshot to say.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Whether one row is shown above the other.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// One of the updates that take a table from one snapshot to the next, all at once.
///
/// As in a batch update of UIKit, what is deleted, reloaded or moved is named by its path before the
/// batch, and what is inserted, or where something is moved to, by its path afterwards.
public enum TableUpdate: Hashable, Sendable {
  /// Everything may have changed.
  case reloadData
  /// A section went, with its rows.
  case deleteSection(Int)
  /// A section came, with its rows.
  case insertSection(Int)
  /// Title or footer of a section changed; the index is that afterwards.
  case reloadTitle(Int)
  /// A row went.
  case delete(RowPath)
  /// A row came.
  case insert(RowPath)
  /// A row went to another place, and looks as before.
  case move(RowPath, to: RowPath)
  /// A row looks different.
  case reload(RowPath)
}
