import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// Many processes on one file at the same moment.
@Suite(.serialized, .onThreads) struct CrowdTests {
  /// The observations of one writer.
  private struct Report: Sendable {
    var failures: [String] = []
    var longestWait = Duration.zero
  }

  @Test func `eight writers at once lose nothing, and none is refused`() throws {
    let sandbox = try CLISandbox()
    let names = "name\n" + (1...100).map { "Row\($0)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: names) == .done())
    let edits = isLong ? 200 : 3
    let reports = try concurrently(8) { writer in
      var report = Report()
      for number in 1...edits {
        // One process for each edit; now and then a new customer, which must be there at the end.
        let move = ["move", "@\(Int.random(in: 1...100))", "\(Int.random(in: 1...100))", "-q"]
        let words = number % 10 == 0 ? ["add", "New\(writer)x\(number)", "--at", "5", "-q"] : move
        let start = ContinuousClock.now
        let result = try sandbox.spawn(words: words)
        report.longestWait = max(report.longestWait, .now - start)
        if result != .done() { report.failures.append("\(words): \(result)") }
      }
      return report
    }
    #expect(reports.flatMap(\.failures).isEmpty)
    let longest = reports.map(\.longestWait).max() ?? .zero
    print("8 writers × \(edits) edits: the longest single one took \(longest)")
    let added = 8 * (edits / 10)
    #expect(
      try sandbox.sqlite("SELECT count(*), count(DISTINCT id) FROM customers")
        == "\(100 + added)|\(100 + added)\n")
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name LIKE 'New%'") == "\(added)\n")
    try sandbox.expectSound()
    #expect(try sandbox.names == ["customers.sqlite"])
  }

  @Test func `ten processes can create one missing file at once`() throws {
    let sandbox = try CLISandbox()
    for round in 1...(isLong ? 100 : 1) {
      let results = try concurrently(10) { number in
        // One of them only looks; it may find no file yet, or one into which nothing is written yet.
        let words = number == 9 ? ["list", "-q"] : ["add", "N\(number)", "-q"]
        var result = try sandbox.spawn(words: words)
        // On a busy machine one may wait longer than ten seconds; then it has changed nothing.
        while result.errors.contains("has locked the list") { result = try sandbox.spawn(words: words) }
        return (isReader: number == 9, result: result)
      }
      let missing = ["no such file", "the file is empty"].map { reason in
        ProcessResult.failed(3, "customers: can't open \"\(sandbox.file)\": \(reason)")
      }
      for (isReader, result) in results where !(isReader && missing.contains(result)) {
        #expect(result.code == 0 && result.errors.isEmpty, "round \(round): \(result)")
      }
      #expect(
        try sandbox.sqlite("SELECT count(DISTINCT first_name), max(\"order\") FROM customers") == "9|9\n")
      try sandbox.expectSound()
      try FileManager.default.removeItem(atPath: sandbox.file)
    }
  }

  @Test func `a killed writer does not block others`() throws {
    let sandbox = try CLISandbox.withLetters()
    let results = try concurrently(4) { writer in
      try (1...(isLong ? 50 : 4)).map { number -> ProcessResult in
        guard writer == 0 else { return try sandbox.spawn("move", "@\(writer)", "\(number % 4 + 1)", "-q") }
        let started = try sandbox.start([CLISandbox.program, "move", "X", "1", "-q"])
        let process = try started.spawn.start()
        usleep(UInt32.random(in: 0...8000))
        kill(process, SIGKILL)
        _ = Spawn.wait(process)
        return .done()
      }
    }
    #expect(results.flatMap { $0 }.filter { $0 != .done() }.isEmpty)
    try sandbox.expectSound()
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers") == "6\n")
  }

  @Test func `a pull gets through beside a program that never stops editing`() throws {
    let sandbox = try CLISandbox()
    let names = "name,phone\n" + (1...600).map { "Row\($0),1\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: names) == .done())
    let copy = sandbox.folder + "/copy.sqlite"
    #expect(try sandbox.run("backup", copy, "-q") == .done())
    _ = try OtherClient.run("UPDATE customers SET phone = '2'", on: copy)
    let isPulled = Mutex(false)
    let results = try concurrently(2) { number -> ProcessResult in
      guard number == 0 else {
        defer { isPulled.withLock { $0 = true } }
        return try sandbox.spawn("pull", copy, "-q")
      }
      var edits = 0
      while !isPulled.withLock({ $0 }) {
        edits += 1
        _ = try OtherClient.run(
          "UPDATE customers SET \"order\" = 1 WHERE id = \(edits % 600 + 1)", on: sandbox.file)
        usleep(1000)
      }
      return .done()
    }
    #expect(results == [.done(), .done()])
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers WHERE phone = '2'") == "600\n")
    try sandbox.expectSound()
  }
}
