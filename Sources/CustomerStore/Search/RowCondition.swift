internal import CustomersSQLite

/// A condition on a row of `customer_record` and its values.
///
/// It excludes most rows that do not match a search or filter without examining them in Swift, and none that
/// match. `may_have` compares bytes: it returns true for any string beyond ASCII, and folding then decides.
struct RowCondition {
  var sql: String
  var values: [SQLiteValue] = []

  /// A folded text occurs in one of the columns.
  static func mayHave(_ text: String, in columns: [String]) -> RowCondition {
    // An ASCII text contains only ASCII letters.
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    // Escaped characters in JSON and in lines do not match byte by byte.
    let escapes = escaped.filter(columns.contains).map { #" OR instr(\#($0), '\')"# }.joined()
    return RowCondition(
      sql: "(may_have(?, \(columns.joined(separator: ", ")))\(escapes))",
      values: [isASCII ? .text(text) : .null])
  }

  /// The columns with escaped characters.
  private static let escaped = ["extra"] + CustomerField.lists.map(\.column)

  /// All conditions hold; nil if there are none.
  static func all(_ conditions: [RowCondition]) -> RowCondition? {
    guard !conditions.isEmpty else { return nil }
    return RowCondition(
      sql: conditions.map(\.sql).joined(separator: " AND "), values: conditions.flatMap(\.values))
  }

  /// One of the conditions holds; nil if there are none, or if one of them is nil and excludes nothing.
  static func any(_ conditions: [RowCondition?]) -> RowCondition? {
    let known = conditions.compactMap(\.self)
    // SQLite limits the depth of an expression.
    guard known.count == conditions.count, (1...100).contains(known.count) else { return nil }
    return RowCondition(
      sql: "(" + known.map(\.sql).joined(separator: " OR ") + ")", values: known.flatMap(\.values))
  }

  /// A phone number has more than digits, so that bytes do not show which digits it has.
  static let phoneHasSigns = RowCondition(
    sql: "phone GLOB '*[^0-9]*' OR other_contacts GLOB '*[0-9][^0-9]*[0-9]*'")
}

extension CustomerField {
  /// The columns of `customer_record` with the field's values; none for a mark.
  var storedColumns: [String] {
    if case .extra = self { return ["extra"] }
    let others = contactKind == nil ? [] : [CustomerField.otherContacts.column]
    return kind == .flag ? [] : [column] + others
  }
}

extension TextSearch {
  /// A condition for each word; none if SQL can't decide.
  var conditions: [RowCondition] {
    let searched = fields.map(Array.init) ?? CustomerField.texts + [.extra("")]
    let columns = searched.map(\.storedColumns)
    guard !columns.isEmpty, columns.allSatisfy({ !$0.isEmpty }) else { return [] }
    let numberColumns = CustomerField.phone.storedColumns
    return zip(words, numbers).compactMap { word, number in
      let has = RowCondition.mayHave(word, in: Set(columns.joined()).sorted())
      return number.map { .any([has, .mayHave($0, in: numberColumns), .phoneHasSigns]) } ?? has
    }
  }
}
