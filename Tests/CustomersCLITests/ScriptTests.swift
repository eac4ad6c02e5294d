import Testing

/// `customers apply`, whole outputs.
@Suite struct ScriptTests {
  /// Runs a script that must be done, and gives what the list is then.
  private func apply(_ script: String, to desk: Desk? = nil) throws -> String {
    let desk = try desk ?? .withLetters()
    try desk.write(script, to: "edits")
    let result = try desk.run("apply", "edits", "-q")
    #expect(result == .done(), "\(script)")
    try desk.expectSound()
    return try desk.order
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
    let desk = try Desk()
    let script = ##"""
      add 'It'\''s $HOME' --note "a \"b\" \$c \\ \d 'e'"
      add a\ b\#c --note ''   # a comment
      add x#y --note $'tab\tnew\nline \'q\' \u00e9'
      add "two \
      lines" --note "\
      joined"
      """##
    #expect(try apply(script, to: desk).isEmpty == false)
    let rows = try desk.sqlite("SELECT quote(first_name), quote(last_name), quote(note) FROM customers")
    #expect(
      rows == """
        'It''s'|'$HOME'|'a "b" $c \\ \\d ''e'''
        'a'|'b#c'|''
        'x#y'|''|'tab\tnew
        line ''q'' é'
        'two'|'lines'|'joined'

        """)
  }

  @Test func `what was done is told, or only would be`() throws {
    let desk = try Desk.withLetters()
    try desk.write("move D 1\ndelete A\nadd E --section More --as e\nexpect count 6\n", to: "edits")
    let rehearsal = try desk.expectUntouched { try desk.run("apply", "-n", "edits") }
    #expect(
      rehearsal
        == .done(
          """
          move "D" Customers/4 → Customers/1
          delete "A" Customers/2 →
          insert "E" → More/3
          Not done: Applied 3 edits; the list has 6 rows.
          """))
    #expect(try desk.run("apply", "edits") == .done("Applied 3 edits; the list has 6 rows."))
    #expect(try desk.order == "D B C | X Y E")
    #expect(
      try desk.run("undo")
        == .done(
          """
          Undone: move "D" Customers/4 → Customers/1, delete "A" → Customers/2, \
          insert "E" More/3 →.  (customers redo)
          """.replacing("Customers/4 → Customers/1", with: "Customers/1 → Customers/4")))
    #expect(try desk.order == "A B C D | X Y")
  }

  @Test func `the answer in json has every change and the named rows`() throws {
    let desk = try Desk.withLetters()
    let script = "add E --first --as e\nmove B --before $e\n"
    let rehearsal = try desk.expectUntouched {
      try jsonObject(desk.run("apply", "-", "--json", "-n", stdin: script).output)
    }
    let done = try jsonObject(desk.run("apply", "-", "--json", stdin: script).output)
    for (answer, isRehearsal) in [(rehearsal, true), (done, false)] {
      #expect(
        answer["op"] as? String == "apply" && answer["edits"] as? Int == 2 && answer["count"] as? Int == 7)
      #expect(answer["rows"] as? [String: Int] == ["e": 7])
      let changes = try #require(answer["changes"] as? [[String: Any]])
      #expect(changes.map { $0["op"] as? String } == ["insert", "move"])
      #expect(changes.map { $0["id"] as? Int } == [7, 2])
      #expect((answer["undo"] == nil) == isRehearsal && (answer["dry_run"] as? Bool == true) == isRehearsal)
    }
    #expect(try desk.order == "B E A C D | X Y")
  }

  @Test func `a script comes from a file, a pipe or a file on standard input`() throws {
    for command in [
      "customers apply -q edits", "customers apply -q - <edits", "cat edits | customers apply -q -",
    ] {
      let desk = try Desk.withLetters()
      try desk.write("move 2 1\n", to: "edits")
      #expect(try desk.shell(command) == .done())
      #expect(try desk.order == "B A C D | X Y")
    }
    let desk = try Desk()
    let hint = "customers: can't open \"nothing\": No such file or directory"
    #expect(try desk.run("apply", "nothing") == .failed(3, hint))
  }

  @Test func `a script that only checks makes no file, and one that adds does`() throws {
    let desk = try Desk()
    #expect(
      try desk.run("apply", "-", stdin: "expect count 0") == .done("Applied 0 edits; the list has 0 rows."))
    #expect(try desk.names == [])
    #expect(
      try desk.run("apply", "-", "--check", stdin: "add A\n\nadd B")
        == .done("standard input: 2 lines, without a mistake."))
    #expect(try desk.names == [])
    #expect(
      try desk.run("apply", "-", stdin: "add A\nbegin\nadd B --first\nend")
        == .done("Applied 2 edits; the list has 2 rows."))
    #expect(try desk.order == "B A")
  }
}
