import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport

extension Examination {
  /// A way to damage the internal tables, and a statement that must be refused after that.
  private struct Case {
    var sql: String
    var statement: String
    var kind = "damaged"
  }

  /// Section 1 has customers 1…12 in the blocks of small sizes: 1…4, 5…8, 9…12; section 2 has 13 and 14,
  /// section 3 none.
  private static let large = """
    DROP VIEW capacity;
    CREATE VIEW capacity AS SELECT 32 AS rows, 32 AS children, 24 AS rows_filled, 24 AS children_filled
    """

  private static let cases = [
    // Numbers that begin at 0, that have a gap at the end, in the block of the row or in that of its
    // destination.
    Case(
      sql: "UPDATE place SET slot = slot - 1 WHERE customer = 5",
      statement: "DELETE FROM customers WHERE id = 7"),
    Case(
      sql: "UPDATE place SET slot = slot + 5 WHERE customer = 8",
      statement: "DELETE FROM customers WHERE id = 6"),
    Case(
      sql: "UPDATE place SET slot = slot - 1 WHERE customer = 5",
      statement: #"UPDATE customers SET "order" = 6 WHERE id = 12"#),
    // A row that appears twice, or not at its recorded place.
    Case(
      sql: "UPDATE place SET customer = 6 WHERE customer = 7", statement: "DELETE FROM customers WHERE id = 6"
    ),
    Case(
      sql: "UPDATE place SET customer = 99 WHERE customer = 6",
      statement: "INSERT INTO logged_delete VALUES (6)"),
    Case(
      sql: "UPDATE place SET customer = 99 WHERE customer = 6",
      statement: "INSERT INTO put_row VALUES ('move', 6, 1, 7, 1)"),
    Case(
      sql: "UPDATE place SET customer = 6 WHERE customer = 7",
      statement: #"UPDATE customers SET "order" = 12 WHERE id = 6"#),
    // A record that names no block, or a row that is nowhere.
    Case(
      sql: "UPDATE customer_record SET block = NULL WHERE id = 6",
      statement: "INSERT INTO logged_delete VALUES (6)"),
    Case(
      sql:
        "DELETE FROM place WHERE customer = 12; UPDATE customer_record SET block = NULL WHERE id = 12",
      statement: "INSERT INTO logged_delete_rows VALUES (9, 4, 1, 9)"),
    // Start positions that are wrong.
    Case(
      sql:
        "UPDATE node SET start = start - 2 WHERE id = (SELECT block FROM customer_record WHERE id = 9)",
      statement: #"INSERT INTO customers ("order") VALUES (12)"#),
    Case(
      sql: "UPDATE node SET start = 20 WHERE id = (SELECT block FROM customer_record WHERE id = 9)",
      statement: #"UPDATE customers SET "order" = 10 WHERE id = 1"#),
    Case(
      sql: "UPDATE node SET start = 20 WHERE id = (SELECT block FROM customer_record WHERE id = 9)",
      statement: #"UPDATE customers SET "order" = 12 WHERE id = 5"#),
    Case(
      sql: "UPDATE node SET start = 2 WHERE id = (SELECT block FROM customer_record WHERE id = 9)",
      statement: #"UPDATE customers SET "order" = 3 WHERE id = 4"#),
    Case(
      sql: "UPDATE node SET start = start + 2 WHERE parent = -1",
      statement: #"INSERT INTO customers ("order") VALUES (2)"#),
    // Sections with a gap, or from 2 on.
    Case(
      sql: #"UPDATE section_record SET "order" = 7 WHERE id = 2"#,
      statement: "INSERT INTO sections (title) VALUES ('new')"),
    Case(
      sql: #"UPDATE section_record SET "order" = "order" + 5"#, statement: "DELETE FROM sections WHERE id = 3"
    ),
    Case(
      sql: #"UPDATE section_record SET "order" = -1 WHERE id = 1"#,
      statement: "INSERT INTO sections (title) VALUES ('new')"),
    // The history does not match the list.
    Case(
      sql: "UPDATE history_step SET to_order = to_order + 1 WHERE first_kind = 'move'",
      statement: "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step", kind: "history"),
    Case(
      sql: """
        DELETE FROM customers WHERE id IN (6, 7); DELETE FROM edit_record WHERE id = (SELECT max(id) FROM edit_record)
        """, statement: "INSERT INTO revert_step SELECT max(id), 'undo' FROM history_step"),
    // A new row that is there already, one that would come after a gap, and a gap in a block that is joined with another.
    Case(sql: "", statement: "INSERT INTO logged_insert VALUES (6, 1, 7)"),
    Case(
      sql:
        "\(large); UPDATE node SET start = 20 WHERE id = (SELECT block FROM customer_record WHERE id = 9)",
      statement: #"UPDATE customers SET section = 1, "order" = 12 WHERE id = 13"#),
    Case(
      sql: "\(large); UPDATE place SET slot = slot + 2 WHERE customer = 12",
      statement: "DELETE FROM customers WHERE id = 6"),
    // Rows that were to go, of which one is elsewhere.
    Case(
      sql: "UPDATE place SET customer = 13 - customer WHERE customer IN (5, 8)",
      statement: "INSERT INTO logged_delete_rows VALUES (3, 3, 1, 3)"),
  ]

  /// The same for an edit of many rows.
  private struct ManyRowsCase {
    enum Edit { case write, arrange, undo, undoArranging }

    /// The values of `staged_row`: a row and the section and number that it gets; or of `arranged_row`: a row, its number,
    /// and the one that it gets.
    var rows: String
    /// Run before the edit, or between it and its undo.
    var sql = ""
    var edit = Edit.write
  }

  private static let manyRowsCases = [
    // A row that is not where its record says, a block with a gap, places that are taken twice or not there.
    ManyRowsCase(rows: "(6, NULL, NULL)", sql: "UPDATE place SET customer = 99 WHERE customer = 6"),
    ManyRowsCase(rows: "(6, NULL, NULL)", sql: "UPDATE place SET slot = slot + 5 WHERE customer = 8"),
    ManyRowsCase(rows: "(6, 1, 2), (7, 1, 2)"), ManyRowsCase(rows: "(6, 1, 20)"),
    ManyRowsCase(rows: "(6, 1, 0)"),
    ManyRowsCase(rows: "(6, 9, 1)"), ManyRowsCase(rows: "(99, 1, 1)"),
    // Rows that don't get the places of each other, or are not where they are said to be, or twice.
    ManyRowsCase(rows: "(6, 6, 7)", edit: .arrange),
    ManyRowsCase(rows: "(6, 6, 7), (7, 7, 8)", edit: .arrange),
    ManyRowsCase(rows: "(6, 7, 6), (7, 6, 7)", edit: .arrange),
    ManyRowsCase(rows: "(6, 6, 7), (6, 6, 6)", edit: .arrange),
    ManyRowsCase(rows: "(13, 1, 2), (2, 2, 1)", edit: .arrange),
    ManyRowsCase(
      rows: "(7, 7, 8), (8, 8, 7)", sql: "UPDATE place SET slot = slot + 5 WHERE customer = 8", edit: .arrange
    ),
    ManyRowsCase(
      rows: "(6, 6, 7), (7, 7, 6)", sql: "UPDATE history_row SET to_order = to_order + 1 WHERE customer = 6",
      edit: .undoArranging),
    ManyRowsCase(
      rows: "(6, 6, 7), (7, 7, 6)", sql: "DELETE FROM history_row WHERE customer = 6", edit: .undoArranging),
    ManyRowsCase(
      rows: "(6, 6, 7), (7, 7, 6)", sql: #"UPDATE history_row SET "order" = 6"#, edit: .undoArranging),
    ManyRowsCase(
      rows: "(6, 6, 7), (7, 7, 6), (8, 8, 9), (9, 9, 8)",
      sql: #"UPDATE history_row SET "order" = "order" - 2 WHERE customer IN (8, 9)"#, edit: .undoArranging),
    ManyRowsCase(
      rows: "(6, 6, 7), (7, 7, 6)", sql: "UPDATE section_record SET count = count + 1", edit: .undoArranging),
    // The history does not match the list: a row is elsewhere, is not deleted, has no record; or it lost a row, or all
    // of them.
    ManyRowsCase(
      rows: "(6, 1, 1), (9, 2, 1)", sql: "UPDATE history_row SET to_order = to_order + 1 WHERE customer = 6",
      edit: .undo),
    ManyRowsCase(
      rows: "(6, NULL, NULL), (7, NULL, NULL)",
      sql: "UPDATE customer_record SET deleted_by = NULL WHERE id = 7", edit: .undo),
    ManyRowsCase(
      rows: "(6, NULL, NULL), (7, NULL, NULL)", sql: "DELETE FROM customer_record WHERE id = 7", edit: .undo),
    ManyRowsCase(
      rows: "(6, 1, 1), (9, 2, 1)", sql: "DELETE FROM history_row WHERE customer = 6", edit: .undo),
  ]

  private static func damageToManyRows() throws -> String? {
    for (number, damage) in manyRowsCases.enumerated() {
      let connection = try Connection.listToDamage()
      let manyRows = NewList.manyRows
      try manyRows.begin(connection)
      let isArranged = damage.edit == .arrange || damage.edit == .undoArranging
      let table =
        isArranged
        ? #"arranged_row (customer, "order", to_order)"# : "staged_row (customer, to_section, to_order)"
      try connection.execute("INSERT INTO \(table) VALUES \(damage.rows)")
      if damage.edit == .undo { try connection.step { try manyRows.write(connection) } }
      if damage.edit == .undoArranging {
        try connection.step { try manyRows.arrange(section: 1, connection) }
      }
      try connection.executeScript(damage.sql)
      let found = connection.refusal {
        switch damage.edit {
        case .write: try manyRows.write(connection)
        case .arrange: try manyRows.arrange(section: 1, connection)
        case .undo, .undoArranging: try connection.revertLast("undo")
        }
      }
      guard found == ([.undo, .undoArranging].contains(damage.edit) ? "history" : "damaged") else {
        return "many rows, damage \(number): \(found ?? "not refused")"
      }
    }
    return nil
  }

  static func damage() throws -> String? {
    for (number, damage) in cases.enumerated() {
      let connection = try Connection.listToDamage()
      try connection.executeScript("PRAGMA ignore_check_constraints = ON; \(damage.sql)")
      let before = try connection.dump()
      let found = connection.refusal(of: damage.statement)
      guard found == damage.kind else {
        return "damage \(number): \(found ?? "not refused"), not \(damage.kind)"
      }
      guard try connection.dump() == before else { return "damage \(number): something was changed" }
    }
    return try damageToManyRows()
  }
}

extension Connection {
  fileprivate static func listToDamage() throws -> Connection {
    let connection = try Connection.newList(.small)
    try connection.append(12)
    try connection.execute("INSERT INTO sections (title) VALUES ('2'), ('3')")
    try connection.append(2, to: 2)
    try connection.execute(#"UPDATE customers SET "order" = 1 WHERE id = 2"#)
    try connection.execute(#"UPDATE customers SET "order" = 2 WHERE id = 2"#)
    return connection
  }
}
