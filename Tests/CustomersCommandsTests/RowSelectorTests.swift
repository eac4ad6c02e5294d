import CustomersTestSupport
import Testing

/// Names of rows that fit nothing, several, or make no sense, in every command that takes one.
@Suite(.onThreads) struct RowSelectorTests {
  @Test(arguments: try Transcript.sessions("RowSelector"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private static func commands(_ row: String) -> [[String]] {
    [
      ["show", row], ["delete", row, "-y"], ["delete", "1", row, "-y"], ["move", row, "--to", "1"],
      ["move", row, "1"], ["move", "2", "--before", row], ["move", "2", "--after", row],
      ["add", "Ann", "--before", row], ["add", "Ann", "--after", row], ["import", "-", "--before", row],
      ["import", "-", "--after", row], ["edit", row, "--note", "x"], ["edit", row, "--editor"],
      ["swap", row, "1"], ["swap", "2", row], ["protect", row, "--no-edit"],
      ["protect", "1", row, "--no-move"], ["expect", row, "--name", "A"],
    ]
  }

  /// The commands that a line of a script may be.
  private static func lines(_ row: String) -> [[String]] {
    commands(row).filter { $0[0] != "show" && $0[0] != "import" && $0.last != "--editor" }
  }

  private func expectRefused(_ sandbox: CLISandbox, _ row: String, _ code: Int32) throws {
    try sandbox.expectUntouched { () throws in
      for words in RowSelectorTests.commands(row) {
        let result = try sandbox.run(words: words, stdin: "name\nEve\n")
        #expect(result.code == code && result.output.isEmpty, "\(words): \(result)")
        #expect(result.errors.hasPrefix("customers: "))
      }
      for words in RowSelectorTests.lines(row) {
        let result = try sandbox.run("apply", "-", stdin: "move 1 2\n" + scriptLine(words))
        #expect(result.code == code && result.output.isEmpty, "\(words): \(result)")
        #expect(
          result.errors.hasPrefix("standard input:2: ") && result.errors.contains("nothing was changed"))
      }
    }
  }

  /// One name of each kind, in every command that takes one.
  @Test(
    arguments: sampled(
      [
        "0", "7", "-1", "9223372036854775807", "9223372036854775808", "1-9223372036854775808", "@7",
        "@9223372036854775808", "more/0", "more/3", "more/9223372036854775808", "nowhere/1", "nobody",
      ], oneIn: 4))
  func `every command reports a missing row`(row: String) throws {
    try expectRefused(CLISandbox.withLetters(), row, 3)
  }

  @Test(arguments: sampled(["", " ", "name:", "1,", "3-1", "@-1"], oneIn: 3))
  func `an invalid row, in every command`(row: String) throws {
    try expectRefused(CLISandbox.withLetters(), row, 2)
  }

  @Test(arguments: [
    "99", "2147483648", "9007199254740993", "-9223372036854775809", "123456789012345678901234567890", "1-7",
    "0-2", "5-99999999999999999999", "@0", "@9223372036854775807", "@123456789012345678901234567890",
    "more/-1", "more/99999999999999999999", "/1", "more/", "m/o", "name:nobody", "+1", "1.0", "1e0", "0x1",
    "１", "@+1", "' OR 1 --", "%", "_",
  ])
  func `an unknown row reference is not found`(row: String) throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched { () throws in
      for words in [["show", row], ["delete", "1", row, "-y"], ["move", "2", "--before", row]] {
        let result = try sandbox.run(words: words)
        #expect(result.code == 3 && result.output.isEmpty, "\(words): \(result)")
      }
    }
  }

  private static let one = CLISandbox.file(importing: "name\nSolo One\n")

  @Test(arguments: [
    "", " ", "\t\n", "name:", "name: ", ",", "@", "1,", ",1", "1,,2", "3-1", "1-2-3", "@-1", "1@2",
  ])
  func `a malformed row reference is refused, even in a list of one row`(row: String) throws {
    let one = try CLISandbox(list: Self.one.get())
    try one.expectUntouched { () throws in
      #expect(try one.run("delete", row, "-y").code == 2)
      #expect(try one.run("show", row).code == 2)
    }
  }

  @Test func `a name that fits several rows is never guessed`() throws {
    let sandbox = try CLISandbox()
    for name in ["Joe Smith", "Al Jones", "Alice Smith", "Alice Smithers"] {
      #expect(try sandbox.run("add", name, "-q") == .done())
    }
    let several = """
      customers: 3 customers match "smi"
           1  @1   Joe Smith
           3  @3   Alice Smith
           4  @4   Alice Smithers
      hint: use the row number or the id
      """
    #expect(try sandbox.run("show", "smi") == .failed(3, several))
    let whole = """
      customers: 2 customers match "smith"
           1  @1   Joe Smith
           3  @3   Alice Smith
      hint: use the row number or the id
      """
    #expect(try sandbox.run("show", "smith") == .failed(3, whole))
    for name in sampled(["smi", "smith", "ali", "alice"], oneIn: 4) { try expectRefused(sandbox, name, 3) }
    // A whole name, and a beginning that matches one row, are exact.
    #expect(try sandbox.run("show", "ALICE SMITH").output.hasPrefix("Row:         3\n"))
    #expect(try sandbox.run("show", "al j").output.hasPrefix("Row:         2\n"))
    #expect(try sandbox.run("add", "joe smith", "-q") == .done())
    #expect(try sandbox.run("show", "joe smith").output.hasPrefix("Row:         5\n"))
    try expectRefused(sandbox, "JOE SMITH", 3)
  }

  @Test func `of many that match, the first ten are shown`() throws {
    let sandbox = try CLISandbox()
    let names = "name\n" + (1...12).map { "Ann \($0)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: names) == .done())
    let lines = try sandbox.run("show", "ann").errors.split(separator: "\n")
    #expect(lines.count == 13 && lines.first == "customers: 12 customers match \"ann\"")
    #expect(lines.dropFirst(10).prefix(2) == ["    10  @10  Ann 10", "     … and 2 more"])
  }
}
