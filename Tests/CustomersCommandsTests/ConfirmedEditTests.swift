import CustomersTestSupport
import Testing

/// Other programs that change the list while a question is open: an edit that was confirmed does what was shown, or
/// nothing.
@Suite(.onThreads) struct ConfirmedEditTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var words: [String]
    /// What another program does while the question is open.
    var other: String
    /// What the refusal says besides.
    var says: String
    var testDescription: String { "\(words.joined(separator: " ")) | \(other)" }
  }

  /// People in two sections, of whom Cara stands alone in the second; `City` is an extra column of two.
  private static func withPeople() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let file =
      "name,section,City\nZoe Ray,Customers,Bonn\nAnn Lee,Customers,\nBob Day,Customers,Rome\nCara Fox,More,\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    return sandbox
  }

  /// Runs another program.
  private static func run(_ script: String, in sandbox: CLISandbox) throws {
    let result = try sandbox.shell(script)
    #expect(result == .done())
  }

  private static let refused = [
    Case(
      words: ["section", "delete", "more", "--with-customers"],
      other: "customers add -q Dan --section more; customers add -q Eve --section more",
      says: "now: Would delete section \"More\" with 3 rows."),
    Case(
      words: ["section", "delete", "more", "--with-customers"], other: "customers edit -q @4 --note precious",
      says: "customer @4 has been changed since"),
    Case(
      words: ["section", "delete", "more", "--with-customers"],
      other: "customers section rename -q more Precious",
      says: "now: Would delete section \"Precious\" with 1 row."),
    Case(
      words: ["section", "delete", "more", "--with-customers"],
      other: "customers delete -q -y @4; customers section delete -q -y more",
      says: "there is no section with id 2"),
    Case(
      words: ["columns", "drop", "city"], other: "customers edit -q @2 --set City=Oslo",
      says: "now: 3 customers have column \"City\", not 2"),
    Case(
      words: ["columns", "drop", "city"], other: "customers edit -q @1 --set City=Ulm",
      says: "now: column \"City\" has other values"),
    Case(
      words: ["columns", "drop", "city"],
      other: "customers edit -q @1 --set City=; customers edit -q @2 --set City=Bonn",
      says: "now: column \"City\" has other values"),
    Case(
      words: ["columns", "drop", "city"], other: "customers columns rename -q City Town",
      says: "there is no column \"City\""),
    Case(
      words: ["sort", "--by", "name"], other: "customers add -q Abe",
      says: "now: Would move \"Abe\" 4 → 1."),
    Case(
      words: ["sort", "--by", "name"], other: "customers move -q @1 2",
      says: "shown: Would move \"Ann Lee\" 2 → 1."),
    Case(
      words: ["merge", "@1", "ara"], other: "customers edit -q @4 --name 'Dora Fox'",
      says: "customer @4 has been changed since"),
    Case(words: ["merge", "@1", "ara"], other: "customers delete -q -y @4", says: "there is no customer @4"),
    Case(
      words: ["move", "ara", "1"], other: "customers edit -q @4 --name 'Dora Fox'",
      says: "now: Would move \"Dora Fox\""),
    Case(
      words: ["edit", "ara", "--note", "x"], other: "customers edit -q @4 --name 'Dora Fox'",
      says: "\"Dora Fox\""),
    Case(
      words: ["delete", "@1", "@4"], other: "customers edit -q @4 --note precious",
      says: "customer @4 has been changed since"),
    Case(words: ["delete", "@1", "@4"], other: "customers delete -q -y @4", says: "there is no customer @4"),
    Case(
      words: ["delete", "@1", "@4"], other: "customers columns rename -q City Town",
      says: "customer @1 has been changed since"),
    Case(
      words: ["merge", "@1", "ara"],
      other: "customers edit -q @4 --set Tip=x; customers columns rename -q Tip Hint",
      says: "customer @4 has been changed since"),
    Case(
      words: ["history", "--forget"], other: "customers delete -q -y @4",
      says: "nothing was changed"),
  ]

  @Test(arguments: refused)
  func `what was not shown is not done`(_ test: Case) throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    var before = sandbox.bytes
    let (screen, code) = try sandbox.onTerminal(words: test.words + ["--color", "never"], typing: "y\n") {
      try ConfirmedEditTests.run(test.other, in: sandbox)
      before = sandbox.bytes
    }
    let message =
      "customers: another program changed the list while you were deciding; nothing was changed\r\n"
    #expect(code == 4 && screen.contains(message) && screen.contains(test.says), "\(screen.debugDescription)")
    #expect(sandbox.bytes == before)
    try sandbox.expectSound()
  }

  private static let edits = [
    ["delete", "@1"], ["section", "delete", "more", "--with-customers"], ["sort", "--by", "name"], ["undo"],
  ]

  /// Another list has other people under the same ids, and may have as many edits.
  @Test(arguments: edits)
  func `what was shown of another list is not done`(_ words: [String]) throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    try ConfirmedEditTests.run(
      "customers backup b -q; customers edit -q @1 --name 'Boss' --email x", in: sandbox)
    // The edit to undo must be another person's.
    if words == ["undo"] {
      try ConfirmedEditTests.run(
        "sqlite3 customers.sqlite \"UPDATE history_step SET user = 'bob', host = 'elsewhere'\"", in: sandbox)
    }
    let other =
      "customers restore -q -y b; customers edit -q @1 --name 'Other Boss'; customers edit -q @1 --note x"
    var before = sandbox.bytes
    let (screen, code) = try sandbox.onTerminal(words: words + ["--color", "never"], typing: "y\n") {
      try ConfirmedEditTests.run(other, in: sandbox)
      before = sandbox.bytes
    }
    #expect(code == 4 && screen.contains("the list was restored or repaired"), "\(screen.debugDescription)")
    #expect(sandbox.bytes == before)
  }

  @Test func `as many other rows are named`() throws {
    let sandbox = try CLISandbox()
    let names = (1...150).map { "N\($0),More" }.joined(separator: "\n")
    #expect(try sandbox.run("import", "-", "-q", stdin: "name,section\n\(names)\n") == .done())
    let (screen, code) = try sandbox.onTerminal(
      words: ["section", "delete", "more", "--with-customers"], typing: "y\n"
    ) {
      try ConfirmedEditTests.run(
        "customers delete -q -y @7; customers add -q New --section more", in: sandbox)
    }
    #expect(
      code == 4 && screen.contains("shown: customer @7") && screen.contains("now: customer @151"), "\(screen)"
    )
  }

  @Test func `a list that is made while restore asks is not replaced`() throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    try ConfirmedEditTests.run("customers backup b -q; rm customers.sqlite", in: sandbox)
    let (screen, code) = try sandbox.onTerminal(words: ["restore", "b"], typing: "y\n") {
      try ConfirmedEditTests.run("customers add -q 'Precious One'", in: sandbox)
    }
    #expect(code == 4 && screen.contains("nothing was changed"), "\(screen.debugDescription)")
    #expect(try sandbox.order.hasPrefix("Precious"))
    try sandbox.expectSound()
  }

  /// Changes that have nothing to do with what was shown.
  private static let harmless = [
    Case(
      words: ["delete", "@1", "@4"], other: "customers add -q Eve --first",
      says: "Deleted \"Zoe Ray\", row 2."),
    Case(words: ["delete", "@4"], other: "customers move -q @4 1", says: "Deleted \"Cara Fox\", row 1."),
    Case(
      words: ["section", "delete", "more", "--with-customers"],
      other: "customers section add -q New --at 1; customers edit -q @1 --note x",
      says: "Deleted section \"More\" with 1 row."),
    Case(
      words: ["columns", "drop", "city"], other: "customers move -q @1 2", says: "Dropped column \"City\"."),
    Case(
      words: ["sort", "--by", "name"], other: "customers edit -q @1 --note x",
      says: "Sorted 4 rows, moving 3."),
    Case(
      words: ["edit", "ara", "--note", "x"], other: "customers move -q @4 1", says: "Edited \"Cara Fox\""),
  ]

  @Test(arguments: harmless)
  func `other changes do not matter`(_ test: Case) throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    let (screen, code) = try sandbox.onTerminal(words: test.words, typing: "y\n") {
      try ConfirmedEditTests.run(test.other, in: sandbox)
    }
    #expect(code == 0 && screen.contains(test.says), "\(screen.debugDescription)")
    try sandbox.expectSound()
  }

  @Test func `a long run of rows is deleted only as it was shown`() throws {
    let sandbox = try CLISandbox()
    let names = (1...150).map { "N\($0)" }.joined(separator: "\n")
    #expect(try sandbox.run("import", "-", "-q", stdin: "name\n\(names)\n") == .done())
    for (other, isDone) in [
      ("customers edit -q 77 --note precious", false), ("customers add -q Eve", false),
      ("customers add -q Eve --first", true),
    ] {
      let copy = try #require(sandbox.bytes)
      let words =
        other.hasSuffix("Eve") && !isDone
        ? ["section", "delete", "1", "--with-customers"] : ["delete", "1-150"]
      let (screen, code) = try sandbox.onTerminal(words: words, typing: "y\n") {
        try ConfirmedEditTests.run(other, in: sandbox)
      }
      #expect(code == (isDone ? 0 : 4), "\(other): \(screen.debugDescription)")
      try sandbox.put(copy)
    }
  }

  @Test func `arrange deletes no customer that has changed since`() throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    let editor = try sandbox.editor("sed -i 's/^@3/d @3/' \"$1\"")
    let (screen, code) = try sandbox.onTerminal(
      "arrange", "--color", "never", answers: ["y\n", "\u{4}"], environment: editor
    ) {
      try ConfirmedEditTests.run("customers edit -q @3 --note precious", in: sandbox)
    }
    #expect(
      code != 0 && screen.contains("customer @3 has been changed since"), "\(screen.debugDescription)")
    #expect(try sandbox.order == "Zoe Ann Bob | Cara")
  }

  @Test(arguments: [#"["a","b"]"#, #"{"a":1}"#, "1", "null"])
  func `a column is dropped only with the values that were shown, whatever their kind`(value: String) throws {
    let sandbox = try CLISandbox()
    let list = #"{"name":"Ann","Colors":["a"]}"#
    #expect(try sandbox.run("import", "-", "--format", "ndjson", "-q", stdin: list) == .done())
    let (screen, code) = try sandbox.onTerminal(
      "columns", "drop", "Colors", "--color", "never", typing: "y\n"
    ) {
      _ = try sandbox.sqlite("UPDATE customers SET extra = '{\"Colors\":\(value)}'")
    }
    #expect(
      code == 4 && screen.contains("now: column \"Colors\" has other values"), "\(screen.debugDescription)")
    #expect(try sandbox.sqlite("SELECT extra FROM customers") == "{\"Colors\":\(value)}\n")
  }

  @Test func `a delete goes on if a column changed that none of the customers has`() throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    let (screen, code) = try sandbox.onTerminal("delete", "@2", "@4", "--color", "never", typing: "y\n") {
      try ConfirmedEditTests.run("customers columns rename -q City Town", in: sandbox)
    }
    #expect(code == 0, "\(screen.debugDescription)")
  }

  @Test func `a repair removes only the triggers that were shown`() throws {
    let sandbox = try CLISandbox.withLetters()
    func trigger(_ name: String) -> String {
      "CREATE TRIGGER \(name) AFTER UPDATE ON place BEGIN SELECT 1; END;"
    }
    _ = try sandbox.sqlite(trigger("theirs"))
    let (screen, code) = try sandbox.onTerminal("check", "--repair", "--color", "never", typing: "y\n") {
      _ = try sandbox.sqlite(trigger("another"))
    }
    #expect(code == 4 && screen.contains("another"), "\(screen.debugDescription)")
    let kept = try sandbox.sqlite(
      "SELECT name FROM sqlite_schema WHERE name IN ('theirs', 'another') ORDER BY name")
    #expect(kept == "another\ntheirs\n")
  }

  @Test func `restore replaces only the list that was shown`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    let (screen, code) = try sandbox.onTerminal("restore", "copy", "--color", "never", typing: "y\n") {
      try ConfirmedEditTests.run("customers add -q Eve", in: sandbox)
    }
    #expect(
      code == 4
        && screen.contains("another program changed the list while you were deciding; nothing was changed"),
      "\(screen.debugDescription)")
    #expect(try sandbox.order == "A B C D Eve | X Y")
  }
}
