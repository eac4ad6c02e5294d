internal import SQLite

extension CustomerList {
  /// Gives the customers whose names may have a text in them to `body`, with their names, in no order.
  ///
  /// None is left out whose name has the text, case ignored; others may come too. Reads names
  /// only, so that a long list is searched several times faster than by `forEach`. O(rows)
  package func forEachName(
    mayContain text: String, _ body: (CustomerID, String) throws -> Void
  ) throws {
    // SQLite knows the capitals of ASCII only; who has other letters in the name is for the caller to judge.
    let sql = """
      SELECT id, first_name, last_name, company FROM (
        SELECT *, first_name || ' ' || last_name || ' ' || company AS names
        FROM customer_record WHERE deleted_by IS NULL)
      WHERE instr(lower(names), ?) OR length(names) <> length(CAST(names AS BLOB))
      """
    try connection.query(sql, [.text(caseFolded(text))]) { row in
      while try row.step() {
        let fields = CustomerFields(firstName: row.text(1), lastName: row.text(2), company: row.text(3))
        try body(CustomerID(rawValue: row.integer(0)), fields.name)
      }
    }
  }
}
