extension CustomerList {
  /// The values of a column in some rows and how many of these have each, the most frequent first, then by value.
  ///
  /// A row with several values, such as tags, counts once for each of them; one without a value counts for `""`.
  ///
  /// - Parameters:
  ///   - column: the column.
  ///   - rows: the rows.
  /// - Returns: the values.
  /// - Throws: what `forEach(_:)` throws.
  /// - Complexity: O(rows); memory for the values.
  package func valueCounts(
    of column: ListColumn, in rows: ListedRows
  ) throws -> [(value: String, count: Int)] {
    let outline = try outline()
    let kinds = try columnKinds()
    var counts: [String: Int] = [:]
    _ = try forEach(rows) { customer in
      var values: [String]
      switch column {
      case .field(let field) where kinds[field].kind == .lines && field != .tags && field != .otherContacts:
        values = customer.fields[field].text.split(whereSeparator: \.isNewline).map(String.init)
      case .field(let field): values = customer.fields.values(of: customer.fields.place(of: field))
      default: values = [column.cell(customer, outline).text]
      }
      if values.isEmpty {
        values = [""]
        if case .field(.part(let part)) = column, customer.fields.hasAddressWithoutParts {
          rows.skipped.note(.part(part), .text)
        }
      }
      for value in Set(values) { counts[value, default: 0] += 1 }
    }
    return counts.map { (value: $0, count: $1, key: ComparableText.key(searchFolded($0))) }
      .sorted { (-$0.count, $0.key, $0.value) < (-$1.count, $1.key, $1.value) }
      .map { ($0.value, $0.count) }
  }
}
