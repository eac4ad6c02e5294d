import CustomersTestSupport
import Foundation
import Testing

/// `customers revert STEP`, `history STEP` and `history ROW`.
@Suite(.onThreads) struct RevertTests {
  /// The step that a command makes.
  private func step(_ sandbox: CLISandbox, _ words: String...) throws -> String {
    let answer = try sandbox.run(words: words + ["--json"])
    #expect(answer.code == 0, "\(words) \(answer)")
    return String(try #require(try jsonObject(answer.output)["undo"] as? Int))
  }

  @Test func `one earlier step is undone, and what was done since stays`() throws {
    let sandbox = try CLISandbox.withLetters()
    let steps = [
      try step(sandbox, "delete", "2", "-y"), try step(sandbox, "edit", "A", "--note", "x"),
      try step(sandbox, "move", "D", "1"), try step(sandbox, "section", "rename", "more", "Last"),
      try step(sandbox, "edit", "A", "--phone", "5", "--set", "City=Bonn"), try step(sandbox, "add", "E"),
    ]
    #expect(try sandbox.order == "D A C E | X Y")
    let would = try sandbox.expectUntouched { try sandbox.run("revert", steps[0], "-n") }
    #expect(would == .done("Would add \"B\" as row 2."))
    #expect(try sandbox.run("revert", steps[0]) == .done("Added \"B\" as row 2."))
    #expect(try sandbox.run("revert", steps[1]) == .done("Edited \"A\", row 3: note."))
    #expect(try sandbox.run("revert", steps[2]).output.hasPrefix("Moved \"D\" 1 → "))
    #expect(try sandbox.run("revert", steps[3]) == .done("Renamed section \"Last\" → \"More\"."))
    #expect(try sandbox.run("revert", steps[4]) == .done("Edited \"A\", row 2: phone, City."))
    #expect(try sandbox.run("revert", steps[5]) == .done("Deleted \"E\", row 5."))
    #expect(try sandbox.run("list", "--where", "note!=", "--count").output == "0\n")
    // Each is a step that can be undone, and reverted itself.
    #expect(try sandbox.run("undo", "--steps", "6", "-q").code == 0)
    #expect(try sandbox.order == "D A C E | X Y")
    try sandbox.expectSound()
  }

  @Test func `what later steps changed is refused, and the rows are named`() throws {
    let sandbox = try CLISandbox.withLetters()
    let edit = try step(sandbox, "edit", "A", "B", "--note", "x")
    let move = try step(sandbox, "move", "C", "1")
    let add = try step(sandbox, "add", "E")
    let section = try step(sandbox, "section", "add", "New")
    let other = try step(sandbox, "edit", "B", "--note", "y")
    #expect(try sandbox.run("move", "C", "3", "-q") == .done())
    #expect(try sandbox.run("delete", "E", "-y", "-q") == .done())
    #expect(try sandbox.run("add", "F", "-s", "New", "-q") == .done())
    try sandbox.expectUntouched { () throws in
      let refused = """
        customers: later steps changed rows of step \(edit); nothing was changed
             2  @2  B
        hint: to see what was done since: customers history @2
        """
      #expect(try sandbox.run("revert", edit) == .failed(4, refused))
      #expect(try sandbox.run("revert", move).errors.contains("     3  @3  C\n"))
      #expect(try sandbox.run("revert", add).errors.contains("     –  @7  (deleted)\n"))
      #expect(try sandbox.run("revert", section).errors.contains("later steps changed sections"))
      #expect(try sandbox.run("revert", "99").code == 3)
      #expect(try sandbox.run("revert", "x").code == 2)
    }
    // A deletion that was reverted already.
    let deletion = try step(sandbox, "delete", "A", "-y")
    #expect(try sandbox.run("revert", deletion, "-q") == .done())
    try sandbox.expectUntouched { () throws in
      let refused = try sandbox.run("revert", deletion)
      #expect(refused.code == 4 && refused.errors.contains("later steps changed rows of step"))
    }
    // A later step that was undone is none.
    #expect(try sandbox.run("undo", "--to", section, "-q").code == 0)
    #expect(try sandbox.run("revert", other).code == 4)
    #expect(try sandbox.run("revert", edit, "-q").code == 0)
    #expect(try sandbox.run("list", "--where", "note!=", "--count").output == "0\n")
  }

  @Test func `extra columns are compared one by one, and so are other contacts and tags`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "B", "--set", "City=Bonn", "--set", "Fax=1", "-q") == .done())
    let contacts = try step(sandbox, "edit", "B", "--other-contacts", "phone: 1")
    let city = try step(sandbox, "edit", "B", "--set", "City=Rome", "--set", "New=x")
    let protect = try step(sandbox, "edit", "B", "--tags", "vip", "--set", "Fax=2")
    #expect(try sandbox.run("columns", "rename", "Fax", "Telefax", "-q") == .done())
    #expect(try sandbox.run("protect", "B", "--no-edit", "-q") == .done())
    func columns() throws -> [String: String]? {
      try jsonObject(sandbox.run("show", "B", "--json").output)["extra"] as? [String: String]
    }
    #expect(try sandbox.run("revert", contacts) == .done("Edited \"B\", row 2: other contacts."))
    #expect(try sandbox.run("revert", city) == .done("Edited \"B\", row 2: City, New."))
    #expect(try columns() == ["City": "Bonn", "Telefax": "2"])
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try columns() == ["City": "Rome", "New": "x", "Telefax": "2"])
    #expect(try sandbox.run("redo", "-q") == .done())
    try sandbox.expectUntouched { () throws in
      // The column has another name since.
      #expect(try sandbox.run("revert", protect).code == 4)
      #expect(try sandbox.run("revert", city).code == 4)
    }
    try sandbox.expectSound()
  }

  @Test func `a string that is no object is reverted whole or not at all`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite("UPDATE customers SET extra = 'hello' WHERE id = 2")
    let edit = try step(sandbox, "edit", "B", "--set", "City=Rome")
    let later = try step(sandbox, "edit", "B", "--set", "Fax=1")
    try sandbox.expectUntouched { () throws in #expect(try sandbox.run("revert", edit).code == 4) }
    #expect(try sandbox.run("revert", later, "-q") == .done())
    #expect(try sandbox.run("undo", "--steps", "2", "-y", "-q") == .done())
    #expect(try sandbox.run("revert", edit, "-q") == .done())
    #expect(try sandbox.sqlite("SELECT extra FROM customers WHERE id = 2") == "hello\n")
  }

  @Test func `a step by another program is reverted only after a question`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite("UPDATE customers SET note = 'x' WHERE id = 2")
    let number = try #require(
      try sandbox.run("history", "--limit", "1").output.split(separator: " ").first.map(String.init))
    #expect(try sandbox.run("edit", "3", "--note", "y", "-q") == .done())
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("revert", number).code == 4)
      #expect(try sandbox.run(words: ["revert", number], answers: ["n"]).code == 5)
    }
    let done = try sandbox.run(words: ["revert", number], answers: ["y"])
    #expect(done.code == 0 && done.errors.hasPrefix("Would edit \"B\", row 2: note.\n"), "\(done)")
  }

  @Test func `the history of a step has old and new values, and the fields of who was deleted`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "C", "--note", "old", "--set", "City=Bonn", "-q") == .done())
    let edit = try step(sandbox, "edit", "C", "--note", "new", "--set", "City=")
    let delete = try step(sandbox, "delete", "C", "A", "-y")
    let lines = try sandbox.run("history", edit).output
    #expect(
      lines.hasSuffix(
        "  Edited \"C\", row 3: note, City.\n    note: \"old\" → \"new\"\n    City: \"Bonn\" → (empty)\n"),
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
    #expect(before?["extra"] as? [String: String] == ["City": "Bonn"])
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
    #expect(try sandbox.run("history", "@99") == .done(errors: "The history has no step of this customer."))
    #expect(try sandbox.run("history", "Nobody").code == 3)
  }
}
