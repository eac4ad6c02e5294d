@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Every number of every internal table may be anything in a damaged file: nothing traps, and `repair` ends
/// in a list that is whole.
@Suite(.onThreads) struct AnyNumberTests {
  /// Columns that hold numbers, by table.
  static let columns: [(table: String, column: String)] = [
    ("section_record", ["id", "\"order\"", "count", "deleted_by"]),
    ("customer_record", ["id", "block", "deleted_by", "is_favorite", "can_edit", "can_move"]),
    ("node", ["id", "parent", "start"]),
    ("place", ["block", "\"order\"", "customer"]),
    ("staged", ["number", "customer"]),
    (
      "history_step",
      [
        "id", "last", "is_open", "first_edit", "bytes_before", "bytes", "edits", "row", "count", "section",
        "\"order\"", "to_section", "to_order",
      ]
    ),
    ("edit_record", ["id", "row", "count", "section", "\"order\"", "to_section", "to_order"]),
    ("history_row", ["edit", "customer", "\"order\"", "to_order", "section", "to_section"]),
    ("history_limit", ["steps", "bytes"]),
    ("receipt", ["id"]),
    ("sqlite_sequence", ["seq"]),
  ].flatMap { table, columns in columns.map { (table, $0) } }

  static let values = [
    "9223372036854775807", "-9223372036854775807 - 1", "4503599627370497", "0", "-1", "NULL", "'x'", "1.5",
    "1e300", "x'00'",
  ]

  @Test(arguments: sampled(columns.indices, oneIn: 10))
  func `nothing traps, and a repaired list is whole`(index: Int) throws {
    let (table, column) = Self.columns[index]
    let connection = try Connection.newList(.small)
    try connection.execute("INSERT INTO sections (title) VALUES ('2')")
    try connection.append(10, to: 1)
    try connection.append(3, to: 2)
    try connection.executeScript(
      """
      UPDATE customers SET "order" = 2 WHERE id = 9; DELETE FROM customers WHERE id = 4;
      UPDATE customers SET note = 'x' WHERE id = 5; INSERT INTO staged VALUES (1, 1);
      INSERT INTO history_row (edit, customer, "order", to_order) VALUES (1, 1, 1, 2); INSERT INTO begin_transaction VALUES ('t', '', '', '', '');
      """)
    try connection.localFile.harden()
    for value in sampled(Self.values, oneIn: 8, salt: index) {
      for condition in ["true", "rowid = (SELECT max(rowid) FROM \(table))"] {
        if condition != "true", ["place", "history_row"].contains(table) { continue }
        try connection.executeScript("BEGIN; PRAGMA ignore_check_constraints = ON")
        try? connection.execute("UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE \(condition)")
        try connection.executeScript("PRAGMA ignore_check_constraints = OFF")
        try useEverything(
          CustomerList(connection: connection), "\(table).\(column) = \(value) where \(condition)")
        try connection.executeScript("ROLLBACK")
      }
    }
  }

  /// Reads, edits, undoes, and repairs; errors are answers, traps are not.
  private func useEverything(_ list: consuming CustomerList, _ what: Comment) throws {
    let one = SectionID(rawValue: 1)
    _ = try? list.sections()
    _ = try? list.page(from: 1, limit: 50, in: one)
    _ = try? list.customer(CustomerID(rawValue: 5))
    _ = try? list.history()
    _ = try? list.changes(after: list.version(after: 0))
    _ = try? list.check()
    attempt(&list) { list in _ = try list.insert(CustomerFields(), at: .first) }
    attempt(&list) { list in try list.move([CustomerID(rawValue: 5)], to: .place(3)) }
    attempt(&list) { list in try list.delete([CustomerID(rawValue: 6)]) }
    attempt(&list) { list in _ = try list.undo() }
    for step in (try? list.history()) ?? [] { attempt(&list) { list in try list.revert(step.id) } }
    attempt(&list) { list in _ = try list.addSection(title: "new", at: 1) }
    do {
      _ = try list.repair()
    } catch {
      Issue.record("repair: \(error): \(what)")
      return
    }
    let violations = try list.check()
    #expect(violations == [], what)
    attempt(&list) { list in _ = try list.insert(CustomerFields(), at: .first) }
  }

  private func attempt(_ list: inout CustomerList, _ edit: (inout CustomerList) throws -> Void) {
    guard (try? list.connection.execute("SAVEPOINT attempt")) != nil else { return }
    list.recorder.begin(by: StepAuthor(CustomerStore.Options(), action: ""))
    try? edit(&list)
    try? list.endStep()
    try? list.connection.executeScript("ROLLBACK TO attempt; RELEASE attempt")
  }
}
