internal import SQLite

/// A condition on a row of `customer_record`, and the values it has.
///
/// It leaves out most rows that a search or a filter does not want, without a look at them in Swift, and
/// none that it wants. `may_have` looks at bytes: it says yes wherever one is beyond ASCII, and the folding
/// then decides.
struct RowCondition {
  var sql: String
  var values: [Value] = []

  /// That a folded text is in one of the columns.
  static func mayHave(_ text: String, in columns: [String]) -> RowCondition {
    // No text of ASCII letters has others in it.
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    // What is escaped in JSON is not there byte by byte.
    let escapes = columns.contains("extra") ? #" OR instr(extra, '\')"# : ""
    return RowCondition(
      sql: "(may_have(?, \(columns.joined(separator: ", ")))\(escapes))",
      values: [isASCII ? .text(text) : .null])
  }

  /// That all conditions hold; nil if there is none.
  static func all(_ conditions: [RowCondition]) -> RowCondition? {
    guard !conditions.isEmpty else { return nil }
    return RowCondition(
      sql: conditions.map(\.sql).joined(separator: " AND "), values: conditions.flatMap(\.values))
  }
}

extension CustomerField {
  /// The column of `customer_record` in which the field's text is; nil for a mark.
  var storedColumn: String? {
    switch definition.path {
    case .text: column
    case .extra: "extra"
    case .flag: nil
    }
  }
}

extension TextSearch {
  /// A condition for each word; none where SQL can't tell.
  var conditions: [RowCondition] {
    let searched = fields.map(Array.init) ?? CustomerField.texts + [.extra("")]
    let columns = searched.compactMap(\.storedColumn)
    guard !columns.isEmpty, columns.count == searched.count else { return [] }
    return words.map { .mayHave($0, in: Set(columns).sorted()) }
  }
}
