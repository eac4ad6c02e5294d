internal import SQLite

extension CustomerList {
  /// The customers that have all words of a text in their fields, in list order; case is ignored.
  ///
  /// - Parameters:
  ///   - text: words; each must be a part of some field. A text without a word finds every customer.
  ///   - fields: the fields to look in; nil for all, extra columns with them.
  ///   - limit: the most customers.
  /// - Returns: the customers, each with its place.
  /// - Throws: `StoreError`.
  /// - Complexity: O(rows up to the last customer that is returned).
  public func search(
    _ text: String, in fields: Set<CustomerField>? = nil, limit: Int = .max
  ) throws -> [Customer] {
    var found: [Customer] = []
    guard limit > 0 else { return found }
    try forEach(matching: TextSearch(text, in: fields)) { customer in
      found.append(customer)
      return found.count < limit
    }
    return found
  }

  /// Gives the customers that a search finds to `body`, in list order, until it returns false.
  ///
  /// - Complexity: O(rows); memory for one row.
  public func forEach(matching search: TextSearch, _ body: (Customer) throws -> Bool) throws {
    guard !search.isEmpty, !planner.isPlanning else {
      return try forEach { customer in try !search.matches(customer) || body(customer) }
    }
    let filter = search.filter
    var goesOn = true
    for section in try sections() where goesOn {
      try forEachBlock(from: 1, in: section.id) { block in
        goesOn = try forEachRow(of: block, from: 1, in: section.id, filter) { customer in
          try !search.matches(customer) || body(customer)
        }
        return goesOn
      }
    }
  }
}

/// A condition on `customer_record`, and the values it has.
struct RowFilter {
  var sql: String
  var values: [Value]
}

extension TextSearch {
  /// Leaves out most rows that do not match, without a look at them here, and none that does; nil where
  /// SQL can't tell.
  ///
  /// SQLite folds ASCII only, so whoever has other letters is judged here; likewise an extra column in
  /// which something is escaped.
  fileprivate var filter: RowFilter? {
    let searched = fields.map(Array.init) ?? CustomerField.texts + [.extra("")]
    var columns: Set<String> = []
    for field in searched {
      switch field {
      case .isFavorite: return nil
      case .extra: columns.insert("extra")
      default: columns.insert(field.column)
      }
    }
    guard !columns.isEmpty else { return nil }
    let text = columns.sorted().joined(separator: " || char(10) || ")
    let hasWords = words.map { _ in "instr(lower(\(text)), ?)" }.joined(separator: " AND ")
    let escapes = columns.contains("extra") ? #" OR instr(extra, '\')"# : ""
    return RowFilter(
      sql: "(\(hasWords) OR length(\(text)) <> length(CAST(\(text) AS BLOB))\(escapes))",
      values: words.map(Value.text))
  }
}
