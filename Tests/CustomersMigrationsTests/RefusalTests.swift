import CustomersSQLite
import CustomersTestSupport
import Testing

/// A refused statement says why and leaves every table as it was, whatever its conflict clause.
@Suite(.onThreads) struct RefusalTests {
  static let clauses = ["", " OR IGNORE", " OR REPLACE", " OR FAIL", " OR ABORT", " OR ROLLBACK"]

  /// The clauses without and with recursive triggers: what REPLACE deletes fires triggers only with them.
  static let settings = clauses.flatMap { [($0, false), ($0, true)] }

  @Test(arguments: sampled(settings, oneIn: 12, salt: 1))
  func `a refused statement changes nothing`(clause: String, recursiveTriggers: Bool) throws {
    let connection = try Connection.protectedList(.small)
    try connection.execute("PRAGMA recursive_triggers = \(recursiveTriggers ? 1 : 0)")
    let before = try connection.dump()
    for (sql, kind) in Refused.statements {
      let statement = sql.replacing("{or}", with: clause)
      #expect(connection.refusal(of: statement) == kind, "\(statement)")
      #expect(try connection.dump() == before, "\(statement)")
    }
  }

  @Test(arguments: sampled(settings, oneIn: 12, salt: 2))
  func `the transaction of a refused statement goes on`(clause: String, recursiveTriggers: Bool) throws {
    let connection = try Connection.protectedList(.real)
    try connection.execute("PRAGMA recursive_triggers = \(recursiveTriggers ? 1 : 0)")
    try connection.execute("BEGIN")
    try connection.execute("UPDATE customers SET note = 'kept' WHERE id = 5")
    let before = try connection.dump()
    for (sql, kind) in Refused.statements {
      let statement = sql.replacing("{or}", with: clause)
      #expect(connection.refusal(of: statement) == kind, "\(statement)")
      #expect(connection.isInTransaction, "\(statement)")
      #expect(try connection.dump() == before, "\(statement)")
    }
    try connection.execute(#"UPDATE customers SET "order" = 1 WHERE id = 5"#)
    try connection.execute("COMMIT")
    #expect(try connection.ids() == [5, 1, 2, 3, 4])
    #expect(try connection.fetchOne("SELECT note FROM customers WHERE id = 5") { $0.text(0) } == "kept")
  }

  @Test(arguments: clauses)
  func `protection are always set, and protected rows shift`(clause: String) throws {
    let connection = try Connection.protectedList(.least)
    try connection.execute("UPDATE\(clause) customers SET can_edit = 1, can_move = 1 WHERE id = 2")
    try connection.execute("UPDATE\(clause) customers SET can_edit = 0, can_move = 0")
    try connection.execute("INSERT\(clause) INTO customers (section, \"order\") VALUES (1, 1)")
    #expect(try connection.ids() == [10, 1, 2, 3, 4, 5])
    #expect(connection.refusal(of: "DELETE FROM customers WHERE id = 2") == "protected")
    try connection.execute("UPDATE\(clause) customers SET can_edit = 1, can_move = 1")
    try connection.execute("DELETE FROM customers WHERE id IN (2, 10)")
    #expect(try connection.ids() == [1, 3, 4, 5])
  }

  @Test func `an equivalent value of another type is accepted`() throws {
    let connection = try Connection.protectedList(.real)
    try connection.execute("UPDATE customers SET section = '2', \"order\" = 1 WHERE id = 1")
    #expect(try connection.ids(in: 2) == [1, 6, 7, 8])
    try connection.execute("INSERT INTO customers (section, first_name, is_favorite) VALUES (2.0, 5, '1')")
    let types = try connection.fetchOne(
      "SELECT typeof(section), typeof(first_name), typeof(is_favorite), typeof(note) FROM customers WHERE id = 10"
    ) { $0.texts(4) }
    #expect(types == ["integer", "text", "integer", "text"])
  }
}

extension Connection {
  /// The list that `Refused` describes.
  static func protectedList(_ capacity: Capacity) throws -> Connection {
    let connection = try Connection.newList(capacity)
    try connection.executeScript(
      """
      INSERT INTO sections (title) VALUES ('2'), ('3'), ('4');
      DELETE FROM sections WHERE id = 4;
      INSERT INTO customers (section) VALUES (1), (1), (1), (1), (1), (2), (2), (2), (1);
      DELETE FROM customers WHERE id = 9;
      INSERT INTO log_lines (uid, customer) VALUES (-1, 1), (-2, 2), (-3, 1);
      DELETE FROM log_lines WHERE uid = -3;
      INSERT INTO columns (uid, name, kind) VALUES (-1, 'Due', 'date'), (-2, 'Kind', 'choice'), (-3, 'Old', 'text');
      DELETE FROM columns WHERE uid = -3;
      INSERT INTO settings VALUES ('sort', 'name'), ('page', '1');
      INSERT INTO persons (uid, name) VALUES (-4, 'Ann'), (-5, 'Bob');
      UPDATE customers SET can_edit = 0 WHERE id IN (2, 7);
      UPDATE customers SET can_move = 0 WHERE id IN (3, 8);
      """)
    return connection
  }

  /// The kind with which the triggers refuse a statement, or nil if they do not.
  func refusal(of sql: String) -> String? { refusal { try executeScript(sql) } }

  func refusal(_ edit: () throws -> Void) -> String? {
    do {
      try edit()
      return nil
    } catch let error as SQLiteError where error.code == .constraintTrigger {
      return String(error.message.prefix { $0 != ":" })
    } catch {
      return "\(error)"
    }
  }
}
