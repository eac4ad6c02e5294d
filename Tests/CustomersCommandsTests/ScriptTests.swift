import CustomersTestSupport
import Testing

/// `customers apply`, whole outputs.
@Suite(.onThreads) struct ScriptTests {
  @Test(arguments: try Transcript.sessions("Script"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  /// Runs a script that must succeed, and returns the list after it.
  private func apply(_ script: String, to sandbox: CLISandbox? = nil) throws -> String {
    let sandbox = try sandbox ?? .withLetters()
    try sandbox.write(script, to: "edits")
    let result = try sandbox.run("apply", "edits", "-q")
    #expect(result == .done(), "\(script)")
    try sandbox.expectSound()
    return try sandbox.order
  }

  @Test(arguments: [
    ("", "A B C D | X Y"),
    ("# nothing\n\n   # at all", "A B C D | X Y"),
    ("move 4 1", "D A B C | X Y"),
    (#"  {"move": {"ids": [4], "to": "first"}}"#, "D A B C | X Y"),
    (#"{"move": {"ids": [1], "to": {"position": 2}}}"#, "B A C D | X Y"),
    (#"{"move": {"range": {"from": 1, "to": 2}, "to": "last"}}"#, "C D A B | X Y"),
    (#"{"delete": {"view": {"where": "name=B or name=X"}}}"#, "A C D | Y"),
    ("delete 1\n" + #"{"delete": {"range": {"from": 1, "to": 1}}}"#, "C D | X Y"),
    (
      "delete 1\n{\"insert\":{\"customers\":[{\"name\":\"E\"}],\"to\":{\"before\":3},\"section\":1}}\nmove E 1",
      "E B C D | X Y"
    ),
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

  @Test(arguments: [
    #"{"move": {"ids": [1], "to": {"after": 5}, "section": 1}}"#,
    #"{"insert": {"customers": [{"name": "E"}], "to": {"before": 1}, "section": 2}}"#,
    "delete B\n" + #"{"move": {"range": {"from": 1, "to": 1}, "to": {"before": 6}, "section": 1}}"#,
  ])
  func `a section that is not that of the row beside the place is refused`(script: String) throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write(script, to: "edits")
    let refused = try sandbox.expectUntouched { try sandbox.run("apply", "edits") }
    #expect(refused.code != 0 && refused.errors.contains("is not in section"), "\(refused)")
  }

  @Test(arguments: [
    "edit 1 --note x\nedit 1 --note ''\n", "move 1 2\nmove 1 2\n", "add E --as e\ndelete $e\n",
  ])
  func `lines that are nothing together leave no step, and what can be redone`(script: String) throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "2", "--note", "y", "-q") == .done())
    #expect(try sandbox.run("undo", "-q") == .done())
    try sandbox.write(script, to: "edits")
    let before = try sandbox.run("history").output
    let applied = try sandbox.run("apply", "edits", "-y", "--json")
    #expect(try sandbox.run("history").output == before)
    #expect(applied.code == 0 && !applied.output.contains("\"undo\""), "\(applied)")
    #expect(try sandbox.run("redo", "-q") == .done())
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
}
