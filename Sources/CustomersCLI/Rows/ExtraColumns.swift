internal import Formats

/// The columns that are kept beside the fields of a customer, each once, in order.
struct ExtraColumns {
  private(set) var columns: [(name: String, value: FileRecord.Value)] = []

  init() {}

  /// Takes the JSON object apart that is kept with a customer.
  init(_ json: String) {
    guard json != "{}" else { return }
    // The store gives nothing but objects; one that is too deep for our reader is kept as it is.
    columns = (try? JSON.columns(ofObject: json)) ?? [("extra", .json(json))]
  }

  /// The value of a column, its name taken byte by byte as JSON does.
  subscript(name: String) -> FileRecord.Value? { index(name).map { columns[$0].value } }

  private func index(_ name: String) -> Int? {
    columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Sets a column; one without text is none.
  mutating func set(_ name: String, _ value: FileRecord.Value) {
    let index = index(name)
    switch (index, value) {
    case (let index?, .text("")): columns.remove(at: index)
    case (let index?, _): columns[index].value = value
    case (nil, .text("")): break
    case (nil, _): columns.append((name, value))
    }
  }

  /// Names and values as a person reads them.
  var texts: [(name: String, value: String)] { columns.map { ($0.name, $0.value.plain) } }

  /// The JSON object that is kept with a customer.
  var json: String {
    columns.isEmpty ? "{}" : JSON.object(columns.map { ($0.name, $0.value.json) }).text
  }
}

/// A column that is kept, but is called as one that goes to a field, is exported as `extra.` and its name.
enum ExtraName {
  private static let prefix = "extra."

  static func escaped(_ name: String) -> String { prefix + name }

  /// The name without the prefix, where it needs one.
  static func unescaped(_ column: String) -> String {
    guard column.hasPrefix(prefix) else { return column }
    let name = String(column.dropFirst(prefix.count))
    return isAmbiguous(name) ? name : column
  }

  /// Whether a column that is called so could be taken for one that goes to a field.
  static func isAmbiguous(_ name: String) -> Bool {
    ColumnTarget(column: name) != .extra || ColumnPlan.listedColumns.contains(name)
      || name == SpreadsheetMark.header || unescaped(name) != name
  }
}
