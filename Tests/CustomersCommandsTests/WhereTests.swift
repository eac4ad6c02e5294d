import CustomersTestSupport
import Testing

/// Rows by a question, or by ids on standard input.
@Suite(.onThreads) struct WhereTests {
  @Test(arguments: try Transcript.sessions("Where"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: [
    ("Club=Berlin && Note=x", "\"&&\" does not join terms\nhint: write and"),
    ("Club=Berlin || Note=x", "\"||\" does not join terms\nhint: write or"),
  ])
  func `a word that joins terms elsewhere is refused with the right one`(term: String, message: String) throws
  {
    let sandbox = try CLISandbox.withPeople()
    let result = try sandbox.run("list", "--where", term)
    #expect(result.code == 2 && result.errors.contains(message), "\(result)")
  }

  @Test(arguments: [
    (["delete", "1", "--where", "Club=x"], "ROW and --where can't be combined"),
    (["list", "--where", "Club"], "--where: \"Club\" is not a valid term"),
    (
      ["list", "--where", "Culb=x"],
      "--where: there is no field or column \"Culb\"\nhint: did you mean \"Club\"?"
    ),
    (["list", "--where", "favorite=maybe"], "--where: favorite must be yes or no, not \"maybe\""),
    (["edit", "1", "--set", "Club"], "--set must be FIELD=TEXT, not \"Club\""),
    (
      ["edit", "1", "--set", "Culb=x"],
      "--set: there is no field \"Culb\"\nhint: did you mean \"Club\"? For a new column, add --yes"
    ),
    (["edit", "1", "--set", "phone=5", "--phone", "6"], "--set: \"phone\" was given twice"),
    (["edit", "1", "--name", "X", "--first-name", "Y"], "--name and --first-name can't be combined"),
    (["add", "B C", "--last-name", "X"], "NAME and --last-name can't be combined"),
    (["add", "--email", "--phone", "5"], "--email needs a value: --email [LABEL:]TEXT"),
    (["add", "A", "--section", "c", "--before", "1"], "before 1 and --section can't be combined"),
    (["list", "--fields", "Culb"], "--fields: there is no field \"Culb\"\nhint: did you mean \"Club\"?"),
    (["delete", "-"], "- reads ids"),
  ])
  func `conflicting or misspelled words are refused`(words: [String], message: String) throws {
    let sandbox = try CLISandbox.withPeople()
    let result = try sandbox.expectUntouched {
      try sandbox.run(words: words, answers: words.last == "-" ? [] : nil)
    }
    #expect(result.code == 2 && result.errors.hasPrefix("customers: " + message), "\(words): \(result)")
  }

  @Test(arguments: [("=", "@1 @2 @3"), ("!=", "@4"), (">", "@4"), ("<=", "@1 @2 @3")])
  func `a number in any text is the same however it is written`(sign: String, ids: String) throws {
    let sandbox = try CLISandbox()
    for text in ["1.200,50", "1,200.50", "1200,5", "1300", "01200,5", "x"] {
      #expect(try sandbox.run("add", text, "--set", "Age=\(text)", "-q") == .done())
    }
    let shown = try sandbox.ids("list", "--where", "Age\(sign)1200.5").split(separator: " ").filter {
      !["@5", "@6"].contains($0)
    }
    #expect(shown.joined(separator: " ") == ids)
  }

  @Test(arguments: [("=", "@1 @2"), ("<=", "@1 @2"), (">=", "@1 @2 @3"), ("<", ""), (">", "@3")])
  func `a day in any text is compared however it is written`(sign: String, ids: String) throws {
    let sandbox = try CLISandbox()
    for text in ["03.04.2025 14:30", "3 Apr 2025", "24.12.2025 08:00", "soon"] {
      #expect(try sandbox.run("add", text, "--set", "Seen=\(text)", "-q") == .done())
    }
    #expect(try sandbox.ids("list", "--where", "Seen\(sign)2025-04-03") == ids)
  }

  @Test func `one of several lines is enough`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("columns", "add", "Guild", "--kind", "lines", "-q").code == 0)
    #expect(try sandbox.run("edit", "1", "--set", "Guild=abc\ndef", "-q") == .done())
    #expect(try sandbox.ids("list", "--where", "Guild=def") == "@1")
    #expect(try sandbox.ids("list", "--where", "Guild!=def").isEmpty)
  }

  @Test func `words before a term are searched for`() throws {
    let sandbox = try CLISandbox.withPeople()
    let all = try sandbox.ids("list", "--where", "Club=Berlin")
    let name = try sandbox.run("list", "1", "--template", "{name}").output.split(separator: " ")[0]
    #expect(try all != sandbox.ids("list", "--where", "Club=Berlin", "--limit", "1"))
    for words in [[String(name), "Club=Berlin"], ["\(name) Club=Berlin not Club=x"]] {
      #expect(try sandbox.run(words: ["list"] + words + ["--format", "ids"]) == .done("@1"))
    }
    // A term about what the list does not have is text.
    #expect(try sandbox.run(words: ["list", String(name), "Clubb=Berlin"]).errors.contains("No customers"))
  }

  @Test func `tags are separated by commas wherever they are set`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "1", "--set", "tags=x,y", "-q") == .done())
    #expect(try sandbox.ids("list", "--where", "tag=y") == "@1")
    #expect(try sandbox.run("add", "New", "--set", "tags=x,\"a, b\"", "-q") == .done())
    #expect(try sandbox.run("list", "--count", "--where", "tag=\"a, b\"") == .done("1"))
  }

  @Test func `ids can be read from another command`() throws {
    let sandbox = try CLISandbox.withPeople()
    let found = try sandbox.run("find", "berlin", "--format", "ids").output
    #expect(found == "@1\n@3\n")
    #expect(try sandbox.run("move", "-", "--last", "-q", stdin: found).code == 0)
    #expect(try sandbox.ids("list") == "@2 @4 @1 @3")
    #expect(try sandbox.run("show", "-", "--format", "ndjson", stdin: "2\n").output.contains("Palle"))
    let bad = try sandbox.run("show", "-", stdin: "@2\nAnn\n")
    #expect(bad.code == 2 && bad.errors.hasPrefix("customers: standard input:2: \"Ann\" is not an id"))
    let refused = try sandbox.run("delete", "-", stdin: "@2\n")
    #expect(refused.code == 4 && refused.errors.contains("there is no terminal"))
  }
}
