import CustomersTestSupport
import Testing

/// The way back to the editor, and other programs beside it; on a real terminal.
@Suite(.onThreads) struct EditAgainTests {
  /// An editor that makes a mistake first, and corrects it when the text comes again.
  private static let correcting = """
    if grep -q '^Phome: 7$' "$1"; then sed -i 's/^Phome/Phone/' "$1"
    else sed -i 's/^Phone:/Phome: 7/' "$1"; fi
    """

  @Test(arguments: ["\n", "y\n", "Y\n"])
  func `after an error the edited text is opened again`(answer: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor(EditAgainTests.correcting)
    let (screen, code) = try sandbox.onTerminal(
      "edit", "5", "--color", "never", typing: answer, environment: environment)
    #expect(
      screen.hasPrefix(
        "customers: 1 error in the edited text; nothing was changed\r\n     line 12: there is no field \"Phome\""
      ))
    #expect(screen.hasSuffix("Edited \"Zoë Müller\", row 5: phone.\r\n") && code == 0)
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test(arguments: ["n\n", "\u{4}", "no\n"])
  func `giving up, or end of file, changes nothing`(answer: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor(EditAgainTests.correcting)
    let (screen, code) = try sandbox.expectUntouched {
      try sandbox.onTerminal("edit", "5", typing: answer, environment: environment)
    }
    #expect(screen.contains("Edit again? [Y/n] ") && code == 5)
    #expect(try sandbox.leftovers.isEmpty)
  }

  @Test func `the interrupt key ends the program, at the question and in the editor`() throws {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.expectUntouched { () throws in
      let correcting = try sandbox.editor(EditAgainTests.correcting)
      let asked = try sandbox.onTerminal("edit", "5", typing: "\u{3}", environment: correcting)
      #expect(asked.screen.contains("Edit again? [Y/n] ") && asked.code == 130)
      #expect(try sandbox.leftovers.isEmpty)
      let waiting = try sandbox.editor("stty raw -echo isig; printf '[y/n] '; sleep 20")
      let (screen, code) = try sandbox.onTerminal("edit", "5", typing: "\u{3}", environment: waiting) {
        let open = try sandbox.leftovers.count
        #expect(open == 1)
      }
      #expect(screen == "[y/n] " && code == 130)
      #expect(try sandbox.leftovers.isEmpty)
    }
  }

  @Test func `an editor that uses Ctrl-C as a command keeps running`() throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor(
      "trap 'echo Note: interrupted > \"$1\"; exit 0' INT; printf '[y/n] '; sleep 20 & wait")
    let (screen, code) = try sandbox.onTerminal("edit", "5", typing: "\u{3}", environment: environment)
    #expect(screen.hasSuffix("Edited \"Zoë Müller\", row 5: note.\r\n") && code == 0)
  }

  @Test func `a field that another program changed is not overwritten, the others are not touched`() throws {
    let sandbox = try CLISandbox.withDemo()
    let change = "\"$CUSTOMERS\" edit -q 5 --note theirs --phone 1 && \"$CUSTOMERS\" move -q 5 1"
    let both = try sandbox.editor("\(change); sed -i 's/^Note: .*/Note: mine/' \"$1\"")
    let refused = """
      customers: another program changed the customer while you were editing; nothing was changed
           Note is now "theirs"
      """
    #expect(try sandbox.run("edit", "5", "--editor", environment: both) == .failed(4, refused))
    let other = try sandbox.editor(
      "\"$CUSTOMERS\" edit -q 1 --note later; sed -i 's/^E-mail: .*/E-mail:/' \"$1\"")
    #expect(
      try sandbox.run("edit", "1", "--editor", environment: other)
        == .done("Edited \"Zoë Müller\", row 1: e-mail."))
    #expect(try sandbox.run("show", "1").output.contains("Phone:       1\nNote:        later\n"))
  }

  @Test func `after seeing the other program's value, the user can replace it`() throws {
    let sandbox = try CLISandbox.withDemo()
    let change = "\"$CUSTOMERS\" edit -q 5 --note theirs --phone 1"
    let environment = try sandbox.editor(
      "[ -e once ] || \(change); touch once; sed -i 's/^Note: .*/Note: mine/' \"$1\"")
    let (screen, code) = try sandbox.onTerminal("edit", "5", typing: "\n", environment: environment)
    #expect(screen.contains("     Note is now \"theirs\"\r\n") && code == 0)
    #expect(try sandbox.run("show", "5").output.contains("Phone:       1\nNote:        mine\n"))
  }

  @Test func `a customer deleted by another program is not found`() throws {
    let sandbox = try CLISandbox.withDemo()
    let environment = try sandbox.editor("\"$CUSTOMERS\" delete -q -y 5; echo 'Note: x' > \"$1\"")
    #expect(
      try sandbox.run("edit", "5", "--editor", environment: environment)
        == .failed(3, "customers: there is no customer @5"))
    #expect(try sandbox.leftovers.isEmpty)
  }
}
