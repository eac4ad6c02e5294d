import Foundation
import CustomersTestSupport
import Testing

/// `customers check --repair` of files that are damaged so that no other command can use them, or only some.
@Suite(.onThreads) struct RepairTests {
  @Test(arguments: try Transcript.sessions("Repair"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a value that only its user can enter again is left, and the exit code says so`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(
      "UPDATE customers SET note = CAST(x'ff' AS TEXT) WHERE id = 3; DROP VIEW customers")
    let repair = try sandbox.run("check", "--repair")
    #expect(repair.code == 7 && repair.errors.contains("customers edit @"), "\(repair)")
    #expect(try sandbox.run("edit", "@3", "--note", "new", "-q") == .done())
    try sandbox.expectSound()
  }

  /// A bit that says where on its page a row is, but that no place has; SQLite reads the row, and so must we.
  @Test(arguments: ["customer_record", "edit_record", "history_step", "section_record", "place", "node"])
  func `a row is carried although a bit of its place is wrong`(table: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("delete", "3", "-y", "-q") == .done())
    let list = try sandbox.run("list", "--json").output
    let root = try sandbox.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    var file = sandbox.bytes ?? Data()
    let page = try #require(Int(root.split(whereSeparator: \.isNewline).first ?? "")) - 1
    try #require([10, 13].contains(file[page * 4096]))
    file[page * 4096 + 8] |= 0x20
    try file.write(to: URL(filePath: sandbox.file))
    #expect(try sandbox.run("check").code == 1)
    let repair = try sandbox.run("check", "--repair", "--yes")
    #expect(repair.code == 0 && repair.output == "OK: 9 rows in 3 sections, numbered 1…n.\n", "\(repair)")
    #expect(try sandbox.run("list", "--json").output == list)
    #expect(try sandbox.run("undo").output.contains("row 3"))
    try sandbox.expectSound()
  }

  /// A wrong byte in the header: SQLite opens no such file, writes to none, or looks for rows where there are none.
  @Test(arguments: ["11", nil], [(3, 65), (17, 7), (18, 3), (19, 3), (20, 3), (20, 66), (22, 9)])
  func `every row of a list with a wrong byte in its header is read and carried`(
    older: String?, wrong: (offset: Int, byte: UInt8)
  ) throws {
    let sandbox = try older.map(CLISandbox.withOlder) ?? CLISandbox.withDemo()
    let count = try sandbox.run("list", "--count").output
    try #require(try sandbox.run("backup", "sound", "-q") == .done())
    var file = sandbox.bytes ?? Data()
    file[wrong.offset] = wrong.byte
    try file.write(to: URL(filePath: sandbox.file))
    let edit = try sandbox.expectUntouched { try sandbox.run("add", "Ann", "--yes") }
    #expect(edit.code == 1 && edit.errors.contains("export --partial"), "\(edit)")
    let check = try sandbox.run("check")
    #expect(check.code == 1 && check.errors.contains("check --repair"), "\(check)")
    let rescue = try sandbox.run("export", "--partial", "-", "--format", "tsv", "--no-header")
    #expect("\(rescue.output.split(separator: "\n").count)\n" == count, "\(rescue)")
    let restore = try sandbox.run("restore", "sound", "--yes")
    #expect(restore.code == 0 || restore.errors.contains("customers.sqlite.damaged\""), "\(restore)")
    try file.write(to: URL(filePath: sandbox.file))
    let repair = try sandbox.run("check", "--repair", "--yes")
    if repair.errors.contains("hint: to put it in place") {
      try #require(try sandbox.shell("mv customers.sqlite.repaired customers.sqlite").code == 0)
    }
    #expect(try sandbox.run("list", "--count").output == count, "\(repair)")
    #expect(try sandbox.run("add", "Ann", "--yes", "-q") == .done())
  }

  @Test func `rows that no page leads to are exported, as a repair carries them`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(
      try sandbox.shell("seq 1 300 | sed 's/^/P /' | customers import - --format csv --no-header -q").code
        == 0)
    let rows = try sandbox.run("list", "--format", "tsv").output
    let root = try sandbox.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'customer_record'")
    let page = try #require(Int(root.filter(\.isNumber))) - 1
    var file = sandbox.bytes ?? Data()
    try #require(file[page * 4096] == 5)
    file.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
    try file.write(to: URL(filePath: sandbox.file))
    let rescue = try sandbox.run("export", "--partial", "rows.tsv", "--json")
    #expect(rescue.code == 7 && rescue.output.contains(#""count":310,"missing_count":0"#), "\(rescue)")
    #expect(try sandbox.run("check", "--repair", "--yes", "-q").code == 0)
    #expect(try sandbox.run("list", "--format", "tsv").output == rows)
  }

  /// Each page can be read, but the tree of the table leads to one of them only.
  @Test func `customers whom no tree leads to are carried, too`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(
      try sandbox.shell("seq 1 300 | sed 's/^/P /' | customers import - --format csv --no-header -q").code
        == 0)
    let rows = try sandbox.run("list", "--format", "tsv").output
    // The last leaf becomes the root.
    try sandbox.changePage(of: "customer_record") { page, file in
      let last = file[page + 8..<page + 12].reduce(0) { $0 << 8 | Int($1) } - 1
      file.replaceSubrange(page..<page + 4096, with: file[last * 4096..<(last + 1) * 4096])
    }
    #expect(try sandbox.run("check").code == 1)
    let repair = try sandbox.run("check", "--repair")
    #expect(repair.code == 0, "\(repair)")
    #expect(try sandbox.run("list", "--format", "tsv").output == rows)
    try sandbox.expectSound()
  }

  @Test
  func `customers who are known from their places only are a loss, and so is the backup that lacks them`()
    throws
  {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.changePage(of: "customer_record") { page, file in
      file.replaceSubrange(page + 3..<page + 5, with: [0, 2])
    }
    let repair = try sandbox.expectUntouched { try sandbox.run("check", "--repair", "--yes") }
    #expect(
      repair.code == 4 && repair.errors.contains("nothing was changed\n     customers @3–@10\nhint:"),
      "\(repair)")
    let other = try CLISandbox.withDemo()
    let restore = try other.expectUntouched { try other.run("restore", sandbox.file, "--yes") }
    #expect(restore.code == 1 && restore.errors.contains("the backup is damaged"), "\(restore)")
  }

  /// To go on after an id that is lower than the last one would never end.
  @Test func `row ids out of order end no command late, and the repair names who has none`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.changePage(of: "customer_record") { page, file in
      let fifth = (0..<10).map { page + Int(file[page + 8 + 2 * $0]) << 8 | Int(file[page + 9 + 2 * $0]) }[4]
      var place = page + fifth % 4096
      while file[place] & 0x80 != 0 { place += 1 }
      file[place + 1] ^= 8
    }
    #expect(try sandbox.run("check").code == 1)
    #expect(try sandbox.run("check", "digest").code == 1)
    #expect(try sandbox.run("backup", "copy").code == 8)
    let repair = try sandbox.expectUntouched { try sandbox.run("check", "--repair", "--yes") }
    #expect(repair.code == 4 && repair.errors.contains("     customer @5\n"), "\(repair)")
    #expect(try sandbox.run("check", "--repair", "--accept-loss", "--yes").code == 0)
    #expect(try sandbox.run("list", "--count").output == "10\n")
  }

  @Test(arguments: ["11", nil])
  func `a section without its record keeps its rows, and its title is a loss`(older: String?) throws {
    let sandbox = try older.map(CLISandbox.withOlder) ?? CLISandbox.withDemo()
    let section = try sandbox.sqlite("SELECT max(section) FROM customers").filter(\.isNumber)
    let rows = try sandbox.sqlite("SELECT count(*) FROM customers WHERE section = \(section)")
    _ = try sandbox.sqlite("DELETE FROM section_record WHERE id = \(section)")
    let repair = try sandbox.expectUntouched { try sandbox.run("check", "--repair", "--yes") }
    #expect(
      repair.code == 4
        && repair.errors.contains("the title, the footer, and the place of section @\(section)"),
      "\(repair)")
    #expect(try sandbox.run("check", "--repair", "--accept-loss", "--yes").code == 0)
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers WHERE section = \(section)") == rows)
  }

  @Test func `lines of logs on a page that can't be read are missed by export and repair`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("log", "1", "Called", "-q") == .done())
    try sandbox.changePage(of: "line_record") { page, file in
      file.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
    }
    let rescue = try sandbox.run("export", "--partial", "rows.json")
    #expect(rescue.code == 7 && rescue.errors.contains("1 line of the log of customer @1"), "\(rescue)")
    let repair = try sandbox.expectUntouched { try sandbox.run("check", "--repair", "--yes") }
    #expect(repair.code == 4 && repair.errors.contains("1 line of the log of customer @1"), "\(repair)")
  }

  @Test func `a table that the schema no longer names is a loss`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(
      "CREATE TABLE orders (a, b); INSERT INTO orders VALUES (1, 'one'), (2, 'two'), (3, 'three')")
    var file = sandbox.bytes ?? Data()
    // The leaf of the schema that names it, the last one.
    let last = file[108..<112].reduce(0) { $0 << 8 | Int($1) } - 1
    try #require(
      file[100] == 5 && file[last * 4096..<(last + 1) * 4096].range(of: Data("orders".utf8)) != nil)
    file.replaceSubrange(last * 4096..<(last + 1) * 4096, with: Data(count: 4096))
    try file.write(to: URL(filePath: sandbox.file))
    let repair = try sandbox.expectUntouched { try sandbox.run("check", "--repair", "--yes") }
    #expect(
      repair.code == 4 && repair.errors.contains("rows of a table that the schema no longer names"),
      "\(repair)")
  }

  @Test func `a preview of a file that is no database says how to repair it`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.shell("dd if=/dev/zero of=customers.sqlite bs=100 count=1 conv=notrunc status=none")
    let preview = try sandbox.run("check", "--repair", "-n")
    #expect(
      preview.code == 1 && preview.errors.contains("hint: to keep the file and repair the list"), "\(preview)"
    )
  }

  @Test(arguments: ["note", "address_parts"])
  func `what export can't read, check finds, and history --forget leaves alone`(column: String) throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("UPDATE customer_record SET \(column) = CAST(x'7b22ff227d' AS TEXT) WHERE id = 3")
    let check = try sandbox.run("check")
    #expect(check.code == 1 && check.output.contains("is not valid UTF-8"), "\(check)")
    let damaged = sandbox.bytes
    #expect(try sandbox.run("history", "--forget", "--yes").code == 1)
    #expect(sandbox.bytes == damaged)
  }

  /// What another program, or a bit that flips, did to the list; all ten rows can be read.
  private static let readable: [(name: String, sql: String)] = [
    ("a column that was renamed", "ALTER TABLE customer_record RENAME COLUMN phone TO PHONE"),
    (
      "tables that were renamed",
      "ALTER TABLE customer_record RENAME TO people; ALTER TABLE section_record RENAME TO groups"
    ),
    (
      "a flipped bit in the text of a table",
      "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'phone ', 'phonE ') WHERE name = 'customer_record'"
    ),
    (
      "a flipped bit in the text of the sections",
      "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'title ', 'titlE ') WHERE name = 'section_record'"
    ),
    (
      "a flipped bit in the name of a trigger's view",
      "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET tbl_name = 'spliT_full_block' WHERE name = 'split_full_block'"
    ),
    (
      "a schema that SQLite can't parse",
      "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'note ', 'note,') WHERE name = 'customer_record'"
    ),
  ]

  @Test(arguments: readable.indices)
  func `every row of a readable file is kept`(index: Int) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("delete", "3", "-y", "-q") == .done())
    let list = try sandbox.run("list", "--json").output
    _ = try sandbox.sqlite(Self.readable[index].sql)
    let damaged = sandbox.bytes
    let repair = try sandbox.run("check", "--repair", "--yes")
    #expect(repair.code == 0 && repair.output == "OK: 9 rows in 3 sections, numbered 1…n.\n", "\(repair)")
    #expect(try sandbox.run("list", "--json").output == list)
    // The history is carried.
    #expect(try sandbox.run("undo").output.contains("row 3"))
    try sandbox.expectSound()
    let kept = "\(sandbox.file).before-repair"
    #expect(FileManager.default.contents(atPath: kept) == damaged)
    #expect(try sandbox.shell("stat -c %a '\(kept)'").output == "600\n")
  }

  @Test func `what can't be read is lost only if that is accepted`() throws {
    let sandbox = try CLISandbox.withDemo()
    // The first bytes of the page with all customers.
    let root = try #require(
      Int(
        try sandbox.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'customer_record'").filter(
          \.isNumber)))
    var bytes = [UInt8](try #require(sandbox.bytes))
    // The first cell is not where its pointer says.
    let cell = (root - 1) * 4096 + 8
    (bytes[cell], bytes[cell + 1]) = (0, 1)
    try sandbox.put(Data(bytes))
    try sandbox.expectUntouched { () throws in
      let rehearsal = try sandbox.run("check", "--repair", "-n")
      #expect(rehearsal.code == 1 && rehearsal.output.hasPrefix("Would lose customer @"), "\(rehearsal)")
      for words in [["--yes"], ["--json"], ["--yes", "--json"], []] {
        let refused = try sandbox.run(words: ["check", "--repair"] + words)
        #expect(
          refused.code == 4 && refused.errors.contains("check --repair --accept-loss"), "\(words): \(refused)"
        )
        #expect(refused.errors.contains("customer @"), "\(words): \(refused)")
      }
      let no = try sandbox.run(words: ["check", "--repair", "--yes"], answers: ["n"])
      #expect(no.code == 5 && no.errors.contains("Repair the list without it? [y/N]"), "\(no)")
      #expect(try sandbox.run("check", "--accept-loss").code == 2)
    }
    let yes = try sandbox.run(words: ["check", "--repair"], answers: ["y"])
    #expect(yes.code == 0 && yes.output.contains("OK: 9 rows"), "\(yes)")
    try sandbox.expectSound()
    try sandbox.put(Data(bytes))
    let accepted = try sandbox.run("check", "--repair", "--accept-loss", "--json")
    #expect(accepted.code == 0 && accepted.output.contains(#""lost":["customer @"#), "\(accepted)")
  }

  @Test func `the file stays the same file, for programs that have it open, too`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("DROP VIEW customers")
    let result = try sandbox.shell(
      """
      chmod 640 customers.sqlite
      stat -c '%i %a' customers.sqlite > ../before
      mkfifo ../words
      sqlite3 -batch customers.sqlite < ../words > ../out & exec 3> ../words
      echo 'SELECT count(*) FROM customer_record;' >&3
      until [ -s ../out ]; do sleep 0.02; done
      customers check --repair -q
      echo 'SELECT count(*) FROM customers;' >&3
      exec 3>&-; wait
      stat -c '%i %a' customers.sqlite | cmp - ../before; cat ../out
      """)
    #expect(result == .done("10\n10"), "\(result)")
  }

  @Test func `a file that SQLite can't lock stays, and the repaired list is put beside it`() throws {
    let sandbox = try CLISandbox.withDemo()
    let list = try sandbox.run("list", "--json").output
    var bytes = [UInt8](try #require(sandbox.bytes))
    for index in 0..<4096 { bytes[index] = 0 }
    try sandbox.put(Data(bytes))
    let repair = try sandbox.expectUntouched { try sandbox.run("check", "--repair") }
    #expect(repair.code == 1 && repair.errors.contains("hint: to put it in place"), "\(repair)")
    #expect(try sandbox.run("list", "--json", "--db", "customers.sqlite.repaired").output == list)
  }

  @Test func `a journal is kept beside the copy`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("DROP VIEW customers")
    try sandbox.write([UInt8](repeating: 1, count: 600), to: "customers.sqlite-journal")
    let repair = try sandbox.run("check", "--repair")
    #expect(repair.code == 0, "\(repair)")
    let copy = FileManager.default.contents(atPath: "\(sandbox.file).before-repair-journal")
    #expect(copy == Data(repeating: 1, count: 600))
  }

  @Test func `a repair that is killed at any call leaves the list or the whole copy`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("DROP VIEW customers")
    let damaged = try #require(sandbox.bytes)
    let kept = "\(sandbox.file).before-repair"
    var (old, new) = (0, 0)
    for call in ["pwrite64", "fdatasync,fsync", "unlink", "renameat2"] {
      for number in 1...1000 where isLong || call != "pwrite64" || number % 61 == 1 {
        for name in try sandbox.names {
          try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
        }
        try sandbox.put(damaged)
        let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)"]
        let fault = ["-e", "inject=\(call):signal=SIGKILL:when=\(number)"]
        let result = try sandbox.start(strace + fault + [CLISandbox.program, "check", "--repair"]).outcome()
        guard result.code == 128 + SIGKILL else { break }
        let place = "\(call) \(number)"
        if let copy = FileManager.default.contents(atPath: kept) { #expect(copy == damaged, "\(place)") }
        // SQLite rolls back what is half done.
        let rows = try sandbox.sqlite("SELECT count(*) FROM customer_record")
        #expect(rows == "10\n", "\(place)")
        let isRepaired = try sandbox.run("check").code == 0
        if isRepaired { #expect(FileManager.default.fileExists(atPath: kept), "\(place)") }
        isRepaired ? (new += 1) : (old += 1)
      }
    }
    #expect(try sandbox.run("check", "--repair").code == 0)
    print("killed \(old) times before the list was repaired, \(new) times after it")
    #expect(old > 0 && new > 0)
  }

  @Test func `check says where the damage is, in a few lines`() throws {
    let sandbox = try CLISandbox()
    let rows = "name\n" + (1...300).map { "Ann \($0)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: rows) == .done())
    _ = try sandbox.sqlite("UPDATE place SET customer = customer + 1000")
    let check = try sandbox.run("check")
    let lines = check.output.split(separator: "\n")
    #expect(check.code == 1 && lines.count == 21, "\(check)")
    #expect(lines.last?.hasPrefix("and ") == true && lines.last?.hasSuffix(" problems more") == true)
  }
}

extension CLISandbox {
  /// Changes the root page of a table in the file; `change` gets the offset of the page.
  func changePage(of table: String, _ change: (_ page: Int, inout Data) -> Void) throws {
    let root = try sqlite("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    let page = try #require(Int(root.filter(\.isNumber))) - 1
    var file = bytes ?? Data()
    change(page * 4096, &file)
    try file.write(to: URL(filePath: self.file))
  }
}
