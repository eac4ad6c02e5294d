@testable import CustomersCommands
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// Other programs that change the list while a question is open: an edit that was confirmed does what was shown, or
/// nothing.
@Suite(.onThreads) struct ConfirmedEditTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var words: String
    /// What another program does while the question is open.
    var other: String
    /// What the refusal says besides.
    var says: String
    var testDescription: String { "\(words) | \(other)" }
  }

  /// People in two sections, of whom Cara stands alone in the second; `Club` is an extra column of two.
  private static func withPeople() throws -> CLISandbox { try CLISandbox(list: people.get()) }

  private static let people = CLISandbox.file(
    importing:
      "name,section,Club\nZoe Ray,Customers,Bonn\nAnn Lee,Customers,\nBob Day,Customers,Rome\nCara Fox,More,\n"
  )

  /// Runs commands of another program, separated by `;`.
  private static func run(_ commands: String, in sandbox: CLISandbox) throws {
    for line in commands.split(separator: "; ") {
      let result = try sandbox.run(words: TypedCommand.words(of: String(line)) + ["-q"])
      #expect(result == .done(), "\(line)")
    }
  }

  /// Answers the question of a command with yes, after the commands of another program.
  ///
  /// - Returns: the result, and whether the command left the file as the other program did.
  private func confirm(_ line: String, while other: String, in sandbox: CLISandbox) throws
    -> (result: ProcessResult, isUntouched: Bool)
  {
    let before = Mutex(sandbox.bytes)
    let result = try sandbox.run(
      words: TypedCommand.words(of: line), answers: ["y"],
      asked: {
        try ConfirmedEditTests.run(other, in: sandbox)
        before.withLock { $0 = sandbox.bytes }
      })
    return (result, before.withLock { $0 } == sandbox.bytes)
  }

  private static let refusal =
    "customers: another program changed the list while you were deciding; nothing was changed\n"

  private static let refused = [
    Case(
      words: "section delete more --with-customers",
      other: "add Dan --section more; add Eve --section more",
      says: "now: Would delete section \"More\" with 3 rows."),
    Case(
      words: "section delete more --with-customers", other: "edit @4 --note precious",
      says: "customer @4 has been changed since"),
    Case(
      words: "section delete more --with-customers", other: "section rename more Precious",
      says: "now: Would delete section \"Precious\" with 1 row."),
    Case(
      words: "section delete more --with-customers", other: "delete -y @4; section delete -y more",
      says: "there is no section with id 2"),
    Case(
      words: "columns drop club", other: "edit @2 --set Club=Oslo",
      says: "now: 3 customers have column \"Club\", not 2"),
    Case(
      words: "columns drop club", other: "edit @1 --set Club=Ulm",
      says: "now: column \"Club\" has other values"),
    Case(
      words: "columns drop club", other: "edit @1 --set Club=; edit @2 --set Club=Bonn",
      says: "now: column \"Club\" has other values"),
    Case(words: "columns drop club", other: "columns rename Club Guild", says: "there is no column \"Club\""),
    Case(words: "sort --by name", other: "add Abe", says: "now: Would move \"Abe\" 4 → 1."),
    Case(words: "sort --by name", other: "move @1 2", says: "shown: Would move \"Ann Lee\" 2 → 1."),
    Case(
      words: "merge @1 ara", other: "edit @4 --name 'Dora Fox'",
      says: "customer @4 has been changed since"),
    Case(words: "merge @1 ara", other: "delete -y @4", says: "there is no customer @4"),
    Case(words: "move ara 1", other: "edit @4 --name 'Dora Fox'", says: "now: Would move \"Dora Fox\""),
    Case(words: "edit ara --note x", other: "edit @4 --name 'Dora Fox'", says: "\"Dora Fox\""),
    Case(
      words: "delete @1 @4", other: "edit @4 --note precious",
      says: "customer @4 has been changed since"),
    Case(words: "delete @1 @4", other: "delete -y @4", says: "there is no customer @4"),
    Case(
      words: "delete @1 @4", other: "columns rename Club Guild",
      says: "customer @1 has been changed since"),
    Case(
      words: "merge @1 ara", other: "edit @4 --set Tip=x; columns rename Tip Hint",
      says: "customer @4 has been changed since"),
    Case(words: "history --forget", other: "delete -y @4", says: "nothing was changed"),
  ]

  @Test(arguments: sampled(refused, oneIn: 4))
  func `what was not shown is not done`(_ test: Case) throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    let (result, isUntouched) = try confirm(test.words, while: test.other, in: sandbox)
    #expect(
      result.code == 4 && result.errors.contains(Self.refusal) && result.errors.contains(test.says),
      "\(result)")
    #expect(isUntouched)
    try sandbox.expectSound()
  }

  private static let edits = [
    "delete @1", "section delete more --with-customers", "sort --by name", "undo",
  ]

  /// Another list has other people under the same ids, and may have as many edits.
  @Test(arguments: sampled(edits, oneIn: 4))
  func `what was shown of another list is not done`(_ words: String) throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    try ConfirmedEditTests.run("backup b; edit @1 --name 'Boss' --email x", in: sandbox)
    // The edit to undo must be another person's.
    _ = try sandbox.sqlite("UPDATE history_step SET user = 'bob', host = 'elsewhere'")
    let other = "restore -y b; edit @1 --name 'Other Boss'; edit @1 --note x"
    let (result, isUntouched) = try confirm(words, while: other, in: sandbox)
    #expect(result.code == 4 && result.errors.contains("the list was restored, or a copy of it"), "\(result)")
    #expect(isUntouched)
  }

  @Test func `as many other rows are named`() throws {
    let sandbox = try CLISandbox()
    let names = (1...150).map { "N\($0),More" }.joined(separator: "\n")
    #expect(try sandbox.run("import", "-", "-q", stdin: "name,section\n\(names)\n") == .done())
    let (result, _) = try confirm(
      "section delete more --with-customers", while: "delete -y @7; add New --section more",
      in: sandbox)
    #expect(result.code == 4 && result.errors.contains("shown: customer @7"), "\(result)")
    #expect(result.errors.contains("now: customer @151"), "\(result)")
  }

  @Test func `a list that is made while restore asks is not replaced`() throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    try ConfirmedEditTests.run("backup b", in: sandbox)
    try FileManager.default.removeItem(atPath: sandbox.file)
    let (result, isUntouched) = try confirm("restore b", while: "add 'Precious One'", in: sandbox)
    #expect(result.code == 4 && result.errors.contains("nothing was changed") && isUntouched, "\(result)")
    #expect(try sandbox.order.hasPrefix("Precious"))
    try sandbox.expectSound()
  }

  /// Changes that have nothing to do with what was shown.
  private static let harmless = [
    Case(words: "delete @1 @4", other: "add Eve --first", says: "Deleted \"Zoe Ray\", row 2."),
    Case(words: "delete @4", other: "move @4 1", says: "Deleted \"Cara Fox\", row 1."),
    // A column changes that none of the customers has.
    Case(words: "delete @2 @4", other: "columns rename Club Guild", says: "Deleted \"Ann Lee\""),
    Case(
      words: "section delete more --with-customers", other: "section add New --at 1; edit @1 --note x",
      says: "Deleted section \"More\" with 1 row."),
    Case(words: "columns drop club", other: "move @1 2", says: "Dropped column \"Club\"."),
    Case(words: "sort --by name", other: "edit @1 --note x", says: "Sorted 4 rows, moving 3."),
    Case(words: "edit ara --note x", other: "move @4 1", says: "Edited \"Cara Fox\""),
  ]

  @Test(arguments: sampled(harmless, oneIn: 4))
  func `other changes do not matter`(_ test: Case) throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    let (result, _) = try confirm(test.words, while: test.other, in: sandbox)
    #expect(result.code == 0 && result.output.contains(test.says), "\(result)")
    try sandbox.expectSound()
  }

  @Test func `a long run of rows is deleted only as it was shown`() throws {
    let sandbox = try CLISandbox()
    let names = (1...150).map { "N\($0)" }.joined(separator: "\n")
    #expect(try sandbox.run("import", "-", "-q", stdin: "name\n\(names)\n") == .done())
    for (other, isDone) in [
      ("edit 77 --note precious", false), ("add Eve", false), ("add Eve --first", true),
    ] {
      let copy = try #require(sandbox.bytes)
      let words =
        other.hasSuffix("Eve") && !isDone
        ? "section delete 1 --with-customers" : "delete 1-150"
      let (result, _) = try confirm(words, while: other, in: sandbox)
      #expect(result.code == (isDone ? 0 : 4), "\(other): \(result)")
      try sandbox.put(copy)
    }
  }

  @Test func `arrange deletes no customer that has changed since`() throws {
    let sandbox = try ConfirmedEditTests.withPeople()
    let editor = try sandbox.editor("sed -i 's/^@3/d @3/' \"$1\"")
    let (screen, code) = try sandbox.onTerminal(
      "arrange", "--color", "never", answers: ["y\n", "\u{4}"], environment: editor
    ) {
      try ConfirmedEditTests.run("edit @3 --note precious", in: sandbox)
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
    let result = try sandbox.run(
      words: ["columns", "drop", "Colors"], answers: ["y"],
      asked: { _ = try sandbox.sqlite("UPDATE customers SET extra = '{\"Colors\":\(value)}'") })
    #expect(
      result.code == 4 && result.errors.contains("now: column \"Colors\" has other values"), "\(result)")
    #expect(try sandbox.sqlite("SELECT extra FROM customers") == "{\"Colors\":\(value)}\n")
  }

  @Test func `a repair removes only the triggers that were shown`() throws {
    let sandbox = try CLISandbox.withLetters()
    func trigger(_ name: String) -> String {
      "CREATE TRIGGER \(name) AFTER UPDATE ON place BEGIN SELECT 1; END;"
    }
    _ = try sandbox.sqlite(trigger("theirs"))
    let another = trigger("another")
    let result = try sandbox.run(
      words: ["check", "--repair"], answers: ["y"], asked: { _ = try sandbox.sqlite(another) })
    #expect(result.code == 4 && result.errors.contains("another"), "\(result)")
    let kept = try sandbox.sqlite(
      "SELECT name FROM sqlite_schema WHERE name IN ('theirs', 'another') ORDER BY name")
    #expect(kept == "another\ntheirs\n")
  }

  @Test func `restore replaces only the list that was shown`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    let (result, isUntouched) = try confirm("restore copy", while: "add Eve", in: sandbox)
    #expect(result.code == 4 && result.errors.contains(Self.refusal) && isUntouched, "\(result)")
    #expect(try sandbox.order == "A B C D Eve | X Y")
  }
}
