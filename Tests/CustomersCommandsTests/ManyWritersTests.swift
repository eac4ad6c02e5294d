import Foundation
import Synchronization
import CustomersTestSupport
import Testing

/// Ten writers, readers, and two watchers on one list, which is a large one in the long form.
@Suite(.serialized, .onThreads) struct ManyWritersTests {
  @Test func `no edit fails or is lost, and each watcher ends with the whole list`() throws {
    let sandbox = try CLISandbox()
    let rows = isLong ? 100_000 : 200
    let names = "name\n" + (1...rows).map { "Row\($0)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: names) == .done())
    _ = try sandbox.sqlite("UPDATE history_limit SET steps = 1000000, bytes = 1000000000")
    let edits = isLong ? 1000 : 4
    var watchers = try [Follower(sandbox), Follower(sandbox)]
    let writersLeft = Mutex(10)
    // The last one's reader takes a little only, and waits.
    let slowly =
      "{ customers list --format json; echo $? > ../code; } | { sleep 1; tail -n 1; }; exit $(cat ../code)"
    let readings = [
      "customers list --json -q", "customers list --json -q", "customers check --digest", slowly,
    ]
    let reports = try concurrently(isLong ? 14 : 12) { number -> (failures: [String], longest: Duration) in
      var (failures, longest) = ([String](), Duration.zero)
      func note(_ result: ProcessResult, ifNot isRight: Bool) {
        if !isRight { failures.append("\(number): code \(result.code), \(result.errors)") }
      }
      if number < 10 {
        for edit in 1...edits {
          let move = ["move", "@\(Int.random(in: 1...200))", "\(Int.random(in: 1...200))", "-q"]
          let start = ContinuousClock.now
          let result = try sandbox.spawn(
            words: edit % 4 == 0 ? ["add", "New\(number)x\(edit)", "--at", "5", "-q"] : move)
          longest = max(longest, .now - start)
          note(result, ifNot: result == .done())
        }
        writersLeft.withLock { $0 -= 1 }
      } else {
        while writersLeft.withLock({ $0 }) > 0 {
          let result = try sandbox.shell(readings[number - 10])
          // Who waits for a second says so.
          note(result, ifNot: result.code == 0 && !result.errors.contains("customers:"))
        }
      }
      return (failures, longest)
    }
    #expect(reports.flatMap(\.failures).isEmpty)
    print(
      "10 processes × \(edits) edits of \(rows) rows, beside readers and 2 watchers: the longest took "
        + "\(reports.map(\.longest).max() ?? .zero)"
    )
    #expect(try sandbox.run("add", "The last one", "-q") == .done())
    let list = try jsonArray(sandbox.run("list", "--json").output)
    #expect(list.count == rows + 1 + 10 * (edits / 4))
    let sections = try jsonArray(sandbox.run("section", "list", "--json").output)
    for index in watchers.indices {
      try watchers[index].follow(toInsertOf: "The last one")
      try watchers[index].end()
      #expect(try watchers[index].copy == ListCopy(sections, list))
    }
    try sandbox.expectSound()
  }
}
