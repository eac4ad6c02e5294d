import CustomerStore
import Foundation
import Testing

/// What is missing although nothing looks damaged: a repair names it, or finds it.
@Suite struct RepairLossTests {
  /// Removes a cell of the page of a table, the first one by default.
  private func removeCell(_ cell: Int = 0, of table: String, in sandbox: CLISandbox) throws {
    try sandbox.changePage(of: table) { page, file in
      let count = Int(file[page + 3]) << 8 | Int(file[page + 4])
      for place in page + 8 + 2 * cell..<page + 6 + 2 * count { file[place] = file[place + 2] }
      (file[page + 3], file[page + 4]) = (UInt8((count - 1) >> 8), UInt8((count - 1) & 255))
    }
  }

  private func zeroPage(of table: String, in sandbox: CLISandbox) throws {
    try sandbox.changePage(of: table) { page, file in
      file.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
    }
  }

  /// A list of 300 rows, so many that the last page is not of the schema.
  private static func withManyRows() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let rows = (1...300).map { "F\($0),L\($0)\n" }.joined()
    _ = try sandbox.write("first,last\n" + rows, to: "in.csv")
    #expect(try sandbox.run("import", "in.csv", "-y", "-q") == .done())
    return sandbox
  }

  private func refusedRepair(of sandbox: CLISandbox) throws -> String {
    let repair = try sandbox.expectUntouched { try sandbox.run("check", "--repair", "--yes") }
    #expect(repair.code == 4, "\(repair)")
    return repair.errors
  }

  @Test func `a line that only the index has is a loss`() throws {
    let sandbox = try CLISandbox.withDemo()
    for text in ["one", "two", "three"] { #expect(try sandbox.run("log", "2", text, "-q") == .done()) }
    try removeCell(of: "line_record", in: sandbox)
    #expect(try refusedRepair(of: sandbox).contains("     1 line of the log of customer @2\n"))
  }

  @Test(arguments: ["line_record", "entry_record"])
  func `a table of which the schema has lost the name is found`(table: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("log", "2", "Called", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    let list = try sandbox.run("export", "-", "--format", "json").output
    _ = try sandbox.sqlite(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'table' AND name = '\(table)'")
    let repair = try sandbox.run("check", "--repair", "--yes")
    #expect(repair.code == 0 && repair.output.hasPrefix("OK: 10 rows"), "\(repair)")
    #expect(try sandbox.run("export", "-", "--format", "json").output == list)
  }

  /// What copies call the customers is damaged, so no take is worked out; after the repair, `copy` is one of another list.
  private func expectLossOfUIDs(in sandbox: CLISandbox) throws {
    #expect(try sandbox.run("check").code == 1)
    let damaged = try sandbox.expectUntouched { try sandbox.run("take", "copy", "--yes") }
    #expect(damaged.code != 0 && damaged.errors.contains("customers check"), "\(damaged)")
    #expect(try refusedRepair(of: sandbox).contains("what other copies of the list call its customers"))
    #expect(try sandbox.run("check", "--repair", "--accept-loss", "--yes").code == 0)
    let take = try sandbox.expectUntouched { try sandbox.run("take", "copy", "--yes") }
    #expect(take.code == 4 && take.errors.contains("it is not a copy of this list"), "\(take)")
    try sandbox.expectSound()
  }

  /// A page that looks sound may have lost what some of them are called.
  @Test(arguments: [true, false])
  func `what copies call the customers is a loss, and the list is no longer the one that they are of`(
    isOfAll: Bool
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("import", "-", "--yes", "-q", stdin: "name\nAnn Other\nBob Other\n") == .done())
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--note", "Called", "--db", "copy", "-q") == .done())
    try isOfAll ? zeroPage(of: "uid_run", in: sandbox) : removeCell(of: "uid_run", in: sandbox)
    try expectLossOfUIDs(in: sandbox)
  }

  /// No one can know which of two runs is the right one, or what one was that can't be.
  @Test(arguments: [
    "(SELECT uid FROM uid_run WHERE first = (SELECT max(first) FROM uid_run))", "9223372036854775807", "0",
    "'x'", "1.5",
  ])
  func `a run of uids that can't be right is a loss of what copies call the customers`(uid: String) throws {
    let sandbox = try CLISandbox.withDemo()
    for rows in ["Ann Other\nBob Other", "Cid Other\nDan Other"] {
      #expect(try sandbox.run("import", "-", "--yes", "-q", stdin: "name\n\(rows)\n") == .done())
    }
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--note", "Called", "--db", "copy", "-q") == .done())
    _ = try sandbox.sqlite("UPDATE uid_run SET uid = \(uid) WHERE first = (SELECT min(first) FROM uid_run)")
    try expectLossOfUIDs(in: sandbox)
  }

  @Test func `of two rows that lead to one page, no one can know whose it is`() throws {
    let sandbox = try CLISandbox()
    let rows = (1...4).map { "F\($0),\(String(repeating: "n\($0) ", count: 6_000))\n" }.joined()
    #expect(try sandbox.run("import", "-", "-y", "-q", stdin: "first name,note\n" + rows) == .done())
    var file = try #require(sandbox.bytes)
    // The first page of the note of a customer, beside the one of its row.
    func page(_ number: Int) throws -> Range<Int> {
      let text = Data("n\(number) n\(number) ".utf8)
      let first = stride(from: 4096, to: file.count, by: 4096).first { start in
        file[start] == 0 && file[start..<start + 4096].range(of: text) != nil
      }
      return try #require(first)..<(first ?? 0) + 4096
    }
    try file.replaceSubrange(page(1), with: Data(file[page(2)]))
    try sandbox.put(file)
    #expect(
      try refusedRepair(of: sandbox).contains(
        "which long values are those of customer @2, and which those of customer @1"))
    #expect(try sandbox.run("check", "--repair", "--accept-loss", "--yes", "-q").code == 0)
    try sandbox.expectSound()
  }

  @Test func `without its identity, no copy is one of the list, which is a loss`() throws {
    let sandbox = try CLISandbox.withDemo()
    try zeroPage(of: "identity", in: sandbox)
    #expect(try refusedRepair(of: sandbox).contains("the identity, without which copies are of another list"))
  }

  /// Rows that a repair has moved are not where the steps left them, and the places that they left may not be there.
  @Test(arguments: 0..<8) func `an undo after a repair works, or names the step`(cell: Int) throws {
    let sandbox = try CLISandbox()
    let rows = (0..<120).map { #"{"first_name":"F\#($0)","section":"Sec\#($0 / 30)"}"# }.joined(
      separator: "\n")
    #expect(try sandbox.run("import", "-", "-y", "-q", "--format", "ndjson", stdin: rows) == .done())
    for row in ["@120", "@90", "@60"] { #expect(try sandbox.run("move", row, "2", "-q").code == 0) }
    try removeCell(cell, of: "node", in: sandbox)
    #expect(try sandbox.run("check", "--repair", "--accept-loss", "--yes", "-q").code == 0)
    let undo = try sandbox.run("undo", "--to", "0", "--yes")
    #expect(undo.code == 0 || undo.code == 4 && undo.errors.contains("the list was repaired"), "\(undo)")
    try sandbox.expectSound()
  }

  @Test func `a file without its end is damaged for every command`() throws {
    let sandbox = try Self.withManyRows()
    try sandbox.put((sandbox.bytes ?? Data()).dropLast())
    for words in [["list"], ["add", "Ann"], ["check"], ["backup", "other"]] {
      let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
      #expect(result.code != 0 && result.errors.contains("its end is missing"), "\(words): \(result)")
    }
    let other = try CLISandbox.withDemo()
    let restore = try other.expectUntouched { try other.run("restore", sandbox.file, "--yes") }
    #expect(restore.code == 1 && restore.errors.contains("its end is missing"), "\(restore)")
    let repair = try sandbox.run("check", "--repair", "--accept-loss", "--yes")
    #expect(repair.code == 0, "\(repair)")
    try sandbox.expectSound()
  }

  @Test func `sections without rows are a loss`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("section", "add", "Partners", "-q") == .done())
    #expect(try sandbox.run("section", "add", "Gone", "-q") == .done())
    #expect(try sandbox.run("section", "delete", "Gone", "-y", "-q") == .done())
    try removeCell(of: "section_record", in: sandbox)
    #expect(try refusedRepair(of: sandbox).contains("the title, the footer, and the place of section @1"))
    try zeroPage(of: "section_record", in: sandbox)
    #expect(try refusedRepair(of: sandbox).contains("     section @4, which has no rows\n"))
  }

  @Test func `what the history no longer says was deleted is in the list again, and is named`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("log", "1", "Wrong person", "-q") == .done())
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.run("delete", "4", "-y", "-q") == .done())
    try zeroPage(of: "edit_record", in: sandbox)
    let repair = try sandbox.run("check", "--repair", "--accept-loss", "--yes")
    #expect(repair.code == 0, "\(repair)")
    #expect(repair.errors.contains("note: a deleted line is in the log of customer @1 again"), "\(repair)")
    try sandbox.expectSound()
  }

  @Test func `sections that get another number are named`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(#"UPDATE section_record SET "order" = 9 WHERE id = 2"#)
    let repair = try sandbox.run("check", "--repair", "--yes")
    #expect(repair.code == 0, "\(repair)")
    for note in ["@3 is number 2, not 3", "@2 is number 3, not 9"] {
      #expect(repair.errors.contains("note: the section \(note)\n"), "\(repair)")
    }
    try sandbox.expectSound()
  }

  /// Row 4 is another customer where a block begins too late, or a section counts too few.
  @Test(arguments: ["node SET start = 1 WHERE id = 3", "section_record SET count = 2 WHERE id = 1"])
  func `a row that may be another one is not edited by its number`(damage: String) throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("UPDATE \(damage)")
    for words in [["edit", "4", "--note", "x"], ["delete", "4", "-y"], ["move", "4", "1"], ["show", "4"]] {
      let run = try sandbox.run(words: words)
      #expect(run.code == 1 && run.errors.contains("customers check"), "\(run)")
    }
  }

  @Test(arguments: [1, 2, 3]) func `a step that is missing is damage`(step: Int) throws {
    let sandbox = try CLISandbox.withDemo()
    for words in [["move", "1", "3"], ["add", "Ann"], ["move", "2", "5"]] {
      #expect(try sandbox.run(words: words + ["-q"]) == .done())
    }
    _ = try sandbox.sqlite("DELETE FROM history_step WHERE id = \(step)")
    let check = try sandbox.run("check")
    #expect(check.code == 1 && check.output.contains("the numbers of the history are broken"), "\(check)")
  }

  /// The states of other copies belong to steps, which go with the history.
  @Test(arguments: ["edit_record", "history_step"])
  func `a list that took a copy in is repaired, and still knows the copy`(table: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    #expect(try sandbox.run("--db", "copy", "edit", "3", "--note", "there", "-q") == .done())
    #expect(try sandbox.run("take", "copy", "-q") == .done())
    #expect(try sandbox.run("delete", "5", "-y", "-q") == .done())
    try zeroPage(of: table, in: sandbox)
    let repair = try sandbox.run("check", "--repair", "--accept-loss", "--yes")
    #expect(repair.code == 0, "\(repair)")
    try sandbox.expectSound()
    let take = try sandbox.run("take", "copy")
    #expect(take.code == 0 && take.output.hasPrefix("Nothing new"), "\(take)")
    #expect(try sandbox.run("move", "1", "2", "-q") == .done())
    #expect(try sandbox.run("history", "--forget", "--yes", "-q") == .done())
    #expect(try sandbox.run("take", "copy").output.hasPrefix("Nothing new"))
    try sandbox.expectSound()
  }

  @Test(arguments: [true, false])
  func `what a repair has lost is not deleted in a copy, which gives it back`(copyTakes: Bool) throws {
    let sandbox = try Self.withManyRows()
    #expect(try sandbox.run("log", "7", "Called", "-q") == .done())
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    #expect(try sandbox.run("edit", "4", "--note", "here", "-q") == .done())
    try zeroSecondLeaf(of: "customer_record", in: sandbox)
    let repair = try sandbox.run("check", "--repair", "--accept-loss", "--yes")
    #expect(repair.code == 0 && repair.errors.contains("so it deletes nothing"), "\(repair)")
    let words = copyTakes ? ["--db", "copy", "take", "customers.sqlite"] : ["take", "copy"]
    let refused = try sandbox.run(words: words)
    #expect(refused.code == 4 && refused.errors.contains("no row is deleted"), "\(refused)")
    #expect(try sandbox.run(words: words + ["--yes", "-q"]).code == 0)
    let list = copyTakes ? ["--db", "copy"] : []
    #expect(try sandbox.run(words: list + ["list", "--count"]).output == "300\n")
    #expect(try sandbox.run(words: list + ["list", "--where", "note=here", "--count"]).output == "1\n")
    #expect(try sandbox.run(words: list + ["check"]).code == 0)
  }

  @Test func `a declared column that only the history knows is a loss`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    try removeCell(of: "entry_record", in: sandbox)
    #expect(try refusedRepair(of: sandbox).contains("declared columns, settings, or persons"))
  }

  @Test func `entries of another index name no rows`() throws {
    let sandbox = try CLISandbox.withDemo()
    let root = try sandbox.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'node_by_id'")
    let page = (try #require(Int(root.filter(\.isNumber))) - 1) * 4096
    try sandbox.changePage(of: "section_by_title") { index, file in
      file.replaceSubrange(index..<index + 4096, with: file[page..<page + 4096])
    }
    let repair = try sandbox.run("check", "--repair", "--yes")
    #expect(repair.code == 0 && repair.output.hasPrefix("OK: 10 rows"), "\(repair)")
  }

  private func zeroSecondLeaf(of table: String, in sandbox: CLISandbox) throws {
    let leaf = try sandbox.sqlite(
      "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 1"
    )
    let page = (try #require(Int(leaf.filter(\.isNumber))) - 1) * 4096
    var file = sandbox.bytes ?? Data()
    file.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
    try sandbox.put(file)
  }

  @Test func `a partial export names each customer who is missing`() throws {
    let sandbox = try Self.withManyRows()
    try zeroSecondLeaf(of: "customer_record", in: sandbox)
    let rescue = try sandbox.run("export", "--partial", "rows.csv", "--json")
    #expect(rescue.code == 7, "\(rescue)")
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(rescue.output.utf8)) as? [String: Any])
    let (missing, count) = (answer["missing"] as? [Int] ?? [], answer["count"] as? Int ?? 0)
    #expect(missing.count + count == 300 && !missing.isEmpty, "\(rescue)")
    #expect(rescue.errors.contains("–@"), "\(rescue)")
  }

  // What other programs have added --------------------------------------------------------------

  private static let invoices =
    "CREATE TABLE invoices (id INTEGER PRIMARY KEY, sum); INSERT INTO invoices (sum) SELECT id FROM customers"
  private static let ofOthers = "objects of other programs, if the schema had some where it can't be read"

  /// Zeroes the page of the schema that has a statement.
  private func zeroPage(with statement: String, in sandbox: CLISandbox) throws {
    var file = sandbox.bytes ?? Data()
    let place = try #require(file.range(of: Data(statement.utf8))).lowerBound / 4096 * 4096
    file.replaceSubrange(place..<place + 4096, with: Data(count: 4096))
    try sandbox.put(file)
  }

  private func expectLossOfOthers(in sandbox: CLISandbox) throws {
    let plan = try sandbox.run("check", "--repair", "-n")
    #expect(plan.output.contains("Would lose \(Self.ofOthers).\n"), "\(plan)")
    #expect(try refusedRepair(of: sandbox).contains("     \(Self.ofOthers)\n"))
    let repair = try sandbox.run("check", "--repair", "--accept-loss", "--yes")
    #expect(repair.code == 0 && repair.output.contains("Lost \(Self.ofOthers).\n"), "\(repair)")
    try sandbox.expectSound()
  }

  /// No page has rows of them that could be found.
  @Test(arguments: [
    "CREATE TABLE prices (item TEXT PRIMARY KEY, price) WITHOUT ROWID; INSERT INTO prices VALUES ('a', 1)",
    "CREATE TABLE prices (item, price)", "CREATE VIEW prices AS SELECT 1 AS price",
  ])
  func `what a page of the schema may have named that can't be read is a loss`(statements: String) throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(statements)
    try zeroPage(with: String(statements.prefix { $0 != ";" }), in: sandbox)
    try expectLossOfOthers(in: sandbox)
  }

  @Test func `what the end of a file may have named that is missing is a loss`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(Self.invoices)
    try sandbox.put((sandbox.bytes ?? Data()).dropLast(8192))
    try expectLossOfOthers(in: sandbox)
  }

  /// What is missing is ours, or only a bit is wrong.
  @Test(arguments: [
    "DROP VIEW customers",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'tabme' WHERE name = 'invoices'",
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = NULL WHERE name = 'customers'",
  ])
  func `what other programs have added is carried with a schema that can be read`(damage: String) throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(Self.invoices)
    _ = try sandbox.sqlite(damage)
    let repair = try sandbox.run("check", "--repair", "--yes")
    #expect(repair.code == 0 && repair.output.hasPrefix("OK: 10 rows"), "\(repair)")
    #expect(try sandbox.sqlite("SELECT count(*) FROM invoices") == "10\n")
  }

  @Test func `a row that breaks a rule of its own table is named with the rule`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(
      """
      CREATE TABLE prices (item, price CHECK (price > 0)); PRAGMA ignore_check_constraints = 1;
      INSERT INTO prices VALUES ('a', 1), ('b', -1); DROP VIEW customers
      """)
    #expect(
      try refusedRepair(of: sandbox).contains("row 2 of table prices: CHECK constraint failed: price > 0\n"))
  }

  // Values --------------------------------------------------------------------------------------------

  /// Runs statements while the list lets any value be missing.
  private func withoutRules(of table: String, _ statements: String, in sandbox: CLISandbox) throws {
    _ = try sandbox.sqlite(
      """
      CREATE TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = '\(table)';
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = '\(table)';
      """)
    _ = try sandbox.sqlite(statements)
    _ = try sandbox.sqlite(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET sql = (SELECT sql FROM kept) WHERE name = '\(table)'; DROP TABLE kept
      """)
  }

  @Test func `a value that is missing where one must be is a loss`() throws {
    let sandbox = try CLISandbox.withDemo()
    try withoutRules(
      of: "customer_record", "UPDATE customer_record SET email = NULL WHERE id = 1", in: sandbox)
    #expect(try refusedRepair(of: sandbox).contains("     the email of customer @1\n"))
    #expect(try sandbox.run("check", "--repair", "--accept-loss", "--yes").code == 0)
    try sandbox.expectSound()
  }

  @Test(arguments: [
    (
      "UPDATE line_record SET text = CAST(x'e8ff' AS TEXT)", "the text of a line of the log",
      "DELETE FROM log_lines"
    ),
    ("UPDATE line_record SET text = x'4142'", "the text of a line of the log", "DELETE FROM log_lines"),
    (
      "UPDATE entry_record SET value = CAST(x'6eff' AS TEXT) WHERE type = 'setting'",
      "the value of the setting \"columns\"", "customers config"
    ),
    (
      "UPDATE entry_record SET name = CAST(x'44ff65' AS TEXT) WHERE uid < 0 AND type = 'column'",
      "the name of the column \"D\u{fffd}e\"", "customers config, or columns"
    ),
  ])
  func `a text of a log, a setting, or a column that can't be read is found`(
    damage: String, what: String, remedy: String
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("log", "1", "Called", "-q") == .done())
    #expect(try sandbox.run("config", "columns", "name,email", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    _ = try sandbox.sqlite(damage)
    let check = try sandbox.run("check")
    #expect(check.code == 1 && check.output.contains("\(what) is not valid UTF-8"), "\(check)")
    #expect(check.errors.contains(remedy), "\(check)")
  }

  @Test(arguments: [
    ("sgtting", "setting", nil as String?), ("cmlumn", "column", nil),
    ("xyz", "column", "declared columns, settings"),
  ])
  func `an entry of an unknown type is damage, and is given its type or is a loss`(
    damaged: String, type: String, loss: String?
  ) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("config", "columns", "name,email", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    #expect(try sandbox.run("history", "--forget", "-y", "-q") == .done())
    let before = try sandbox.run("config").output + sandbox.run("columns").output
    _ = try sandbox.sqlite("UPDATE entry_record SET type = '\(damaged)' WHERE uid < 0 AND type = '\(type)'")
    let check = try sandbox.run("check")
    #expect(check.code == 1 && check.output.contains("neither a column, a setting, nor a person"), "\(check)")
    if let loss {
      #expect(try refusedRepair(of: sandbox).contains(loss))
      #expect(try sandbox.run("check", "--repair", "--accept-loss", "--yes").code == 0)
    } else {
      #expect(try sandbox.run("check", "--repair", "--yes").code == 0)
      #expect(try sandbox.run("config").output + sandbox.run("columns").output == before)
    }
    try sandbox.expectSound()
  }

  @Test func `a field of an unknown type is a column again`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("UPDATE entry_record SET type = 'x' WHERE name = 'phone'")
    #expect(try sandbox.run("check").code == 1)
    #expect(try sandbox.run("check", "--repair", "--yes").code == 0)
    try sandbox.expectSound()
  }

  @Test func `a partial export names who was deleted and is written, because the history is lost`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("delete", "@5", "-y", "-q") == .done())
    try zeroPage(of: "history_step", in: sandbox)
    let rescue = try sandbox.run("export", "--partial", "-")
    #expect(rescue.code == 7, "\(rescue)")
    #expect(rescue.errors.contains("     the history\n"), "\(rescue)")
    #expect(rescue.errors.contains("     the deleted customer @5 is in the list again\n"), "\(rescue)")
  }

  @Test(arguments: [11, 10, 8]) func `a wrong number of the format is repaired`(format: Int) throws {
    let sandbox = try CLISandbox.withDemo()
    let list = try sandbox.run("list", "--json").output
    _ = try sandbox.sqlite("PRAGMA user_version = \(format)")
    let check = try sandbox.run("check")
    #expect(check.code == 1 && check.errors.contains("customers check --repair"), "\(check)")
    let repair = try sandbox.run("check", "--repair", "--yes")
    #expect(repair.code == 0 && repair.output.hasPrefix("OK: 10 rows"), "\(repair)")
    #expect(try sandbox.run("list", "--json").output == list)
    try sandbox.expectSound()
  }
}
