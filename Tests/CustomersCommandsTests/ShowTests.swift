import CustomersTestSupport
import Testing

/// `customers show`, whole outputs.
@Suite(.onThreads) struct ShowTests {
  @Test(arguments: try Transcript.sessions("Show"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: [
    ["show", "8", "--json"], ["show", "@8", "--format", "ndjson"], ["--json", "show", "dant"],
  ])
  func `show prints the same object as list`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    let listed = try sandbox.run("list", "--format", "ndjson", "--offset", "7", "--limit", "1")
    #expect(try sandbox.run(words: words) == listed)
  }

  @Test(arguments: [
    "5", "@5", "Zoë Müller", "zoë müller", "ZOË", "name:zoë müller", "üller", "Customers/5", "cust/5", "1/5",
  ])
  func `a row is found by number, id, name, part of a name, or place in a section`(row: String) throws {
    #expect(
      try CLISandbox.withDemo().run("show", row).output.hasPrefix(
        "Row:         5, Customers 5\nId:          @5\n"))
  }

  @Test func `first and last`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("show", "first").output.contains("Elizabeth"))
    #expect(try sandbox.run("show", "last").output.contains("Havisham"))
    let both = try [2, 3].map { try sandbox.run("show", "\($0)").output }.joined(separator: "\n")
    #expect(try sandbox.run("show", "2-3").output == both)
    let records = try jsonArray(sandbox.run("show", "3,1", "--json").output)
    #expect(records.map { $0["position"] as? Int } == [3, 1])
    #expect(try sandbox.run("show", "3", "1", "--format", "ndjson").output.split(separator: "\n").count == 2)
  }
}
