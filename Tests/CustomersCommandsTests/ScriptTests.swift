import CustomersTestSupport
import Testing

/// `customers apply`, whole outputs.
@Suite(.onThreads) struct ScriptTests {
  /// Runs a script that must succeed, and returns the list after it.
  private func apply(_ script: String, to sandbox: CLISandbox? = nil) throws -> String {
    let sandbox = try sandbox ?? .withLetters()
    try sandbox.write(script, to: "edits")
    let result = try sandbox.run("apply", "edits", "-q")
    #expect(result == .done(), "\(script)")
    try sandbox.expectSound()
    return try sandbox.order
  }

  @Test func `a line may begin as in a shell, or as a hint has it`() throws {
    let sandbox = try CLISandbox.withLetters()
    let script = "customers move B 1\n customers add E --at 1\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script) == .done())
    #expect(try sandbox.order == "E B A C D | X Y")
    #expect(try sandbox.run("apply", "-", stdin: "customers\n").code == 2)
  }

  @Test(arguments: [
    ("", "A B C D | X Y"),
    ("# nothing\n\n   # at all", "A B C D | X Y"),
    ("move 4 1", "D A B C | X Y"),
    ("move 4 1\nmove 4 1\n", "C D A B | X Y"),
    ("delete 1\ndelete 1", "C D | X Y"),
    ("add E --first --as new\nmove B --before $new", "B E A C D | X Y"),
    ("add E --as one\nadd F --before=$one\ndelete $one", "A B C D F | X Y"),
    ("section add New --at 1\nadd E --section New\nmove 1 --section More", " | A B C D | X Y E"),
    ("move D \\\n  --to \\\n 2 # here", "A D B C | X Y"),
    ("move 'D' \"2\"\r\ndelete A\r\n", "D B C | X Y"),
    ("\u{FEFF}mv D 1", "D A B C | X Y"),
    ("delete A -y --no-input", "B C D | X Y"),
    (
      "expect count 6\nexpect 1 --name A --at 1 --section Customers\nexpect count 2 --section More",
      "A B C D | X Y"
    ),
  ])
  func `lines are done one after another`(script: String, order: String) throws {
    #expect(try apply(script) == order)
  }

  @Test func `words are quoted as in a shell`() throws {
    let sandbox = try CLISandbox()
    let script = ##"""
      add 'It'\''s $HOME' --note "a \"b\" \$c \\ \d 'e'"
      add a\ b\#c --note ''   # a comment
      add x#y --note $'tab\tnew\nline \'q\' \u00e9ea\U000000e9'
      add "two \
      lines" --note "\
      joined"
      """##
    #expect(try apply(script, to: sandbox).isEmpty == false)
    let rows = try sandbox.sqlite("SELECT quote(first_name), quote(last_name), quote(note) FROM customers")
    #expect(
      rows == """
        'It''s'|'$HOME'|'a "b" $c \\ \\d ''e'''
        'a'|'b#c'|''
        'x#y'|''|'tab\tnew
        line ''q'' éeaé'
        'two'|'lines'|'joined'

        """)
  }

  @Test func `rows that move together in a batch stay together`() throws {
    let sandbox = try CLISandbox.withDemo()
    let script = "begin\nmove 4 6 --to 2 --section @1\nend\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script) == .done())
    #expect(
      try sandbox.order == "Elizabeth Ishmael Anna Sherlock Jane Zoë | Dorothea Edmond 明 | Miss")
  }

  @Test func `apply reports the edits, or with --dry-run the planned ones`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("move D 1\ndelete A\nadd E --section More --as e\nexpect count 6\n", to: "edits")
    let rehearsal = try sandbox.expectUntouched { try sandbox.run("apply", "-n", "edits") }
    #expect(
      rehearsal
        == .done(
          """
          Would delete "A", row 1.
          Would move "D" 4 → 1.
          Would add "E" as row 6.
          Would apply 3 lines; the list would have 6 rows.
          """))
    #expect(
      try sandbox.run("apply", "edits")
        == .done(
          """
          Deleted "A", row 1.
          Moved "D" 4 → 1.
          Added "E" as row 6.
          Applied 3 lines; the list has 6 rows.
          """))
    #expect(try sandbox.order == "D B C | X Y E")
    #expect(
      try sandbox.run("undo")
        == .done(
          """
          Undid apply: deleted "E", row 6; restored "A" as row 1; moved "D" 1 → 4.  (customers redo)
          """))
    #expect(try sandbox.order == "A B C D | X Y")
  }

  @Test func `the answer in json has every change and the named rows`() throws {
    let sandbox = try CLISandbox.withLetters()
    let script = "add E --first --as e\nmove B --before $e\n"
    let rehearsal = try sandbox.expectUntouched {
      try jsonObject(sandbox.run("apply", "-", "--json", "-n", stdin: script).output)
    }
    let done = try jsonObject(sandbox.run("apply", "-", "--json", stdin: script).output)
    for (answer, isRehearsal) in [(rehearsal, true), (done, false)] {
      #expect(
        answer["op"] as? String == "apply" && answer["edits"] as? Int == 2 && answer["count"] as? Int == 7)
      #expect(answer["rows"] as? [String: Int] == ["e": 7])
      let changes = try #require(answer["changes"] as? [[String: Any]])
      #expect(changes.map { $0["op"] as? String } == ["move", "add"])
      #expect(changes.map { $0["id"] as? Int } == [2, 7])
      #expect((answer["undo"] == nil) == isRehearsal && (answer["dry_run"] as? Bool == true) == isRehearsal)
    }
    #expect(try sandbox.order == "B E A C D | X Y")
  }

  @Test func `a script comes from a file, a pipe, or a file on standard input`() throws {
    for command in [
      "customers apply -q edits", "customers apply -q - <edits", "cat edits | customers apply -q -",
    ] {
      let sandbox = try CLISandbox.withLetters()
      try sandbox.write("move 2 1\n", to: "edits")
      #expect(try sandbox.shell(command) == .done())
      #expect(try sandbox.order == "B A C D | X Y")
    }
    let sandbox = try CLISandbox()
    let hint = "customers: can't open \"nothing\": No such file or directory"
    #expect(try sandbox.run("apply", "nothing") == .failed(3, hint))
  }

  @Test func `a script of checks creates no file, one that adds does`() throws {
    let sandbox = try CLISandbox()
    #expect(
      try sandbox.run("apply", "-", stdin: "expect count 0", environment: ["CUSTOMERS_DB": ""])
        == .done("Applied 0 lines; the list has 0 rows.")
    )
    #expect(try sandbox.names == [])
    #expect(
      try sandbox.run("apply", "-", "--check", stdin: "add A\n\nadd B")
        == .done("standard input: OK (2 lines)."))
    #expect(try sandbox.names == [])
    #expect(
      try sandbox.run("apply", "-", stdin: "add A\nbegin\nadd B --first\nend")
        == .done("Added \"B\" as row 1.\nAdded \"A\" as row 2.\nApplied 2 lines; the list has 2 rows."))
    #expect(try sandbox.order == "B A")
  }
}
