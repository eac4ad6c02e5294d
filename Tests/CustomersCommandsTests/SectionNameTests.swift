import CustomersTestSupport
import Testing

/// Names of sections that fit nothing or several, in every command that takes one.
@Suite(.onThreads) struct SectionNameTests {
  private static func commands(_ section: String) -> [[String]] {
    [
      ["list", "--section", section], ["find", "a", "--section", section], ["export", "--section", section],
      ["export", "list.csv", "--section", section], ["add", "Ann", "--section", section],
      ["add", "Ann", "--at", "1", "--section", section], ["import", "-", "--section", section],
      ["move", "1", "--section", section], ["move", "1", "--to", "1", "--section", section],
      ["sort", "--by", "name", "--section", section, "-y"], ["arrange", "--section", section, "-y"],
      ["section", "rename", section, "New"], ["section", "rename", section, "--footer", "x"],
      ["section", "move", section, "1"], ["section", "delete", section, "-y"],
      ["section", "delete", section, "--with-customers", "-y"],
      ["expect", "count", "4", "--section", section], ["expect", "1", "--section", section],
    ]
  }

  /// The commands that a line of a script may be.
  private static func lines(_ section: String) -> [[String]] {
    commands(section).filter { !["list", "find", "export", "import", "arrange"].contains($0[0]) }
  }

  private func expectRefused(_ sandbox: CLISandbox, _ section: String, _ message: String) throws {
    let names = try sandbox.names
    try sandbox.expectUntouched { () throws in
      for words in SectionNameTests.commands(section) {
        let result = try sandbox.run(
          words: words, stdin: "name\nEve\n", environment: ["EDITOR": "touch opened"])
        #expect(result == .failed(3, "customers: " + message), "\(words)")
      }
      for words in SectionNameTests.lines(section) {
        let result = try sandbox.run("apply", "-", stdin: "move 1 2\n" + scriptLine(words))
        #expect(result.code == 3 && result.output.isEmpty, "\(words): \(result)")
        #expect(result.errors.contains("nothing was changed"), "\(words): \(result)")
      }
    }
    #expect(try sandbox.names == names)
  }

  private func missing(_ name: String) -> String {
    "no section matches \"\(name)\"\nhint: the sections are \"Customers\" and \"More\""
  }

  @Test(
    arguments: sampled(
      ["", "0", "-1", "3", "9223372036854775808", "@3", "@9223372036854775808", "nowhere"], oneIn: 4))
  func `an unknown section is reported by every command`(name: String) throws {
    try expectRefused(CLISandbox.withLetters(), name, missing(name))
  }

  @Test(arguments: [" ", "+1", "@+1", "1.0", "@0", "@-1", "@", "99999999999999999999", "%"])
  func `an unknown section name is refused, never guessed`(name: String) throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched { () throws in
      for words in [["list", "--section", name], ["section", "delete", name, "--with-customers", "-y"]] {
        #expect(try sandbox.run(words: words) == .failed(3, "customers: " + missing(name)))
      }
    }
  }

  @Test func `a hint names the nearest one or a few, or a command that lists them, also in a script`() throws
  {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "-q", "-y", "--set", "Club=x") == .done())
    func hint(_ words: String...) throws -> Substring {
      let result = try sandbox.run(words: words)
      #expect(result.code == 3, "\(result)")
      let script = try sandbox.run("apply", "-", stdin: scriptLine(words) + "\n")
      let hint = result.errors.split(separator: "\n").last ?? ""
      #expect(script.code == 3 && script.errors.contains("\n\(hint)\n"), "\(script)")
      return hint
    }
    #expect(try hint("section", "rename", "None", "X") == #"hint: the section is "Customers""#)
    #expect(try hint("section", "rename", "Custmrs", "X") == #"hint: did you mean "Customers"?"#)
    #expect(try hint("columns", "rename", "None", "X") == #"hint: the column is "Club""#)
    for number in 1...6 {
      #expect(try sandbox.run("section", "add", "Section \(number)", "-q") == .done())
      #expect(try sandbox.run("edit", "1", "-q", "-y", "--set", "Column \(number)=x") == .done())
    }
    #expect(
      try hint("section", "rename", "None", "X") == "hint: to list the sections: customers section list")
    #expect(try hint("columns", "rename", "None", "X") == "hint: to list the columns: customers columns")
  }

  @Test(arguments: sampled(["m", "o", "R"], oneIn: 3))
  func `of several matches, none is chosen`(name: String) throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("section", "rename", "1", "Moor", "-q") == .done())
    let several = """
      2 sections match "\(name)"
           1  @1  Moor
           2  @2  More
      hint: use the section number or the id
      """
    try expectRefused(sandbox, name, several)
  }
}
