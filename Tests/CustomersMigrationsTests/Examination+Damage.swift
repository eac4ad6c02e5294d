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
    // Rows that were to go, of which one is elsewhere.
    Case(
      sql: "UPDATE place SET customer = 13 - customer WHERE customer IN (5, 8)",
      statement: "INSERT INTO logged_delete_rows VALUES (3, 3, 1, 3)"),
  ]

  static func damage() throws -> String? {
    for (number, damage) in cases.enumerated() {
      let connection = try Connection.newList(.small)
      try connection.append(12)
      try connection.execute("INSERT INTO sections (title) VALUES ('2'), ('3')")
      try connection.append(2, to: 2)
      try connection.execute(#"UPDATE customers SET "order" = 1 WHERE id = 2"#)
      try connection.execute(#"UPDATE customers SET "order" = 2 WHERE id = 2"#)
      try connection.executeScript("PRAGMA ignore_check_constraints = ON; \(damage.sql)")
      let before = try connection.dump()
      let found = connection.refusal(of: damage.statement)
      guard found == damage.kind else {
        return "damage \(number): \(found ?? "not refused"), not \(damage.kind)"
      }
      guard try connection.dump() == before else { return "damage \(number): something was changed" }
    }
    return nil
  }
}
