import CustomersTestSupport
import Testing

/// `customers find` and `--fields`, whole outputs.
@Suite(.onThreads) struct FindTests {
  @Test(arguments: try Transcript.sessions("Find"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private static let mueller = """
    Row  Id   Name        Company           E-mail               Note
    Customers
      5  @5   Zoë Müller  Müller & Töchter  zoe@mueller.example  met at the fair
    """

  @Test(arguments: [["MÜLLER"], ["zoë"], ["FAIR müll"], ["fair", "töch"], ["mu\u{308}ller"], ["zoe@"]])
  func `every word must occur in some field, ignoring case`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.expectUntouched { try sandbox.run(words: ["find"] + words) }
    #expect(result == .done(FindTests.mueller))
  }

  @Test func `a condition with a date in slashes is no row of a section`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("import", "-", "-y", "-q", stdin: "first name,Due\nAnn,2026-12-24\n") == .done())
    #expect(try sandbox.run("list", "Due<12/31/2026", "--template", "{name}\\n") == .done("Ann"))
  }

  @Test func `a phone number is no range of rows, and is found by six digits`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("add", "Ann", "--phone", "+49 (151) 555-0100", "-q") == .done())
    #expect(try sandbox.run("add", "Bob", "--phone", "0151-5550101", "-q") == .done())
    for (words, name) in [
      (["0151-5550101"], "Bob"), (["01515550101"], "Bob"), (["0151/5550101"], "Bob"),
      (["--text", "491515"], "Ann"), (["151-555-01"], "Ann\nBob"),
    ] {
      let found = try sandbox.run(words: ["list", "--template", "{name}\\n"] + words)
      #expect(found == .done(name), "\(words)")
    }
    #expect(try sandbox.run("list", "--text", "49151").errors.contains("six of its digits"))
    for command in ["show", "edit", "list"] {
      let result = try sandbox.run(
        words: [command, "1515550101"] + (command == "edit" ? ["--note", "x"] : []))
      #expect(
        result.code == 3
          && result.errors.hasSuffix("hint: to search for it: customers list --text 1515550101\n"),
        "\(result)")
    }
  }

  @Test(arguments: ["nobody", "Zoë Miller", "% _", "name:Zoë", "12", "' OR 1"])
  func `finding nothing is reported on standard error, and is not an error`(text: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("find", text) == .done(errors: "No customers match \"\(text)\"."))
    #expect(try sandbox.run("find", text, "-q") == .done())
    #expect(try sandbox.run("find", text, "--json") == .done("[\n]"))
    #expect(try sandbox.run("delete", "1-", "-y", "-q") == .done())
    #expect(try sandbox.run("find", text) == .done(errors: "No customers match \"\(text)\"."))
  }
}
