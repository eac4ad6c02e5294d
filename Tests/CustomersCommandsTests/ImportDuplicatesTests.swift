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

  @Test(arguments: ["skip", "update"])
  func `who has neither an address nor a number is known by the name, in one row each`(choice: String) throws
  {
    let sandbox = try CLISandbox()
    for words in [
      ["Cy"], ["Bob Ray", "--phone", "1"], ["Ann", "--phone", "5"], ["Eve", "--email", "e@x.example"],
    ] {
      #expect(try sandbox.run(words: ["add", "-q"] + words) == .done())
    }
    try sandbox.write("Name,Phone\nCy,\nBob Ray,1\nCy,\nAnn,\nEve,\n", to: "file.csv")
    let words = ["import", "file.csv", "--on-duplicate", choice]
    let note = "note: the file has no e-mail column, so only the name and the phone number were compared; "
    let first = try sandbox.run(words: words)
    #expect(first.output == "Imported 3 customers, skipped 2; the list has 7 rows.\n")
    #expect(first.errors.contains(note), "\(first)")
    // Nobody is added twice, so there is nothing to say or ask.
    #expect(
      try sandbox.run(words: words) == .done("Imported 0 customers, skipped 5; the list has 7 rows."))
  }

  @Test func `with add, known customers are added again`() throws {
    for words in [[], ["--on-duplicate", "add"]] {
      let result = try self.sandbox().run(words: ["import", "-"] + words, stdin: ImportDuplicatesTests.file)
      #expect(result.output == "Imported 5 customers; the list has 7 rows.\n")
    }
  }
}
