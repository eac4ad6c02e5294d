import CustomersTestSupport
import Testing

/// A person is asked whether the customers found by a name are meant.
@Suite(.onThreads) struct PartialNameTests {
  @Test(arguments: try Transcript.sessions("PartialName"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a part of a name edits nothing without confirmation`() throws {
    let sandbox = try CLISandbox.withPeople()
    let refused = """
      customers: "all" matches only part of a word in "Palle Ibsen" (row 2, @2)
      hint: use a whole word, the row number, or @2
      """
    try sandbox.expectUntouched { () throws in
      for words in [
        ["delete", "all", "-y"], ["delete", "all", "-y", "-n"], ["move", "all", "--first"],
        ["move", "1", "--after", "all"], ["edit", "all", "--note", "x", "-y"],
        ["add", "Eve", "--before", "all"],
      ] {
        #expect(try sandbox.run(words: words) == .failed(3, refused), "\(words)")
      }
      #expect(try sandbox.run("apply", "-", stdin: "delete all\n").code == 3)
      #expect(try sandbox.run("show", "all").code == 0)
      let no = try sandbox.run(words: ["move", "all", "--first"], answers: ["n"])
      #expect(no.code == 5 && no.errors.contains("Did you mean \"Palle Ibsen\" (row 2)? [y/N]"))
      #expect(no.errors.contains("Nothing was changed."))
    }
    #expect(try sandbox.run(words: ["move", "all", "--first"], answers: ["y"]).code == 0)
    #expect(try sandbox.ids("list") == "@2 @1 @3 @4")
    // A whole word that only one has is enough, and so is an address.
    #expect(try sandbox.run("delete", "ibsen", "-y", "-q") == .done())
    #expect(try sandbox.run("delete", "ZOE@x.example", "muller", "-y").code == 2)
    #expect(try sandbox.run("delete", "ZOE@x.example", "-y", "-q") == .done())
  }
}
