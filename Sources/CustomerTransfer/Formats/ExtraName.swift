internal import CustomerStore

/// The name of an extra column in a file: one that would be taken for a field has the prefix `extra.`.
enum ExtraName {
  static let prefix = "extra."

  /// The columns that say which row it is or where it is.
  private static let placing = ColumnPlan.listedColumns + ["section_title", "version"]

  /// The name without the prefix, if it needs one.
  static func unescaped(_ column: String) -> String {
    guard column.hasPrefix(prefix) else { return column }
    // A name with several prefixes needs one if the name without any does.
    var name = column.utf8[...]
    while name.starts(with: prefix.utf8) { name = name.dropFirst(prefix.utf8.count) }
    return isAmbiguous(String(Substring(name))) ? String(column.dropFirst(prefix.count)) : column
  }

  /// Whether a column with this name, which has no prefix, could be taken for a field.
  private static func isAmbiguous(_ name: String) -> Bool {
    ColumnTarget(exactly: name) != .extra || isUnderstood(name) || placing.contains(name)
      || name == SpreadsheetMark.header
  }

  /// Whether the name would be a field in a file of another program.
  private static func isUnderstood(_ name: String) -> Bool {
    ColumnMeaning(name).map { $0.part == nil } ?? false
  }

  /// The names of the extra columns in a file, next to other columns.
  ///
  /// - Parameters:
  ///   - names: the names in the list.
  ///   - columns: the other columns.
  ///   - isExact: whether an import recognizes the file and takes only the names of an export for fields.
  /// - Returns: the names in the file.
  static func escaping(_ names: [String], beside columns: [String], isExact: Bool) -> [String] {
    let areListed =
      columns.starts(with: ExportLayout.identifying)
      || ColumnPlan.listedColumns.allSatisfy { names.contains($0) || columns.contains($0) }
    return names.map { name in
      let isTaken =
        ColumnTarget(exactly: name) != .extra || columns.contains(name) || name == SpreadsheetMark.header
        || unescaped(name) != name || !isExact && isUnderstood(name)
      return isTaken || areListed && placing.contains(name) ? prefix + name : name
    }
  }
}
