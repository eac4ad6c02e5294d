import CustomersTestSupport
import Testing

/// The question before a delete, on a real terminal and without one.
@Suite(.onThreads) struct PromptTests {
  /// The message after a confirmed deletion.
  private static let remedy = "To restore what was deleted: customers undo\r\n"

  @Test(arguments: ["n\n", "\n", "\u{4}", "no\n", "yess\n", "delete\n"])
  func `anything but yes, and end of file, deletes nothing`(answer: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let (screen, code) = try sandbox.expectUntouched { try sandbox.onTerminal("delete", "2", typing: answer) }
    #expect(screen.hasPrefix("Delete \"Sherlock Holmes\" (row 2)? [y/N] "))
    #expect(!screen.contains("Deleted"))
    #expect(code == 5)
  }

  @Test func `the interrupt key ends the program, and deletes nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    let (screen, code) = try sandbox.expectUntouched {
      try sandbox.onTerminal("delete", "2", typing: "\u{3}")
    }
    #expect(screen.hasPrefix("Delete \"Sherlock Holmes\" (row 2)? [y/N] ") && code == 130)
  }

  @Test(arguments: ["y\n", "Y\n", "yes\n", "YES\n"])
  func `an answer of yes deletes the customer`(answer: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let (screen, code) = try sandbox.onTerminal("delete", "2", typing: answer)
    #expect(screen.hasPrefix("Delete \"Sherlock Holmes\" (row 2)? [y/N] "))
    #expect(screen.hasSuffix("Deleted \"Sherlock Holmes\", row 2.\r\n\(PromptTests.remedy)"))
    #expect(code == 0)
    #expect(try sandbox.order == "Elizabeth Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss")
  }

  @Test func `several rows cause one question, and with --yes none`() throws {
    let sandbox = try CLISandbox.withDemo()
    let (screen, code) = try sandbox.expectUntouched { try sandbox.onTerminal("rm", "2-4", typing: "n\n") }
    #expect(
      screen.hasPrefix("Delete 3 customers: \"Sherlock Holmes\", \"Jane Eyre\", \"Ishmael\"? [y/N] ")
        && code == 5)
    let answered = try sandbox.onTerminal("delete", "--yes", "1")
    #expect(answered.screen == "Deleted \"Elizabeth Bennet\", row 1.\r\n" && answered.code == 0)
  }

  @Test func `without a terminal, or with --no-input, no one is asked`() throws {
    let sandbox = try CLISandbox.withDemo()
    let message = "customers: delete needs confirmation, but"
    try sandbox.expectUntouched { () throws in
      let reason = "standard input is not a terminal\nhint: add --yes"
      #expect(try sandbox.run("delete", "2") == .failed(4, "\(message) \(reason)"))
      #expect(try sandbox.run("delete", "2", stdin: "y\n") == .failed(4, "\(message) \(reason)"))
      let (screen, code) = try sandbox.onTerminal("delete", "2", "--no-input", "--color", "never")
      #expect(screen == "\(message) --no-input is set\r\nhint: add --yes\r\n" && code == 4)
    }
  }

  @Test func `a section is asked about with the number of its rows`() throws {
    let sandbox = try CLISandbox.withDemo()
    let no = try sandbox.expectUntouched {
      try sandbox.onTerminal("section", "delete", "leads", "--with-customers", typing: "n\n")
    }
    #expect(no.screen.hasPrefix("Delete section \"Leads\" with 3 rows? [y/N] ") && no.code == 5)
    let yes = try sandbox.onTerminal("section", "delete", "leads", "--with-customers", typing: "y\n")
    #expect(
      yes.screen.contains(
        "Deleted section \"Leads\" with 3 rows.\r\nTo restore what was deleted: customers undo\r\n")
        && yes.code == 0)
    #expect(try sandbox.order == "Elizabeth Sherlock Jane Ishmael Zoë Anna | Miss")
  }

  @Test func `the file is free while the question waits for an answer`() throws {
    let sandbox = try CLISandbox.withDemo()
    // The row that was asked about goes, not the one that has its number now.
    let (screen, code) = try sandbox.onTerminal("delete", "2", typing: "y\n") {
      let added = try sandbox.run("add", "Ann", "--first")
      #expect(added == .done("Added \"Ann\" as row 1."))
    }
    #expect(screen.hasSuffix("Deleted \"Sherlock Holmes\", row 3.\r\n\(PromptTests.remedy)") && code == 0)
    #expect(try sandbox.order == "Ann Elizabeth Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss")
  }
}
