import CustomersTestSupport
import Foundation
import Testing

/// `customers check` and the schema: dropped, changed, or added objects.
@Suite(.onThreads) struct CheckSchemaTests {
  /// Statements of another client, what `check` says, and whether the repair asks.
  private static let damages: [(sql: String, finding: String)] = [
    ("DROP TRIGGER customers_insert", "the trigger customers_insert is missing"),
    ("DROP VIEW customers", "the view customers is missing"),
    ("DROP VIEW sections; CREATE TABLE sections (id)", "the view sections is missing"),
    ("DROP INDEX node_by_id", "the index node_by_id is missing"),
    (
      "DROP INDEX node_by_id; CREATE INDEX node_by_id ON node (start)",
      "the index node_by_id is different from ours"
    ),
    ("DROP TABLE history_limit", "the table history_limit is missing"),
    ("DROP TABLE history_row", "the table history_row is missing"),
    ("ALTER TABLE place ADD COLUMN color", "the table place is different from ours"),
    ("ALTER TABLE customer_record ADD COLUMN born TEXT", "the table customer_record is different from ours"),
    (
      """
      DROP TRIGGER customers_delete;
      CREATE TRIGGER customers_delete INSTEAD OF DELETE ON customers BEGIN SELECT 1; END
      """, "the trigger customers_delete is different from ours"
    ),
    (
      "CREATE TRIGGER spy AFTER UPDATE ON place BEGIN SELECT 1; END",
      "foreign trigger spy on place"
    ),
    (
      "CREATE TRIGGER spy AFTER INSERT ON Customer_Record BEGIN DELETE FROM place; END",
      "foreign trigger spy on Customer_Record"
    ),
  ]

  @Test(arguments: sampled(damages.indices, oneIn: 9))
  func `foreign objects are reported, and ours are restored`(index: Int) throws {
    let (sql, finding) = Self.damages[index]
    let sandbox = try CLISandbox.withDemo()
    let list = try sandbox.run("list", "--json").output
    _ = try sandbox.sqlite(sql)
    let result = try sandbox.expectUntouched { try sandbox.run("check") }
    #expect(result.code == 1, "\(result)")
    #expect(result.output.split(separator: "\n").contains { $0 == finding }, "\(sql): \(result)")
    // The steps may have had rows there.
    let asks = sql.contains("spy") || sql.contains("history_row")
    if asks {
      try sandbox.expectUntouched { () throws in
        #expect(try sandbox.run("check", "--repair").code == 4)
        let no = try sandbox.run(words: ["check", "--repair"], answers: ["n"])
        #expect(no.code == 5 && no.errors.hasSuffix("? [y/N] Nothing was changed.\n"))
      }
    }
    #expect(try sandbox.run("check", "--repair", "-n", "-y").code == 1)
    let repaired = try sandbox.run(words: ["check", "--repair"], answers: asks ? ["y"] : [])
    #expect(repaired.code == 0 && repaired.output.contains("OK: 10 rows"), "\(sql): \(repaired)")
    #expect(try sandbox.run("list", "--json").output == list, "\(sql)")
    #expect(try sandbox.run("add", "Eve").code == 0)
    #expect(try sandbox.run("undo").code == 0)
    try sandbox.expectSound()
  }

  @Test func `objects that others have added are reported, and kept`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(
      """
      CREATE TABLE visits (day); CREATE INDEX by_company ON customer_record (company);
      CREATE VIEW names AS SELECT first_name FROM customers;
      CREATE TRIGGER visited AFTER INSERT ON visits BEGIN SELECT 1; END; ANALYZE;
      """)
    let note = "note: other programs have added table visits, index by_company, view names, trigger visited"
    let well = "OK: 10 rows in 3 sections, numbered 1…n."
    #expect(try sandbox.run("check") == .done(well, errors: note))
    _ = try sandbox.sqlite("DROP VIEW customers; ALTER TABLE customer_record ADD COLUMN born")
    #expect(try sandbox.run("check", "--repair", "-q").code == 0)
    #expect(try sandbox.run("check").errors.contains("table visits"))
    #expect(try sandbox.sqlite("SELECT count(*) FROM names") == "10\n")
  }

  @Test func `a list that was restored from a dump is recognized and adopted`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("delete", "1", "-y").code == 0)
    let list = try sandbox.run("list", "--json").output
    #expect(
      try sandbox.shell("sqlite3 customers.sqlite .dump | sqlite3 new.sqlite; mv new.sqlite customers.sqlite")
        == .done())
    for words in [["list"], ["add", "Eve"], ["check"]] {
      let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
      #expect(result.code == 1 && result.errors.contains("restored from a .dump"), "\(result)")
      #expect(result.errors.contains("again: customers check --repair"))
    }
    #expect(try sandbox.run("check", "--repair").code == 0)
    #expect(try sandbox.run("list", "--json").output == list)
    #expect(try sandbox.run("undo").code == 0)
    try sandbox.expectSound()
  }

  @Test func `a string that is not UTF-8 is reported with row and field`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite(
      """
      UPDATE customer_record SET note = CAST(x'61ff62' AS TEXT) WHERE id = 3;
      UPDATE section_record SET footer = CAST(x'c3' AS TEXT) WHERE id = 2;
      """)
    let result = try sandbox.run("check")
    #expect(
      result.output == """
        section 1, order 3, customer 3: the note is not valid UTF-8 or is too long
        section 2: the footer is not valid UTF-8 or is too long

        """)
    #expect(result.code == 1)
    // An edit of any column of the customer writes the extra ones again.
    _ = try sandbox.sqlite(
      "UPDATE customer_record SET note = '', extra = CAST(x'7b22ff223a2231227d' AS TEXT) WHERE id = 3")
    #expect(try sandbox.run("check").errors.contains("customers edit @3"))
    #expect(try sandbox.run("edit", "@3", "--set", "Size=1").code == 0)
    #expect(try sandbox.run("check").errors.contains("to enter the text of a section again: "))
    #expect(try sandbox.run("section", "footer", "2", "new").code == 0)
    try sandbox.expectSound()
  }

  @Test func `a file that others may read is reported`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.shell("chmod 644 customers.sqlite") == .done())
    let note =
      "note: other users on this computer can read the file (mode 644); to prevent that: chmod 600 FILE"
    #expect(try sandbox.run("check").errors == note + "\n")
    #expect(try sandbox.run("info").output.contains("Mode:        644\n"))
    #expect(try sandbox.run("check", "-q") == .done())
  }
}
