internal import CustomerStore

/// Edits of many rows by commands, against the `sqlite3` shell that does the same to a plain table; and their peak
/// memory.
///
/// Their time is that of the processor.
func measureManyRows(_ lists: ListFactory, _ rows: Int) throws {
  let list = try lists.list(rows: rows).path
  let table = lists.folder.file()
  try Program.run(["sqlite3", "-batch", table] + plainTable(of: list))
  func measure(_ what: String, _ words: [String], _ statement: String) throws {
    let (ownCopy, plainCopy) = (lists.folder.file(), lists.folder.file())
    try Program.run(["cp", list, ownCopy])
    try Program.run(["cp", table, plainCopy])
    let plain = try Program.run(["sqlite3", "-batch", plainCopy, statement])
    let own = try Program.run([Program.customers] + words + ["--db", ownCopy, "--yes", "-q"])
    let undo = try Program.run([Program.customers, "undo", "--db", ownCopy, "--yes", "-q"])
    printLine(what, rows, plain, own)
    printLine("  its undo", rows, plain, undo)
    lists.folder.remove([ownCopy, plainCopy])
  }
  let (start, end, place) = (rows / 10, rows / 10 + 3_999, rows / 2)
  try measure(
    "move a block of 4,000", ["move", "\(start)-\(end)", "--to", "\(place)"],
    """
    UPDATE flat SET "order" = -(CASE WHEN "order" <= \(end) THEN "order" + \(place - start) ELSE "order" - 4000 END)
    WHERE "order" BETWEEN \(start) AND \(place + 3999);
    UPDATE flat SET "order" = -"order" WHERE "order" < 0
    """)
  try measure(
    "edit a field of every row", ["edit", "--where", "note~note", "--company", "Acme"],
    "UPDATE flat SET company = 'Acme'")
  // The rows of a company are all over the list.
  try measure(
    "delete one row in 97", ["delete", "--where", "company=Company 5"],
    """
    DELETE FROM flat WHERE company = 'Company 5';
    UPDATE flat SET "order" = -(SELECT number FROM (
      SELECT id, row_number() OVER (ORDER BY "order") AS number FROM flat) AS place WHERE place.id = flat.id);
    UPDATE flat SET "order" = -"order"
    """)
  lists.folder.remove([table])
}

/// Statements that copy a list to a plain table with an index on its order.
private func plainTable(of list: String) -> [String] {
  let columns = CustomerFields.sampleColumns
  return [
    "ATTACH '\(list)' AS list", FlatTable.schema(index: "UNIQUE"),
    #"INSERT INTO flat (id, "order", \#(columns)) SELECT id, "order", \#(columns) FROM list.customers"#,
  ]
}

/// Statements of any SQLite client, against the same on a plain table: in steps of SQLite's virtual machine and pages.
func measureForeignStatements(_ lists: ListFactory, _ rows: Int) throws {
  let (list, table) = (lists.folder.file(), lists.folder.file())
  try Program.run(["cp", try lists.list(rows: rows).path, list])
  try Program.run(["sqlite3", "-batch", table] + plainTable(of: list))
  let (own, plain) = (try CountedClient(list), try CountedClient(table))
  func measure(_ what: String, _ statement: String, _ plainStatement: String, per count: Int = 1) throws {
    let baseline = try plain.run(plainStatement)
    let found = try own.run(statement)
    precondition(found.rows == baseline.rows, "\(what): \(found.rows) rows, not \(baseline.rows)")
    print(
      Line(
        what: what, rows: rows, baseline: baseline.time / count, measured: found.time / count, bar: .none,
        note: found.note(per: count)
      ).text)
  }
  let page = "BETWEEN \(rows / 2) AND \(rows / 2 + 49)"
  try measure(
    "SQL: 50 rows by number",
    #"SELECT * FROM customers WHERE section = 1 AND "order" \#(page) ORDER BY "order""#,
    #"SELECT * FROM flat WHERE "order" \#(page) ORDER BY "order""#)
  try measure("SQL: how many rows", "SELECT sum(count) FROM sections", "SELECT count(*) FROM flat")
  try measure(
    "SQL: edit every tenth row", "UPDATE customers SET phone = '1' WHERE id % 10 = 0",
    "UPDATE flat SET phone = '1' WHERE id % 10 = 0", per: rows / 10)
  try measure(
    "SQL: delete 1,000 rows", "DELETE FROM customers WHERE id % \(rows / 1_000) = 3",
    "DELETE FROM flat WHERE id % \(rows / 1_000) = 3", per: 1_000)
  lists.folder.remove([list, table])
}

/// 10,000 sections by a script, against as many rows of a plain table, and a look at the history after it.
func measureSections(_ lists: ListFactory, _ count: Int) throws {
  let (list, table, script) = (lists.folder.file(), lists.folder.file(), lists.folder.file())
  let numbers =
    "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))"
  try Program.run([
    "sqlite3", "-batch", ":memory:", ".output \(script)",
    "\(numbers) SELECT 'section add \"Section ' || n || '\"' FROM number",
    "\(numbers) SELECT 'add \"Person ' || n || '\" --section \"Section ' || n || '\"' FROM number",
  ])
  let plain = try Program.run([
    "sqlite3", "-batch", table, "CREATE TABLE section (title TEXT UNIQUE, \"order\" INTEGER UNIQUE)",
    "\(numbers) INSERT INTO section SELECT 'Section ' || n, n FROM number",
  ])
  printLine(
    "sections by a script, a row each", count, plain,
    try Program.run([Program.customers, "apply", script, "--db", list, "-q"]))
  printLine(
    "  add to one by its title", count, plain,
    try Program.run([Program.customers, "add", "Ann", "--section", "Section 77", "--db", list, "-q"]))
  printLine("  history", count, plain, try Program.run([Program.customers, "history", "--db", list]))
  lists.folder.remove([list, table, script])
}

/// What writes text, against `list`.
func measureText(_ lists: ListFactory, _ rows: Int) throws {
  let list = try lists.list(rows: rows).path
  let out = lists.folder.file()
  func measure(_ what: String, _ words: [String]) throws {
    let plain = try Program.run([Program.customers, "list", "--db", list])
    let own = try Program.run([Program.customers] + words + ["--db", list])
    printLine(what, rows, plain, own)
  }
  try measure("list --json ÷ list", ["list", "--json"])
  try measure("find, all match ÷ list", ["find", "note"])
  try measure("find, one in a hundred ÷ list", ["find", "77"])
  try measure("list --sort ÷ list", ["list", "--sort", "last_name,first_name"])
  try measure("export of cards ÷ list", ["export", out, "--format", "vcard", "-q", "--yes"])
  try measure("export to CSV ÷ list", ["export", out, "--format", "csv", "-q", "--yes"])
  lists.folder.remove([out])
}

/// Prints the line of two programs: their time of the processor, and the memory of the second one.
private func printLine(_ what: String, _ rows: Int, _ plain: Program.Usage, _ own: Program.Usage) {
  let megabytes = decimal(Double(own.peak) / 1_000_000, places: 1)
  let note = "\(megabytes) MB, \(grouped(own.pagesWritten)) pages written"
  print(Line(what: what, rows: rows, baseline: plain.time, measured: own.time, bar: .none, note: note).text)
}
