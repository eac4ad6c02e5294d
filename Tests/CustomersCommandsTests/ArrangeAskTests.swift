import CustomersTestSupport
import Testing

/// The questions of `customers arrange`, and other programs beside it.
@Suite(.onThreads) struct ArrangeAskTests {
  @Test(arguments: try Transcript.sessions("ArrangeAsk"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private static let reversing = "sed -i '/^@[12] /{s/^@1 /@0 /;s/^@2 /@1 /;s/^@0 /@2 /}' \"$1\""

  @Test func `without a terminal to ask on, the editor is not even opened`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.editor("touch opened")
    let refused =
      "customers: arrange needs confirmation, but standard input is not a terminal\nhint: add --yes"
    #expect(try sandbox.run("arrange", environment: environment) == .failed(4, refused))
    let without =
      "customers: arrange needs a terminal, because it opens an editor\nhint: to move rows by number: customers move 5 2"
    #expect(try sandbox.run("arrange") == .failed(4, without))
    #expect(try sandbox.onTerminal("arrange", "--no-input", environment: environment).code == 4)
    #expect(try !sandbox.names.contains("opened"))
  }

  @Test func `after an error in an arrangement the edited text is opened again`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.editor(
      "if grep -q '^@3 mine' \"$1\"; then echo '@4' >> \"$1\"; else sed -i 's/^@3.*/@3 mine/;/^@4/d' \"$1\"; fi"
    )
    let (screen, code) = try sandbox.onTerminal(
      "arrange", "--color", "never", answers: ["\n", "y\n"], environment: environment)
    #expect(
      screen.hasPrefix("customers: 1 error in the edited text; nothing was changed\r\n     missing: @4 D\r\n")
    )
    let question = "Would move \"D\" Customers/4 → More/3.\r\nApply these changes? [y/N] y\r\n"
    #expect(screen.contains("Edit again? [Y/n] \r\n" + question))
    #expect(code == 0)
    #expect(try sandbox.order == "A B C | X Y D")
    let given = try sandbox.onTerminal(
      "arrange", typing: "\u{4}", environment: try sandbox.editor("sed -i /^@3/d \"$1\""))
    #expect(given.code == 5)
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test(arguments: [
    ("add -q Eve", "     @7 is new\n"), ("delete -q -y 3", "     @3 is deleted\n"),
    ("move -q 3 4", "     rows were moved\n"),
  ])
  func `if another program changes the order while it is edited, nothing is done`(
    edit: String, detail: String
  )
    throws
  {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.editor("\"$CUSTOMERS\" \(edit); \(ArrangeAskTests.reversing)")
    let message =
      "customers: another program changed the order while you were editing; nothing was changed\n"
      + detail.dropLast()
    #expect(try sandbox.run("arrange", "-y", environment: environment) == .failed(4, message))
    #expect(try sandbox.order.hasPrefix("A B "))
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `after seeing the other program's change, the user can continue`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.editor(
      "if [ -e once ]; then sed -i 's/^@5/@7\\n@5/' \"$1\"; else touch once; \"$CUSTOMERS\" add -q Eve; \(ArrangeAskTests.reversing); fi"
    )
    let (screen, code) = try sandbox.onTerminal("arrange", answers: ["y\n", "y\n"], environment: environment)
    #expect(screen.contains("     @7 is new\r\n") && code == 0)
    #expect(try sandbox.order == "B A C D | Eve X Y")
    // A change of fields is no change of the order.
    let renaming = try sandbox.editor("\"$CUSTOMERS\" edit -q 1 --name Bea; \(ArrangeAskTests.reversing)")
    #expect(try sandbox.run("arrange", "-y", environment: renaming).code == 0)
    #expect(try sandbox.order == "A Bea C D | Eve X Y")
  }

  @Test func `names can't be mistaken for separate lines`() throws {
    let sandbox = try CLISandbox()
    for name in ["# x", "a\nd @1", "== @1", "\u{1b}[2Jd"] {
      #expect(try sandbox.run("add", "--first-name", name, "-q") == .done())
    }
    #expect(try sandbox.run("section", "add", "a\n@1\u{1b}", "-q") == .done())
    let environment = try sandbox.editor("cp \"$1\" seen")
    #expect(
      try sandbox.run("arrange", "-y", environment: environment) == .done(errors: "Nothing was changed."))
    #expect(try sandbox.shell("grep -c '^[@=]' seen; grep -c \"$(printf '\\033')\" seen").output == "6\n0\n")
  }

  @Test func `an empty list is nothing to arrange`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("delete", "1-", "-y", "-q") == .done())
    #expect(
      try sandbox.run("arrange", "-y", environment: sandbox.editor("true"))
        == .done(errors: "Nothing was changed."))
  }
}
