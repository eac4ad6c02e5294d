import CustomerStore
import CustomersTestSupport
import Testing

/// `customers edit` with options, whole outputs.
@Suite(.onThreads) struct EditTests {
  @Test(arguments: try Transcript.sessions("Edit"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a day in an extra column is a date, unless it is quoted`() throws {
    let sandbox = try CLISandbox.withLetters()
    let values = ["\"today\"", "\"\"today+7\"\"", "\"other\"", "\"today", "today\"", "\"", "\"\"", "today"]
    for (number, text) in values.enumerated() {
      #expect(try sandbox.run("edit", "B", "--set", "V\(number)=\(text)", "-q") == .done())
    }
    let record = try jsonObject(sandbox.run("show", "B", "--json").output)
    let extra = try #require(record["extra"] as? [String: String])
    let stored = (0..<7).map { extra["V\($0)"] ?? "" }
    #expect(stored == ["today", "\"today+7\"", "\"other\"", "\"today", "today\"", "\"", "\"\""])
    #expect(CalendarDay(extra["V7"] ?? "") != nil)
    #expect(try sandbox.ids("list", "-w", "V0=\"today\"") == "@2")
    // A field has no dates.
    #expect(try sandbox.run("edit", "B", "--set", "note=\"today\"", "-q") == .done())
    #expect(try jsonObject(sandbox.run("show", "B", "--json").output)["note"] as? String == "\"today\"")
  }

  @Test func `clearing all fields is refused, and the fields are named`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "2", "--phone", "5", "--set", "Club=Bonn", "--favorite", "-q") == .done())
    let refused = """
      customers: this would leave "B" (row 2) empty: it clears first name, phone, and "Club"
      hint: to delete the customer: customers delete 2
      """
    let clearing = ["--name", "", "--phone", "", "--set", "Club="]
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run(words: ["edit", "2"] + clearing) == .failed(4, refused))
      #expect(try sandbox.run(words: ["edit", "1-3"] + clearing).code == 4)
      let script = try sandbox.run("apply", "-", stdin: "edit 2 --name '' --phone '' --set Club=\n")
      #expect(script.code == 4 && script.errors.contains("this would leave \"B\" (row 2) empty"))
      let editor = try sandbox.editor("sed -i 's/^\\(First name\\|Phone\\|Club\\):.*/\\1:/' \"$1\"")
      #expect(try sandbox.run("edit", "2", "--editor", environment: editor) == .failed(4, refused))
    }
    #expect(try sandbox.run("edit", "2", "--name", "", "--phone", "", "-q") == .done())
    // Of whom nothing is known already, nothing is lost.
    _ = try sandbox.sqlite("UPDATE customers SET first_name = '' WHERE id = 1")
    #expect(try sandbox.run("edit", "@1", "--favorite", "-q") == .done())
  }

  @Test func `in a batch the row is the one before it`() throws {
    let sandbox = try CLISandbox.withLetters()
    let script = "begin\n  delete 1\n  edit 2 --note new\n  move 2 --to 3 --section 1\nend\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script) == .done())
    #expect(try sandbox.order == "C D B | X Y")
    #expect(try sandbox.run("show", "3").output.hasSuffix("First name:  B\nNote:        new\n"))
    for line in ["edit 2", "edit 9 --note x", "edit 2 --favorite --no-favorite"] {
      #expect(try sandbox.run("apply", "-", stdin: "begin\n\(line)\nend").code != 0, "\(line)")
    }
  }

  @Test func `an edit is a line of a script, but an editor is not`() throws {
    let sandbox = try CLISandbox.withDemo()
    let script = "edit 1 --note new\nswap 1 2\nprotect last --no-edit\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script) == .done())
    #expect(try sandbox.run("show", "2").output.contains("Note:        new\n"))
    for line in ["edit 1", "edit 1 --editor"] {
      #expect(try sandbox.run("apply", "-", stdin: line).code == 2, "\(line)")
    }
  }
}
