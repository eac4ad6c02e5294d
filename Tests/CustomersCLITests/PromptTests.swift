import Testing

/// The question before a delete, on a real terminal and without one.
@Suite struct PromptTests {
  @Test(arguments: ["n\n", "\n", "\u{4}", "no\n", "yess\n", "delete\n"])
  func `anything but yes, and end of file, deletes nothing`(answer: String) throws {
    let desk = try Desk.withDemo()
    let (screen, code) = try desk.expectUntouched { try desk.onTerminal("delete", "2", typing: answer) }
    #expect(screen.hasPrefix("Delete \"Sherlock Holmes\"? [y/N] "))
    #expect(!screen.contains("Deleted"))
    #expect(code == 5)
  }

  @Test func `the interrupt key ends the program, and deletes nothing`() throws {
    let desk = try Desk.withDemo()
    let (screen, code) = try desk.expectUntouched { try desk.onTerminal("delete", "2", typing: "\u{3}") }
    #expect(screen.hasPrefix("Delete \"Sherlock Holmes\"? [y/N] ") && code == 130)
  }

  @Test(arguments: ["y\n", "Y\n", "yes\n", "YES\n"])
  func `yes deletes`(answer: String) throws {
    let desk = try Desk.withDemo()
    let (screen, code) = try desk.onTerminal("delete", "2", typing: answer)
    #expect(screen.hasPrefix("Delete \"Sherlock Holmes\"? [y/N] "))
    #expect(screen.hasSuffix("Deleted \"Sherlock Holmes\", row 2.\r\n"))
    #expect(code == 0)
    #expect(try desk.order == "Elizabeth Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss")
  }

  @Test func `several rows are one question, and --yes asks none`() throws {
    let desk = try Desk.withDemo()
    let (screen, code) = try desk.expectUntouched { try desk.onTerminal("rm", "2-4", typing: "n\n") }
    #expect(screen.hasPrefix("Delete 3 customers? [y/N] ") && code == 5)
    let answered = try desk.onTerminal("delete", "--yes", "1")
    #expect(answered.screen == "Deleted \"Elizabeth Bennet\", row 1.\r\n" && answered.code == 0)
  }

  @Test func `without a terminal, or with --no-input, nobody is asked`() throws {
    let desk = try Desk.withDemo()
    let message = "customers: delete needs confirmation and"
    try desk.expectUntouched { () throws in
      let reason = "standard input is no terminal\nhint: add --yes"
      #expect(try desk.run("delete", "2") == .failed(4, "\(message) \(reason)"))
      #expect(try desk.run("delete", "2", stdin: "y\n") == .failed(4, "\(message) \(reason)"))
      let (screen, code) = try desk.onTerminal("delete", "2", "--no-input")
      #expect(screen == "\(message) --no-input forbids to ask\r\nhint: add --yes\r\n" && code == 4)
    }
  }

  @Test func `a section is asked about with the number of its rows`() throws {
    let desk = try Desk.withDemo()
    let no = try desk.expectUntouched {
      try desk.onTerminal("section", "delete", "leads", "--with-customers", typing: "n\n")
    }
    #expect(no.screen.hasPrefix("Delete section \"Leads\" with 3 rows? [y/N] ") && no.code == 5)
    let yes = try desk.onTerminal("section", "delete", "leads", "--with-customers", typing: "y\n")
    #expect(yes.screen.hasSuffix("Deleted section \"Leads\" with 3 rows.\r\n") && yes.code == 0)
    #expect(try desk.order == "Elizabeth Sherlock Jane Ishmael Zoë Anna | Miss")
  }

  @Test func `the file is free while the question waits for an answer`() throws {
    let desk = try Desk.withDemo()
    // The row that was asked about goes, not the one that has its number now.
    let (screen, code) = try desk.onTerminal("delete", "2", typing: "y\n") {
      let added = try desk.run("add", "Ann", "--first")
      #expect(added == .done("Added \"Ann\" → 1."))
    }
    #expect(screen.hasSuffix("Deleted \"Sherlock Holmes\", row 3.\r\n") && code == 0)
    #expect(try desk.order == "Ann Elizabeth Jane Ishmael Zoë Anna | Dorothea Edmond 明 | Miss")
  }
}
