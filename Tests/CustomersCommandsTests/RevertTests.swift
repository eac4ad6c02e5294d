import CustomersTestSupport
import Foundation
import Testing

/// `customers revert STEP`, `history STEP` and `history ROW`.
@Suite(.onThreads) struct RevertTests {
  @Test(arguments: try Transcript.sessions("Revert"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  /// The step that a command makes.
  private func step(_ sandbox: CLISandbox, _ words: String...) throws -> String {
    let answer = try sandbox.run(words: words + ["--json"])
    #expect(answer.code == 0, "\(words) \(answer)")
    return String(try #require(try jsonObject(answer.output)["undo"] as? Int))
  }

  @Test func `the history of a step has old and new values, and the fields of who was deleted`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "C", "--note", "old", "--set", "Club=Bonn", "-q") == .done())
    let edit = try step(sandbox, "edit", "C", "--note", "new", "--set", "Club=")
    let delete = try step(sandbox, "delete", "C", "A", "-y")
    let lines = try sandbox.run("history", edit).output
    #expect(
      lines.hasSuffix(
        "  Edited \"C\", row 3: note, Club.\n    note: \"old\" → \"new\"\n    Club: \"Bonn\" → (empty)\n"),
      "\(lines)")
    let deleted = try sandbox.run("history", delete).output
    #expect(
      deleted.hasSuffix(
        "  Deleted \"A\", row 1.\n    first name: A\n  Deleted \"C\", row 3.\n    first name: C\n    note: new\n"
      ),
      "\(deleted)")
    let json = try jsonObject(sandbox.run("history", edit, "--json").output)
    let change = try #require((json["changes"] as? [[String: Any]])?.first)
    let (before, after) = (change["before"] as? [String: Any], change["customer"] as? [String: Any])
    #expect(before?["note"] as? String == "old" && after?["note"] as? String == "new")
    #expect(before?["extra"] as? [String: String] == ["Club": "Bonn"])
    // Only there.
    #expect(try !sandbox.run("history", "--json").output.contains("\"before\""))
    #expect(try !sandbox.run("undo", "--json", "-n").output.contains("\"before\""))
  }

  @Test func `the history of a customer has its steps, even if it is deleted`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "1-3", "--note", "x", "-q") == .done())
    #expect(try sandbox.run("move", "B", "1", "-q") == .done())
    #expect(try sandbox.run("edit", "A", "--note", "y", "-q") == .done())
    #expect(try sandbox.run("delete", "B", "-y", "-q") == .done())
    let lines = try sandbox.run("history", "@2").output.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(
      lines == [
        "  Deleted \"B\", row 1.", "    first name: B", "    note: x", "  Moved \"B\" 2 → 1.",
        "  Edited \"B\", row 2: note.", "    note: (empty) → \"x\"", "  Added \"B\" as row 2.",
      ])
    #expect(try sandbox.run("history", "A") == sandbox.run("history", "@1"))
    #expect(try sandbox.run("history", "#1") == sandbox.run("history", "@1"))
    let steps = try jsonArray(sandbox.run("history", "@2", "--json").output)
    #expect(steps.count == 4)
    #expect(try sandbox.run("history", "@99").code == 3)
    #expect(try sandbox.run("history", "Nobody").code == 3)
  }

  @Test func `a number from before its column had numbers, which may be two, does not come back`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("Name;Sum\nAnn;1.200\nBob;2.300\n", to: "sums.csv")
    #expect(try sandbox.run("import", "sums.csv", "-q", "--yes").code == 0)
    let edit = try step(sandbox, "edit", "1", "--set", "Sum=1000")
    #expect(try sandbox.run("columns", "kind", "Sum", "1.234,5", "-q") == .done())
    let refused = try sandbox.expectUntouched { try sandbox.run("revert", edit) }
    #expect(
      refused.code == 4 && refused.errors.contains("\"Sum\" that is not clearly a number"), "\(refused)")
    // One that was a number already is what it was.
    #expect(try sandbox.run("edit", "2", "--set", "Sum=1.25", "-q") == .done())
    let later = try step(sandbox, "edit", "2", "--set", "Sum=8")
    #expect(try sandbox.run("add", "Cid", "-q") == .done())
    #expect(try sandbox.run("revert", later, "-q") == .done())
    #expect(try sandbox.run("list", "--template", "{Sum};").output == "1000;1.25;;")
  }

  @Test func `values come back under the names that their columns have since`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "A", "B", "--set", "X=1", "--set", "Y=2", "-q") == .done())
    let delete = try step(sandbox, "delete", "A", "-y")
    for names in [["X", "T"], ["Y", "X"], ["T", "Y"]] {
      #expect(try sandbox.run(words: ["columns", "rename"] + names + ["-q"]) == .done())
    }
    let empty = try step(sandbox, "edit", "B", "--set", "X=")
    #expect(try sandbox.run("columns", "rename", "X", "Z", "-q").code == 3)
    #expect(try sandbox.run("edit", "C", "--set", "X=3", "-q") == .done())
    #expect(try sandbox.run("columns", "rename", "X", "Z", "-q") == .done())
    for step in [delete, empty] { #expect(try sandbox.run("revert", step, "-q") == .done()) }
    let now = try jsonArray(sandbox.run("list", "--json").output).map { $0["extra"] as? [String: String] }
    #expect(now == [["Y": "1", "Z": "2"], ["Y": "1", "Z": "2"], ["Z": "3"], [:], [:], [:]])
    for _ in 1...2 { #expect(try sandbox.run("undo", "-q") == .done()) }
    #expect(try sandbox.run("list", "--template", "{name}{Y}{Z};").output.hasPrefix("B1;C3;D;"))
    #expect(try sandbox.run("check").code == 0)
  }

  @Test func `a name that is taken keeps no other value under its old name`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "A", "--set", "K=1", "--set", "L=2", "--set", "X=3", "-q") == .done())
    #expect(try sandbox.run("edit", "B", "--set", "K=1", "--set", "X=3", "-q") == .done())
    let delete = try step(sandbox, "delete", "A", "-y")
    for names in [["X", "Y"], ["K", "L"]] {
      #expect(try sandbox.run(words: ["columns", "rename"] + names + ["-q"]) == .done())
    }
    #expect(try sandbox.run("revert", delete, "-q") == .done())
    let now = try jsonArray(sandbox.run("list", "--json").output).map { $0["extra"] as? [String: String] }
    #expect(now.prefix(2) == [["K": "1", "L": "2", "Y": "3"], ["L": "1", "Y": "3"]])
  }
}
