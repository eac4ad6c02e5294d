import CustomersTestSupport
import Testing

/// `import --on-duplicate`: customers that the list has already.
@Suite(.onThreads) struct ImportDuplicatesTests {
  @Test(arguments: try Transcript.sessions("ImportDuplicates"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private static let file = """
    first_name,email,phone,Room
    Anna, ANN@x.example ,1,99
    Bob,bob@x.example,2,
    Bobby,BOB@x.example,3,7
    Nobody,,4,
    Nobody,,4,

    """

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try #require(
      try sandbox.run(
        "import", "-", "-q", stdin: "name,email,note,Room,Floor\nAnn Lee,ann@x.example,old,1,5\nEve,,,,\n")
        == .done())
    return sandbox
  }

  private func rows(_ sandbox: CLISandbox) throws -> String {
    try sandbox.sqlite(
      #"SELECT first_name, last_name, email, phone, note, extra FROM customers ORDER BY "order""#)
  }

  @Test func `with add, known customers are added again`() throws {
    for words in [[], ["--on-duplicate", "add"]] {
      let result = try self.sandbox().run(words: ["import", "-"] + words, stdin: ImportDuplicatesTests.file)
      #expect(result.output == "Imported 5 customers; the list has 7 rows.\n")
    }
  }
}
