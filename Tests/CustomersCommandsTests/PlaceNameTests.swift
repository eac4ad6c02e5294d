@testable import CustomersCommands
import CustomersTestSupport
import Testing

/// A place as `3`, `first`, `leads/1` or `leads/last`, wherever a place is asked for.
@Suite(.onThreads) struct PlaceNameTests {
  @Test(arguments: [
    (["move", "1", "leads/1"], "Sherlock Jane Ishmael Zoë Anna | Elizabeth Dorothea Edmond 明 | Miss"),
    (
      ["move", "1", "--to", "LEADS/2"], "Sherlock Jane Ishmael Zoë Anna | Dorothea Elizabeth Edmond 明 | Miss"
    ),
    (["move", "1", "leads/last"], "Sherlock Jane Ishmael Zoë Anna | Dorothea Edmond 明 Elizabeth | Miss"),
    (["move", "5", "first"], "Zoë Elizabeth Sherlock Jane Ishmael Anna | Dorothea Edmond 明 | Miss"),
    (["move", "2", "last"], "Elizabeth Jane Ishmael Zoë Anna Sherlock | Dorothea Edmond 明 | Miss"),
    (
      ["move", "1", "8", "--to", "archive/first"],
      "Sherlock Jane Ishmael Zoë Anna | Dorothea 明 | Elizabeth Edmond Miss"
    ),
    (
      ["add", "Eve", "--at", "leads/2"],
      "Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Eve Edmond 明 | Miss"
    ),
    (
      ["add", "Eve", "--at", "@2/first"],
      "Elizabeth Sherlock Jane Ishmael Zoë Anna | Eve Dorothea Edmond 明 | Miss"
    ),
    (
      ["import", "-", "--at", "leads/2"],
      "Elizabeth Sherlock Jane Ishmael Zoë Anna | Dorothea Gus Hal Edmond 明 | Miss"
    ),
  ])
  func `a place can be named with its section`(words: [String], order: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.run(words: words + ["-q"], stdin: "name\nGus\nHal\n")
    #expect(result == .done(), "\(words)")
    #expect(try sandbox.order == order)
    guard words[0] != "import" else { return }
    for script in [scriptLine(words), "begin\n\(scriptLine(words))\nend\n"] {
      let other = try CLISandbox.withDemo()
      // In a batch, the place of several sections must be said.
      guard words.contains(where: { $0.contains("/") }) || !script.hasPrefix("begin") else { continue }
      #expect(try other.run("apply", "-", "-q", stdin: script) == .done(), "\(script)")
      #expect(try other.order == order, "\(script)")
    }
  }

  @Test(arguments: [
    (["move", "1", "nowhere/1"], 3, "no section matches \"nowhere\""),
    (["move", "1", "h/1"], 3, "\"h\" matches only part of"),
    (["move", "1", "leads/9"], 3, "number 9 is out of range"),
    (["move", "1", "leads/x"], 2, "\"leads/x\" is not a place"),
    (["move", "1", "--to", "x"], 2, "--to must be a whole number, not \"x\""),
    (["move", "1", "--to", "leads/1", "-s", "archive"], 2, "leads/… and --section can't be combined"),
    (["move", "1", "leads/1", "--first"], 2, ""),
    (["add", "Eve", "--at", "/1"], 2, "--at must be a whole number"),
  ])
  func `what is not a place is refused`(words: [String], code: Int32, message: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(result.code == code && result.errors.hasPrefix("customers: " + message), "\(result)")
  }

  @Test func `-s means --section in every command that has it`() throws {
    for command in Command.all {
      for option in command.options where option.name == "--section" {
        #expect(option.short == "-s", "\(command.name)")
      }
    }
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("export", "-s", "leads").output.split(separator: "\n").count == 4)
  }

  @Test func `a section is named up to the last slash`() {
    #expect(PlaceName("North/West/2")?.section == "North/West")
    #expect(PlaceName("2").map { $0.section == nil } == true && PlaceName("North/West") == nil)
  }
}
