import CustomersTestSupport
import Testing

/// Questions whose values can't be compared, in commands that read and in those that edit.
@Suite(.onThreads) struct SkippedValueTests {
  private static func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    for (name, due) in [
      ("Ann", "2026-11-20"), ("Bob", "20.11.2026"), ("Cid", "11/21/2026"), ("Dan", "2026-11-22 10:00"),
      ("Eve", "soon"),
      ("Fay", ""),
    ] {
      #expect(try sandbox.run("add", name, "--set", "Due=\(due)", "-q", "--yes") == .done())
    }
    return sandbox
  }

  private static let note = "note: 1 value of \"Due\" can't be compared; these customers were left out"

  @Test func `an answer says how many values were left out`() throws {
    let sandbox = try Self.sandbox()
    let question = "Due<2026-11-22"
    for words in [
      ["list", "--format", "ids"], ["export", "-", "--format", "csv", "--fields", "name"], ["show"],
    ] {
      let result = try sandbox.run(words: words + ["--where", question])
      #expect(result.code == 0 && result.errors.hasPrefix(Self.note), "\(words): \(result)")
    }
    #expect(try sandbox.run("list", "--count", "--where", question) == .done("3", errors: Self.note))
    #expect(try sandbox.run("list", "--count", "-q", "--where", question) == .done("3"))
    #expect(try sandbox.run("list", "--count", "--where", "not Due=2026-11-20") == .done("3"))
  }

  @Test func `an edit that left some out needs consent`() throws {
    let sandbox = try Self.sandbox()
    let refusal = ProcessResult.failed(
      4,
      """
      customers: 1 value of "Due" can't be compared, so it is not known whether these customers match
      hint: to leave them out, add --yes
      """)
    for words in [["delete"], ["move", "--last"], ["edit", "--note", "x"]] {
      let result = try sandbox.expectUntouched {
        try sandbox.run(words: words + ["--where", "Due<today", "--no-input"])
      }
      #expect(result == refusal, "\(words)")
    }
    let result = try sandbox.run("edit", "--where", "Due<2026-11-22", "--note", "x", "--yes")
    #expect(result.code == 0 && result.errors.contains(Self.note))
    #expect(try sandbox.run("list", "--count", "--where", "note=x") == .done("3"))
  }

  @Test func `what can't be compared is refused before anything is done`() throws {
    let sandbox = try Self.sandbox()
    for (question, reason, hint) in [
      ("Due<tomorow", "Due: \"tomorow\" is neither a number nor a date", "did you mean tomorrow?"),
      (
        "Due<6O", "Due: \"6O\" is neither a number nor a date",
        "for the order of the alphabet, put the value in quotes, as in Due<\"M\""
      ),
      (
        "Due<11/12/2026", "Due: \"11/12/2026\" may be 2026-11-12 or 2026-12-11",
        "write 2026-11-12 or 2026-12-11"
      ),
    ] {
      let result = try sandbox.expectUntouched { try sandbox.run("delete", "--where", question, "--yes") }
      #expect(result == .failed(2, "customers: --where: \(reason)\nhint: \(hint)"), "\(question)")
    }
  }

  @Test func `a minus sorts in descending order`() throws {
    let sandbox = try CLISandbox()
    for (name, prio, group) in [("Ann", "2", "x"), ("Bob", "10", "y"), ("Cid", "1", "x"), ("Dan", "10", "x")]
    {
      #expect(
        try sandbox.run("add", name, "--set", "Prio=\(prio)", "--set", "Group=\(group)", "-q", "--yes")
          == .done())
    }
    func order(_ words: String...) throws -> String {
      try sandbox.run(words: ["list", "--format", "tsv", "--fields", "first_name", "--no-header"] + words)
        .output
        .split(separator: "\n").map { $0.split(separator: "\t").last.map(String.init) ?? "" }.joined(
          separator: " ")
    }
    #expect(try order("--sort", "-Prio") == "Bob Dan Ann Cid")
    #expect(try order("--sort", "-prio", "--reverse") == "Cid Ann Bob Dan")
    #expect(try order("--sort", "Group,-Prio") == "Dan Ann Cid Bob")
    #expect(try order("--sort=-Group,Prio") == "Bob Cid Ann Dan")
    #expect(try sandbox.run("sort", "--by", "-Prio", "-q", "--yes") == .done())
    #expect(try order() == "Bob Dan Ann Cid")
  }
}
