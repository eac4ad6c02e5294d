internal import SQLite

extension CustomerList {
  /// Gives the customers whose names, companies or e-mail addresses may have a text in them to `body`, with
  /// those fields, in no order.
  ///
  /// None is left out whose name or address has the text, case and accents ignored; others may come too.
  /// Reads names only, so that a long list is searched several times faster than by `forEach`. O(rows)
  package func forEachName(
    mayContain text: String, _ body: (CustomerID, CustomerFields) throws -> Void
  ) throws {
    // A name is made of two columns, so only its words are in one of them.
    let words = searchFolded(text).split(separator: " ")
    let columns = ["first_name", "last_name", "company", "email"]
    let condition = RowCondition.all(words.map { .mayHave(String($0), in: columns) })
    let sql = """
      SELECT id, \(columns.joined(separator: ", ")) FROM customer_record
      WHERE deleted_by IS NULL AND \(condition?.sql ?? "1")
      """
    try connection.query(sql, condition?.values ?? []) { row in
      while try row.step() {
        let fields = CustomerFields(
          firstName: row.text(1), lastName: row.text(2), company: row.text(3), email: row.text(4))
        try body(CustomerID(rawValue: row.integer(0)), fields)
      }
    }
  }
}
