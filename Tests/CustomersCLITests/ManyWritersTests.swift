import Foundation
import Synchronization
import CustomersTestSupport
import Testing

/// Ten writers, two readers and two watchers on one list.
@Suite(.serialized) struct ManyWritersTests {
  @Test func `no edit fails or is lost, and each watcher ends with the whole list`() throws {
    let sandbox = try CLISandbox()
    let names = "name\n" + (1...200).map { "Row\($0)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: names) == .done())
    _ = try sandbox.sqlite("UPDATE history_limit SET steps = 1000000, bytes = 1000000000")
    let edits = isLong ? 1000 : 12
    var watchers = try [Follower(sandbox), Follower(sandbox)]
    let writersLeft = Mutex(10)
    let reports = try concurrently(12) { number -> (failures: [String], longest: Duration) in
      var (failures, longest) = ([String](), Duration.zero)
      func run(_ words: [String], _ isRight: (ProcessResult) -> Bool) throws {
        let start = ContinuousClock.now
        let result = try sandbox.spawn(words: words)
        longest = max(longest, .now - start)
        if !isRight(result) { failures.append("\(words): code \(result.code), \(result.errors)") }
      }
      if number < 10 {
        for edit in 1...edits {
          let move = ["move", "@\(Int.random(in: 1...200))", "\(Int.random(in: 1...200))", "-q"]
          try run(edit % 4 == 0 ? ["add", "New\(number)x\(edit)", "--at", "5", "-q"] : move) { $0 == .done() }
        }
        writersLeft.withLock { $0 -= 1 }
      } else {
        while writersLeft.withLock({ $0 }) > 0 {
          // Each sees one state: as many rows as the section counts.
          try run(["list", "--json", "-q"]) { result in
            result.code == 0 && result.errors.isEmpty && result.output.hasSuffix("]\n")
          }
        }
      }
      return (failures, longest)
    }
    #expect(reports.flatMap(\.failures).isEmpty)
    print(
      "10 processes × \(edits) edits, 2 readers, 2 watchers: the longest took \(reports.map(\.longest).max() ?? .zero)"
    )
    #expect(try sandbox.run("add", "The last one", "-q") == .done())
    let list = try jsonArray(sandbox.run("list", "--json").output)
    #expect(list.count == 201 + 10 * (edits / 4))
    let sections = try jsonArray(sandbox.run("section", "list", "--json").output)
    for index in watchers.indices {
      try watchers[index].follow(toInsertOf: "The last one")
      try watchers[index].end()
      #expect(try watchers[index].copy == ListCopy(sections, list))
    }
    try sandbox.expectSound()
  }
}
