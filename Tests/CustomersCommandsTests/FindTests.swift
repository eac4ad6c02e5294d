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
