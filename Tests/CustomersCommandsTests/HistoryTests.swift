import CustomersTestSupport
import Testing

/// `customers undo`, `redo`, and `history`, whole outputs; only the times are left out.
@Suite(.onThreads) struct HistoryTests {
  @Test func `a step has the name of its user even if the environment does not`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.spawn("add", "Ann", "-q") == .done())
    let name = try sandbox.shell("id -un").output.dropLast()
    #expect(try sandbox.run("history", "--json").output.contains("\"user\":\"\(name)\""))
  }

  @Test func `an empty history says so, and a list of no rows does not blame the question`() throws {
    let sandbox = try CLISandbox()
    let usual = CLISandbox.usualPlace
    #expect(try sandbox.run("history", environment: usual) == .done(errors: "The history is empty."))
    #expect(try sandbox.run("history", "-q", environment: usual) == .done())
    #expect(try sandbox.run("history", "--limit", "0", environment: usual) == .done())
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
    #expect(try sandbox.run("list", "--where", "name~ann", "--limit", "0").errors == "")
  }

  @Test func `having nothing to undo is not a failure, and creates no file`() throws {
    let sandbox = try CLISandbox()
    // Only for the default file; a named file must exist.
    func run(_ words: String...) throws -> ProcessResult {
      try sandbox.run(words: words, environment: ["CUSTOMERS_DB": ""])
    }
    for name in ["undo", "redo"] {
      #expect(try run(name) == .done(errors: "There is nothing to \(name)."))
      #expect(try run(name, "-q") == .done())
      #expect(try run(name, "--steps", "3", "--json") == .done(#"{"op":"\#(name)","steps":[]}"#))
      #expect(try run(name, "-n") == .done(errors: "There is nothing to \(name)."))
    }
    #expect(try run("history") == .done(errors: "The history is empty."))
    #expect(try run("history", "--json") == .done("[]"))
    #expect(try sandbox.names == [])
  }

  @Test func `undo and redo, a step and several`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("move", "4", "1", "-q") == .done())
    #expect(try sandbox.run("delete", "2", "3", "-y", "-q") == .done())
    #expect(try sandbox.order == "D C | X Y")
    let undid = #"Undid delete: restored "A" as row 2; restored "B" as row 3.  (customers redo)"#
    let dry = try sandbox.expectUntouched { try sandbox.run("undo", "-n") }
    #expect(dry == .done(#"Would undo delete: restore "A" as row 2; restore "B" as row 3."#))
    #expect(try sandbox.run("undo") == .done(undid))
    #expect(try sandbox.order == "D A B C | X Y")
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.order == "A B C D | X Y")
    let again = """
      Redid move: moved "D" 4 → 1.  (customers undo)
      Redid delete: deleted "A", row 2; deleted "B", row 3.  (customers undo)
      """
    let rehearsal = try sandbox.expectUntouched { try sandbox.run("redo", "--steps", "9", "--dry-run") }
    #expect(rehearsal.output.split(separator: "\n").count == 2)
    #expect(try sandbox.run("redo", "--steps", "9") == .done(again))
    #expect(try sandbox.order == "D C | X Y")
    #expect(try sandbox.run("redo") == .done(errors: "There is nothing to redo."))
    let back = """
      \(undid)
      Undid move: moved "D" 1 → 4.  (customers redo)
      """
    #expect(try sandbox.run("undo", "--steps", "2") == .done(back))
    // After another edit, the undone steps can't be redone.
    #expect(try sandbox.run("add", "E", "-q") == .done())
    #expect(try sandbox.run("redo") == .done(errors: "There is nothing to redo."))
    #expect(try sandbox.order == "A B C D E | X Y")
    #expect(try sandbox.run("undo", "--steps", "99").output.split(separator: "\n").count == 8)
    #expect(try sandbox.order == "")
    #expect(try sandbox.run("undo").code == 0)
    try sandbox.expectSound()
  }

  @Test func `the answer in json`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("move", "4", "1", "-q") == .done())
    let step = """
      {"op":"undo","steps":[{"step":8,"time":"TIME","program":"customers","user":"USER","host":"HOST",\
      "action":"move","kind":"edit","state":"undone","edit_count":1,\
      "changes":[{"op":"move","id":4,"name":"D","from":{"section":1,"order":1,"position":1},\
      "to":{"section":1,"order":4,"position":4}}]}]
      """
    let dry = try sandbox.expectUntouched { try sandbox.run("undo", "--json", "-n") }
    #expect(dry.withoutTimes == .done(step + #","dry_run":true}"#))
    #expect(try sandbox.run("undo", "--json").withoutTimes == .done(step + "}"))
    let redone = try jsonObject(try sandbox.run("redo", "--json").output)
    let steps = try #require(redone["steps"] as? [[String: Any]])
    #expect(steps.map { $0["state"] as? String } == ["done"])
    let changes = steps.flatMap { $0["changes"] as? [[String: Any]] ?? [] }
    let places = changes.map { [$0["from"], $0["to"]].map { ($0 as? [String: Any])?["position"] as? Int } }
    #expect(places == [[4, 1]])
  }

  @Test func `history shows the steps of all programs, and marks undone ones`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("import", "-", "-q", stdin: "name\nA\nB\nC\nD\nE\n") == .done())
    #expect(try sandbox.run("move", "5", "1", "-q") == .done())
    #expect(try sandbox.sqlite("UPDATE customers SET note = 'x' WHERE id < 5") == "")
    #expect(try sandbox.run("undo", "-q", "-y") == .done())
    #expect(try sandbox.run("delete", "1", "-y", "-q") == .done())
    #expect(try sandbox.run("undo", "-q") == .done())
    let edited =
      #"Edited "A", row 2: note; edited "B", row 3: note; edited "C", row 4: note; edited "D", row 5: note."#
    let shown = """
      6  TIME  customers delete (undo)            Restored "E" as row 1.
      5  TIME  customers delete (undone)          Deleted "E", row 1.
      4  TIME  customers (undo)                   \(edited)
      3  TIME  another program (undone, no redo)  \(edited)
      2  TIME  customers move                     Moved "E" 5 → 1.
      1  TIME  customers import                   Added "A" as row 1; added "B" as row 2; added "C" as row 3; … 2 more.
      """
    #expect(try sandbox.run("history").withoutTimes == .done(shown))
    let latest = """
      6  TIME  customers delete (undo)    Restored "E" as row 1.
      5  TIME  customers delete (undone)  Deleted "E", row 1.
      """
    #expect(try sandbox.run("history", "--limit", "2").withoutTimes == .done(latest))
    let json = """
      [{"step":6,"time":"TIME","program":"customers","user":"USER","host":"HOST","action":"delete",\
      "kind":"undo","state":"done","edit_count":1,"changes":[{"op":"add","id":5,"name":"E",\
      "to":{"section":1,"order":1,"position":1},"customer":RECORD}]}]
      """
    let record = try sandbox.run("show", "1", "--json").output.dropLast()
    #expect(
      try sandbox.run("history", "--limit", "1", "--json").withoutTimes
        == .done(json.replacing("RECORD", with: record)))
    let all = try jsonArray(try sandbox.run("history", "--json").output)
    #expect(
      all.map { $0["state"] as? String } == ["done", "undone", "done", "dropped", "done", "done"])
    #expect((all[3]["changes"] as? [Any])?.count == 4)
  }

  @Test func `an invalid number of steps is refused`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched { () throws in
      #expect(
        try sandbox.run("undo", "--steps", "x")
          == .failed(2, "customers: --steps must be a whole number, not \"x\""))
      #expect(try sandbox.run("redo", "--steps", "-1").code == 2)
      #expect(
        try sandbox.run("undo", "1")
          == .failed(2, "customers: undo: too many arguments\nhint: customers undo [--steps K | --to STEP]"))
      #expect(try sandbox.run("history", "--limit", "many").code == 2)
    }
  }

  @Test func `a step is not undone if another client has moved its rows since`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("move", "4", "1", "-q") == .done())
    _ = try sandbox.sqlite("UPDATE place SET customer = 5 - customer WHERE customer IN (1, 4)")
    try sandbox.expectUntouched { () throws in
      let refused = try sandbox.run("undo")
      #expect(refused.code == 4 && refused.output == "")
      #expect(
        refused.errors.hasPrefix(
          """
          customers: "D" (row 2) is not where step 8 left it, because a program wrote to the internal tables
          hint: to look for damage: customers check
          """))
    }
  }
}
