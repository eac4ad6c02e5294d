internal import CustomersSQLite

/// A condition on a row of `customer_record`, and its values.
///
/// It excludes most rows that do not match a search or filter without examining them in Swift, and none that
/// match. `may_have` compares bytes: it returns true for any text beyond ASCII, and folding then decides.
struct RowCondition {
  var sql: String
  var values: [SQLiteValue] = []

  /// A folded text occurs in one of the columns.
  static func mayHave(_ text: String, in columns: [String]) -> RowCondition {
    // An ASCII text contains only ASCII letters.
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    // Escaped characters in JSON do not match byte by byte.
    let escapes = columns.contains("extra") ? #" OR instr(extra, '\')"# : ""
    return RowCondition(
      sql: "(may_have(?, \(columns.joined(separator: ", ")))\(escapes))",
      values: [isASCII ? .text(text) : .null])
  }

  /// All conditions hold; nil if there are none.
  static func all(_ conditions: [RowCondition]) -> RowCondition? {
    guard !conditions.isEmpty else { return nil }
    return RowCondition(
      sql: conditions.map(\.sql).joined(separator: " AND "), values: conditions.flatMap(\.values))
  }
}

extension CustomerField {
  /// The column of `customer_record` with the field's text; nil for a mark.
  var storedColumn: String? {
    switch self {
    case .extra: "extra"
    default: kind == .flag ? nil : column
    }
  }
}

extension TextSearch {
  /// A condition for each word; none if SQL can't decide.
  var conditions: [RowCondition] {
    let searched = fields.map(Array.init) ?? CustomerField.texts + [.extra("")]
    let columns = searched.compactMap(\.storedColumn)
    guard !columns.isEmpty, columns.count == searched.count else { return [] }
    return words.map { .mayHave($0, in: Set(columns).sorted()) }
  }
}
