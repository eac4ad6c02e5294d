import CustomersTestSupport
import Testing

/// `customers undo`, `redo`, and `history`, whole outputs; only the times are left out.
@Suite(.onThreads) struct HistoryTests {
  @Test(arguments: try Transcript.sessions("History"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a step has the name of its user even if the environment does not`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.spawn("add", "Ann", "-q") == .done())
    let name = try sandbox.shell("id -un").output.dropLast()
    #expect(try sandbox.run("history", "--json").output.contains("\"user\":\"\(name)\""))
  }

  @Test func `history shows the steps of all programs, and marks undone ones`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("import", "-", "-q", stdin: "name\nA\nB\nC\nD\nE\n") == .done())
    #expect(try sandbox.run("move", "5", "1", "-q") == .done())
    #expect(try sandbox.sqlite("UPDATE customers SET note = 'x' WHERE id < 5") == "")
    #expect(try sandbox.run("undo", "-q", "-y") == .done())
    #expect(try sandbox.run("delete", "1", "-y", "-q") == .done())
    #expect(try sandbox.run("undo", "-q") == .done())
    let edited = #"Edited note of 4 customers: "A", "B", "C", … 1 more."#
    let shown = """
      6  TIME  customers delete (undo)            Restored "E" as row 1.
      5  TIME  customers delete (undone)          Deleted "E", row 1.
      4  TIME  customers (undo)                   \(edited)
      3  TIME  another program (undone, no redo)  \(edited)
      2  TIME  customers move                     Moved "E" 5 → 1.
      1  TIME  customers import                   Added 5 customers as rows 1–5: "A", "B", "C", … 2 more.
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

  @Test func `the history of a row has it even if its section came in the same step`() throws {
    let sandbox = try CLISandbox.withLetters()
    let script = "section add New\nadd Eve --to New/last\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script) == .done())
    let history = try sandbox.run("history", "New/1")
    #expect(history.output.hasSuffix("\n  Added \"Eve\" as row 7.\n"), "\(history)")
  }

  @Test func `a row that moved among others and is where it was has no arrow`() throws {
    let sandbox = try CLISandbox.withLetters()
    let made = try sandbox.run("apply", "-", stdin: "add Eve --to 1\nmove 5 4\n")
    #expect(made.output.contains("Moved \"D\" to row 4.\n"), "\(made)")
  }

  @Test func `a report has the lines of an address, and not its parts again`() throws {
    let sandbox = try CLISandbox.withLetters()
    let set = { (city: String) in
      try sandbox.run("edit", "1", "--set", "Street=Main St 1", "--set", "City=\(city)")
    }
    #expect(try set("Bonn").code == 0)
    #expect(try set("Ulm").output == "Edited \"A\", row 1: address.\n")
    let history = try sandbox.run("history", "#1").output
    #expect(history.contains("\n    address: \"Main St 1\\nBonn\" → \"Main St 1\\nUlm\"\n"), "\(history)")
    #expect(!history.contains("parts"))
  }
}
