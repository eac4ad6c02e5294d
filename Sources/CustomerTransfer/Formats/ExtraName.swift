internal import CustomerStore

/// The name of an extra column in a file: one that would be taken for a field has the prefix `extra.`.
enum ExtraName {
  static let prefix = "extra."

  /// The name without the prefix, if it needs one.
  static func unescaped(_ column: String) -> String {
    guard column.hasPrefix(prefix) else { return column }
    let name = String(column.dropFirst(prefix.count))
    return isAmbiguous(name) ? name : column
  }

  /// Whether a column with this name could be taken for a field.
  private static func isAmbiguous(_ name: String) -> Bool {
    ColumnTarget(column: name) != .extra || ColumnPlan.listedColumns.contains(name)
      || name == SpreadsheetMark.header || unescaped(name) != name
  }

  /// The names of the extra columns in a file, next to other columns.
  static func escaping(_ names: [String], beside columns: [String]) -> [String] {
    let taken = columns.map { ColumnTarget(column: $0) }
    let areListed = ColumnPlan.listedColumns.allSatisfy { names.contains($0) || columns.contains($0) }
    return names.map { name in
      let target = ColumnTarget(column: name)
      // Columns after one that has the field are kept even without a prefix.
      let isKept = target == .extra || taken.contains(where: target.writesOver)
      let isOther = columns.contains(name) || name == SpreadsheetMark.header || unescaped(name) != name
      return !isKept || isOther || (areListed && ColumnPlan.listedColumns.contains(name))
        ? prefix + name : name
    }
  }
}
