internal import CustomersSQLite

extension CustomerList {
  /// Passes to `body` the customers whose name, company, or e-mail addresses may have the words of a name, or all
  /// customers, with those fields, in no particular order.
  ///
  /// Includes every customer whose name or address contains the words as they are separated here; it may include
  /// others. It reads names only, so it is several times faster on a long list than `forEach`. O(rows)
  package func forEachName(
    having name: Name?, _ body: (CustomerID, CustomerFields) throws -> Void
  ) throws {
    // A name is in two columns, so only its single words are in one of them.
    let words = name?.words.split(separator: " ") ?? []
    let columns = ["first_name", "last_name", "company", "email", "other_contacts"]
    let condition = RowCondition.all(words.map { .mayHave(String($0), in: columns) })
    let sql = """
      SELECT id, \(columns.joined(separator: ", ")) FROM customer_record
      WHERE deleted_by IS NULL AND \(condition?.sql ?? "1")
      """
    try connection.query(sql, condition?.values ?? []) { row in
      while try row.step() {
        let fields = CustomerFields(
          firstName: row.text(1), lastName: row.text(2), company: row.text(3), email: row.text(4),
          otherContacts: row.text(5))
        try body(CustomerID(rawValue: row.integer(0)), fields)
      }
    }
  }
}
