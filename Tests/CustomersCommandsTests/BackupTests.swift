import CustomersTestSupport
import Foundation
import Testing

/// `customers backup`: complete, consistent copies or none.
@Suite(.onThreads) struct BackupTests {
  @Test(arguments: try Transcript.sessions("Backup"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private static let isDamaged = """
    customers: the list is damaged, and so is its copy
    hint: to see what is wrong: customers check

    """

  @Test func `a damaged list is copied, too, with an exit code`() throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite("UPDATE place SET slot = slot + 7 WHERE customer = 2")
    for words in [["backup", "copy"], ["backup", "-q", "quiet"]] {
      let made = try sandbox.run(words: words)
      #expect(made.code == 8 && made.errors == Self.isDamaged, "\(made)")
      #expect(try sandbox.run("check", "--db", words.last!).output == sandbox.run("check").output)
    }
    let json = try sandbox.run("backup", "b", "--json")
    #expect(json.code == 8 && json.output.hasPrefix(#"{"op":"backup","file":"b","count":10,"ok":false}"#))
  }

  @Test(arguments: [[], ["--json"], ["-q"]])
  func `the copy of a damaged list does not replace a file`(options: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.run("backup", "copy").code == 0)
    _ = try sandbox.sqlite("UPDATE place SET slot = slot + 7 WHERE customer = 2")
    let refused = try sandbox.expectUntouched { try sandbox.run(words: ["backup", "copy", "-y"] + options) }
    #expect(refused.code == 8 && (refused.output + refused.errors).contains("may be a better copy"))
    #expect(try sandbox.run("check", "--db", "copy").code == 0)
  }

  @Test func `a text that can't be read keeps no list from being copied`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.run("backup", "copy").code == 0)
    _ = try sandbox.sqlite("UPDATE customer_record SET note = CAST(x'41ff42' AS TEXT) WHERE id = 3")
    let made = try sandbox.run("backup", "copy", "-y")
    #expect(made.code == 0 && made.errors.contains("note: the list has texts that can't be read"), "\(made)")
    #expect(try sandbox.run("check", "--db", "copy").code == 1)
  }

  @Test func `the copy is the list, whole, and only its owner's`() throws {
    let sandbox = try CLISandbox.withDemo()
    let made = try sandbox.expectUntouched { try sandbox.run("backup", "copy.sqlite") }
    #expect(made == .done("Backed up 10 rows to \"copy.sqlite\"."))
    #expect(try sandbox.names == ["copy.sqlite", "customers.sqlite"])
    #expect(try sandbox.shell("stat -c %a copy.sqlite").output == "600\n")
    #expect(try sandbox.run("list", "--db", "copy.sqlite") == .done(ListTests.table))
    #expect(try sandbox.run("check", "--db", "copy.sqlite").code == 0)
    // With its history.
    #expect(try sandbox.run("undo", "--db", "copy.sqlite").code == 0)
    #expect(try sandbox.run("list", "--db", "copy.sqlite") == .done())
    #expect(try sandbox.run("list") == .done(ListTests.table))
  }

  @Test func `an existing file is replaced only after a confirmation`() throws {
    let sandbox = try CLISandbox.withDemo()
    let path = try sandbox.write("precious", to: "b")
    let refused =
      "customers: replacing \"b\" needs confirmation, but standard input is not a terminal\nhint: add --yes"
    #expect(try sandbox.run("backup", "b") == .failed(4, refused))
    for answer in ["n\n", "\n", "\u{4}"] {
      let (screen, code) = try sandbox.onTerminal("backup", "b", typing: answer)
      #expect(screen.hasPrefix("Replace \"b\"? [y/N] ") && code == 5)
    }
    #expect(try sandbox.onTerminal("backup", "b", typing: "\u{3}").code == 130)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    let (screen, code) = try sandbox.onTerminal("backup", "b", typing: "y\n")
    #expect(screen.hasSuffix("Backed up 10 rows to \"b\".\r\n") && code == 0)
    #expect(try sandbox.run("backup", "b", "--yes").code == 0)
    #expect(try sandbox.run("check", "--db", "b").code == 0)
    #expect(try sandbox.names == ["b", "customers.sqlite"])
  }

  @Test func `a copy in a folder has the time in its name, and is one of the series`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.shell("mkdir copies").code == 0)
    #expect(try sandbox.run("backup", "copies", "--list").errors.contains("no copies"))
    let made = try sandbox.run("backup", "copies/").output
    #expect(made.hasPrefix("Backed up 10 rows to \"copies/customers-"), "\(made)")
    let copies = try jsonArray(sandbox.run("backup", "copies", "--list", "--json").output)
    #expect(copies.count == 1 && copies.first?["count"] as? Int == 10, "\(copies)")
    #expect(try sandbox.run("restore", "--latest", "copies", "-y", "-q").code == 0)
  }

  @Test func `a harmful target is refused`() throws {
    let sandbox = try CLISandbox.withDemo()
    let itself = "this is the list itself\nhint: name another file"
    let sidecar =
      "a name that ends in -journal, -wal, or -shm belongs to SQLite\nhint: name another file"
    let cases: [([String], Int32, String)] = [
      (["customers.sqlite", "-y"], 4, itself),
      (["link", "-y"], 4, itself),
      (["./customers.sqlite-journal"], 4, sidecar), (["../desk/customers.sqlite-wal"], 4, sidecar),
      (
        ["old"], 4,
        "old-journal belongs to another list and would spoil the copy\nhint: name another file"
      ),
      // Never a real device: a mistake in the program, run by root, would replace it.
      (["fifo", "-y"], 1, "not a regular file"),
      (["dangling"], 1, "not a regular file"),
      (["nowhere/b"], 1, "No such file or directory"),
      (["fifo/b"], 1, "Not a directory"), (["-"], 2, "backup needs a file name"),
      ([""], 2, "backup needs a file name"),
      (
        [], 2,
        """
        backup: missing argument
        hint: customers backup FILE
              customers backup FILE --every TIME [--keep N,…]…
              customers backup FILE --follow
              customers backup FILE|FOLDER --list
              customers backup FILE|FOLDER --latest [--max-age TIME]
        """
      ),
    ]
    _ = try sandbox.shell(
      "ln -s customers.sqlite link; touch old-journal; mkfifo fifo; ln -s nothing dangling")
    let names = try sandbox.names
    for (words, code, message) in cases {
      let result = try sandbox.expectUntouched { try sandbox.run(words: ["backup"] + words) }
      #expect(
        result
          == .failed(
            code, "customers: " + (code == 2 ? "" : "can't back up to \"\(words[0])\": ") + message),
        "\(words)")
    }
    #expect(try sandbox.names == names)
    #expect(try CLISandbox().run("backup", "b").code == 3)
  }

  @Test func `a write-ahead log is in the copy`() throws {
    let sandbox = try CLISandbox.withDemo()
    let made = try sandbox.shell(
      """
      mkfifo ../input; sqlite3 -batch "$CUSTOMERS_DB" < ../input > ../out & exec 3> ../input
      echo "PRAGMA journal_mode = WAL; UPDATE customers SET note = 'in the log' WHERE id = 1; SELECT 'done';" >&3
      until grep -qs done ../out; do sleep 0.02; done
      customers backup copy && ls customers.sqlite* && exec 3>&- && wait
      """)
    #expect(
      made
        == .done(
          "Backed up 10 rows to \"copy\".\ncustomers.sqlite\ncustomers.sqlite-shm\ncustomers.sqlite-wal"))
    #expect(try sandbox.run("show", "1", "--db", "copy").output.contains("Note:        in the log\n"))
    #expect(try sandbox.names.filter { $0.hasPrefix("copy") } == ["copy"])
  }

  @Test func `a full disk leaves no file`() throws {
    let sandbox = try CLISandbox.withDemo()
    let full = try sandbox.expectUntouched { try sandbox.shell("ulimit -f 20; customers backup copy") }
    #expect(full.code == 1 && full.output.isEmpty && full.errors.hasPrefix("customers: "), "\(full)")
    #expect(try sandbox.names == ["customers.sqlite"])
  }
}
