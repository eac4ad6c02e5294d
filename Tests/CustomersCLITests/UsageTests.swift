import Testing

/// Command lines that are wrong: exit code 2, a hint where one is near, and nothing done.
@Suite struct UsageTests {
  private static let everyCommand = [
    ["list"], ["show", "1"], ["add", "Ann"], ["delete", "1", "-y"], ["move", "1", "2"], ["section"],
    ["section", "add", "New"], ["section", "rename", "1", "New"], ["section", "move", "1", "2"],
    ["section", "delete", "1", "--with-customers", "-y"], ["import", "-"], ["check"], ["check", "--repair"],
    ["info"], ["demo"],
  ]

  @Test func `a format or colour that a command can't give is refused before anything is done`() throws {
    let desk = try Desk.withLetters()
    try desk.expectUntouched { () throws in
      for words in UsageTests.everyCommand {
        let format = try desk.run(words: words + ["--format", "yaml"], stdin: "name\nEve\n")
        #expect(format.code == 2 && format.output.isEmpty, "\(words)")
        let message = "customers: unknown format \"yaml\"\nhint: the formats of this command are table"
        #expect(format.errors.hasPrefix(message))
        let color = try desk.run(words: words + ["--color", "blue"], stdin: "name\nEve\n")
        #expect(color == .failed(2, "customers: --color takes auto, always or never, not \"blue\""))
      }
      for words in UsageTests.everyCommand where words[0] != "list" {
        #expect(try desk.run(words: words + ["--format", "csv"], stdin: "name\nEve\n").code == 2, "\(words)")
      }
    }
  }
}
