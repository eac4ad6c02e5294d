import CustomersTestSupport
import Testing

/// The `sqlite3` shell on the same file: each program finds the other's edits in order.
@Suite(.onThreads) struct OtherClientTests {
  @Test func `a file with triggers by other programs can only be read`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite("CREATE TRIGGER spy AFTER DELETE ON place BEGIN SELECT 1; END")
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("list").code == 0)
      let result = try sandbox.run("delete", "1", "-y")
      let told = "another program added triggers to the file (spy), so it is read-only"
      let hint = "hint: to remove them: customers check --repair"
      #expect(result == .failed(1, "customers: can't write \"\(sandbox.file)\": \(told)\n\(hint)"))
    }
  }

  /// A script of the shell, and the first names afterward.
  @Test(arguments: [
    (#"INSERT INTO customers ("order", first_name) VALUES (2, 'Ann')"#, "A Ann B C D | X Y"),
    ("INSERT INTO customers (first_name) VALUES ('Ann'), ('Bob')", "A B C D Ann Bob | X Y"),
    (#"INSERT INTO customers (section, "order", first_name) VALUES (2, 1, 'Ann')"#, "A B C D | Ann X Y"),
    (#"UPDATE customers SET "order" = 1 WHERE id = 4"#, "D A B C | X Y"),
    (#"UPDATE customers SET "order" = 4 WHERE first_name = 'A'"#, "B C D A | X Y"),
    ("UPDATE customers SET section = 2 WHERE id IN (1, 3)", "B D | X Y A C"),
    (#"UPDATE customers SET section = 2, "order" = 2 WHERE id = 1"#, "B C D | X A Y"),
    ("DELETE FROM customers WHERE id IN (1, 3, 5)", "B D | Y"),
    (#"DELETE FROM customers WHERE "order" % 2 = 0"#, "A C | X"),
    ("DELETE FROM customers", " | "),
    (#"INSERT INTO sections ("order", title) VALUES (1, 'Top')"#, " | A B C D | X Y"),
    (#"UPDATE sections SET "order" = 1 WHERE id = 2"#, "X Y | A B C D"),
    ("BEGIN; DELETE FROM customers WHERE section = 2; DELETE FROM sections WHERE id = 2; COMMIT", "A B C D"),
  ])
  func `edits by another client keep the numbers, and check finds nothing`(script: String, order: String)
    throws
  {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.sqlite(script) == "")
    #expect(try sandbox.order == order)
    try sandbox.expectSound()
    let positions = try jsonArray(sandbox.run("list", "--json").output).compactMap { $0["position"] as? Int }
    #expect(positions == Array(0..<positions.count).map { $0 + 1 })
    // And our own edits go on from there.
    #expect(try sandbox.run("add", "New", "--first", "-q").code == 0)
    try sandbox.expectSound()
  }

  /// What `Documentation/sql.md` says of RETURNING and of ids.
  @Test(arguments: [
    ("DELETE FROM customers WHERE id = 2 RETURNING id, first_name", "2|B\n"),
    ("UPDATE customers SET note = 'x' WHERE id = 2 RETURNING id, first_name, note", "2|B|x\n"),
    ("INSERT INTO customers (first_name) VALUES ('Ann') RETURNING id, first_name, section", "|Ann|\n"),
    (
      """
      INSERT INTO customers (first_name) VALUES ('Ann');
      SELECT last_insert_rowid(), changes(), first_name FROM customers WHERE id = (SELECT max(id) FROM customers)
      """, "0|0|Ann\n"
    ),
  ])
  func `a statement returns what the document says`(statement: String, output: String) throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.sqlite(statement) == output)
    try sandbox.expectSound()
  }

  @Test func `forbidden statements are refused and change nothing`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite("UPDATE customers SET can_edit = 0, can_move = 0 WHERE id = 1")
    try sandbox.expectUntouched { () throws in
      for statement in [
        #"UPDATE customers SET "order" = 9 WHERE id = 2"#,
        #"UPDATE customers SET "order" = 1.5 WHERE id = 2"#,
        "UPDATE customers SET section = 7 WHERE id = 2", "DELETE FROM customers WHERE id IN (2, 1)",
        "UPDATE customers SET note = 'x' WHERE id = 1", "UPDATE customers SET section = 2 WHERE id = 1",
        "DELETE FROM sections WHERE id = 2", "INSERT OR REPLACE INTO customers (id, note) VALUES (2, 'x')",
        "INSERT OR IGNORE INTO customers (id, note) VALUES (2, 'x')",
        "INSERT INTO customers (id, note) VALUES (2, 'x') ON CONFLICT (id) DO UPDATE SET note = 'x'",
      ] {
        var started = try sandbox.start(["sqlite3", "-batch", sandbox.file, statement])
        started.spawn.environment["CUSTOMERS_DB"] = nil
        let result = try started.outcome()
        #expect(result.code != 0 && !result.errors.isEmpty, "\(statement)")
      }
    }
  }

  @Test func `a file of ours that it holds open for writing is waited for`() throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.shell(
      """
      (echo 'BEGIN IMMEDIATE; DELETE FROM customers WHERE id = 1;'; sleep 0.5; echo 'COMMIT;') |
        sqlite3 -batch "$CUSTOMERS_DB" &
      sleep 0.1
      customers add Ann
      wait
      """)
    #expect(result == .done("Added \"Ann\" as row 4."))
    #expect(try sandbox.order == "B C D Ann | X Y")
    try sandbox.expectSound()
  }
}
