/// An extra column with the same name as a field is exported as `extra.` and its name.
enum ExtraName {
  static let prefix = "extra."

  static func escaped(_ name: String) -> String { prefix + name }

  /// The name without the prefix, if it needs one.
  static func unescaped(_ column: String) -> String {
    guard column.hasPrefix(prefix) else { return column }
    let name = String(column.dropFirst(prefix.count))
    return isAmbiguous(name) ? name : column
  }

  /// Whether a column with this name could be taken for a field.
  static func isAmbiguous(_ name: String) -> Bool {
    ColumnTarget(column: name) != .extra || ColumnPlan.listedColumns.contains(name)
      || name == SpreadsheetMark.header || unescaped(name) != name
  }
}
