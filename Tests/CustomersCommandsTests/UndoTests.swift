import CustomersTestSupport
import Foundation
import Testing

/// `customers undo --to`, `history STEP`, and steps of other people.
@Suite(.onThreads) struct UndoTests {
  @Test(arguments: try Transcript.sessions("Undo"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: [
    ["delete", "3"], ["delete", "2-4"], ["delete", "2-6"], ["merge", "1", "2"],
    ["section", "delete", "2", "--with-customers"],
  ])
  func `what was deleted, reverted, and deleted again by undo comes back`(words: [String]) throws {
    let sandbox = try CLISandbox.withLetters()
    let before = try sandbox.order
    #expect(try sandbox.run(words: words + ["-y", "-q"]) == .done())
    let after = try sandbox.order
    #expect(before != after)
    for _ in 1...2 {
      #expect(try sandbox.run("revert", "8", "-y", "-q") == .done())
      #expect(try sandbox.order == before)
      #expect(try sandbox.run("undo", "-q") == .done())
      #expect(try sandbox.order == after)
    }
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.order == before)
    #expect(try sandbox.run("undo", "--to", "0", "-q") == .done())
    #expect(try sandbox.order == "")
    while try sandbox.run("redo").errors.isEmpty {}
    #expect(try sandbox.order == before)
    try sandbox.expectSound()
  }

  @Test func `a step in full`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("move", "1-2", "--down", "2", "-q") == .done())
    #expect(try sandbox.run("edit", "C", "--phone", "1", "--note", "x", "-q") == .done())
    let moved = try sandbox.run("history", "8").withoutTimes.output
    #expect(moved.hasPrefix("Step 8  TIME  customers move  by "))
    #expect(moved.hasSuffix("\n  Moved \"A\" 1 → 3.\n  Moved \"B\" 2 → 4.\n"))
    let edited =
      "  Edited \"C\", row 1: phone, note.\n    phone: (empty) → \"1\"\n    note: (empty) → \"x\"\n"
    #expect(try sandbox.run("history", "9").output.hasSuffix(edited))
    let all = try jsonArray(sandbox.run("history", "--json").output)
    let one = try jsonObject(sandbox.run("history", "8", "--json").output)
    #expect(all[1] as NSDictionary == one as NSDictionary)
    #expect(
      try sandbox.run("history", "77")
        == .failed(3, "customers: there is no step 77\nhint: to list the steps: customers history"))
  }

  @Test func `there is no way to a step that was never made`() throws {
    let sandbox = try CLISandbox()
    for name in ["A", "B", "C"] { #expect(try sandbox.run("add", name, "-q") == .done()) }
    for step in ["4", "5", "6", "7", "99"] {
      for command in ["undo", "redo"] {
        #expect(
          try sandbox.expectUntouched { try sandbox.run(command, "--to", step) }
            == .failed(3, "customers: there is no step \(step)\nhint: to list the steps: customers history"))
      }
    }
    #expect(try sandbox.run("redo", "--to", "0").code == 3)
  }

  @Test func `times are local times`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite("UPDATE history_step SET at = '2026-06-30T22:30:00.123Z'")
    for (zone, time) in [("UTC", "2026-06-30 22:30:00"), ("XYZ-2", "2026-07-01 00:30:00")] {
      let shown = try sandbox.shell("TZ=\(zone) \"$CUSTOMERS\" history --limit 1").output
      #expect(shown.contains("  \(time)  "))
    }
    #expect(try sandbox.run("history", "--json").output.contains("2026-06-30T22:30:00.123Z"))
  }

  @Test func `one edit is reported alike by a command, a script, a batch, the history, and undo`() throws {
    let lines = [
      "add Eve --first", "edit 2 --note x --phone 1", "delete 1,3 -y", "move 1 3", "move 1 5",
      "move 2-3 --up",
      "swap 1 2", "swap 1 6", "protect 1 --no-move", "sort --by name --descending -y", "section add New",
      "section rename More Less", "section rename More --footer f", "section move More 1",
      "section delete More --with-customers -y",
    ]
    let batched = [
      "add Eve --at 1", "delete 1,3", "edit 2 --note x --phone 1", "move 1 --to 3",
    ]
    for line in sampled(lines + batched, oneIn: 9) {
      func changes(_ run: (CLISandbox) throws -> ProcessResult) throws -> NSArray {
        let sandbox = try CLISandbox.withLetters()
        let result = try run(sandbox)
        try #require(result.code == 0, "\(line): \(result.errors)")
        let answer = try jsonObject(result.output)
        let told = try #require(answer["changes"] as? NSArray, "\(line): \(answer)")
        let step = try #require(answer["undo"] as? Int)
        let history = try jsonObject(sandbox.run("history", "\(step)", "--json").output)
        let changes = try #require(history["changes"] as? [[String: Any]])
        // Only the history has the customer before the edit.
        #expect(changes.map { $0.filter { $0.key != "before" } } as NSArray == told, "\(line)")
        #expect(try sandbox.run("undo", "-q") == .done())
        let redone = try jsonObject(sandbox.run("redo", "--json").output)
        let steps = try #require(redone["steps"] as? [[String: Any]])
        #expect(steps.first?["changes"] as? NSArray == told, "\(line)")
        return told
      }
      let words = line.split(separator: " ").map(String.init)
      let script = try changes { try $0.run("apply", "-", "--json", stdin: line + "\n") }
      if lines.contains(line) {
        #expect(try changes { try $0.run(words: words + ["--json"]) } == script, "\(line)")
      }
      if batched.contains(line) || line.hasPrefix("add") {
        let place = line.hasPrefix("add") || line.contains("--to") ? " --section customers" : ""
        let batch = "begin\n\(line.replacing("--first", with: "--at 1"))\(place)\nend\n"
        #expect(try changes { try $0.run("apply", "-", "--json", stdin: batch) } == script, "\(line)")
      }
    }
  }
}
