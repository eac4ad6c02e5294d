import CustomersTestSupport
import Foundation
import Testing

/// Properties of every command, tested with its examples.
@Suite(.onThreads) struct EveryCommandTests {
  @Test func `every command has an example and a transcript`() throws {
    let commands = try HelpTests.pinned()
    #expect(Set(Example.all.map(\.command)) == Set(commands))
    let transcripts = try FileManager.default.contentsOfDirectory(atPath: samples + "/transcripts")
    #expect(transcripts.sorted() == commands.map { $0 + ".txt" })
  }

  /// A change of a command's output must be recorded in its transcript, too.
  @Test(arguments: try HelpTests.pinned())
  func `what it says in each form`(command: String) throws {
    let examples = try ExampleSandbox()
    let sandbox = examples.sandbox
    let sqlite = try sandbox.sqlite("SELECT sqlite_version()").trimmingCharacters(in: .newlines)
    let facts = [
      (sandbox.folder, "FOLDER"), (sqlite, "SQLITE"), ("\(try #require(sandbox.bytes).count)", "SIZE"),
    ]
    var found = ""
    for example in Example.all where example.command == command {
      found += try examples.transcript(example)
    }
    for (fact, word) in facts where ["check", "restore", "status"].contains(command) {
      found = found.replacing(fact, with: word)
    }
    if command == "status" {
      found = found.replacing(/"version":"[0-9a-f]+:/, with: "\"version\":\"MARK:")
        .replacing(/Size: .*/, with: "Size:        SIZE")
    }
    try expectSample(found, "transcripts/\(command).txt")
  }

  @Test(arguments: sampled(Example.ending.filter { $0.kind != .fillsScreen }, oneIn: 24))
  func `a terminal shows what goes to a pipe`(example: Example) throws {
    let examples = try ExampleSandbox()
    for form in example.forms {
      let piped = try examples.run(example, form)
      let shown = try examples.shown(example, form)
      #expect(shown.output == piped.output + piped.errors && shown.code == piped.code, "\(form)")
      // And on a terminal that is one.
      if form.isEmpty { #expect(try examples.onTerminal(example) == shown) }
    }
  }

  @Test(arguments: sampled(Example.all.filter(\.hasJSON), oneIn: 24))
  func `with --json standard output is JSON and nothing else`(example: Example) throws {
    let examples = try ExampleSandbox()
    for form in [["--json"], ["--json", "--dry-run"], ["--json", "--quiet"]] {
      let outcome = try examples.run(example, form)
      let json = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      #expect(json != nil && outcome.errors.isEmpty && outcome.code == 0, "\(form): \(outcome)")
    }
  }

  @Test(arguments: sampled(Example.all.filter { $0.kind == .edits }, oneIn: 18))
  func `a dry run shows what would be done, and quiet only does it`(example: Example) throws {
    let examples = try ExampleSandbox()
    let sandbox = examples.sandbox
    try examples.reset(for: example)
    let before = (try examples.result(), sandbox.bytes)
    let rehearsal = try examples.run(example, ["-n"])
    let last = rehearsal.output.split(separator: "\n").last
    #expect(last?.hasPrefix("Would ") == true, "\(rehearsal)")
    #expect(rehearsal.errors.isEmpty && rehearsal.code == 0)
    #expect(sandbox.bytes == before.1)
    #expect(try examples.result() == before.0)
    _ = try examples.run(example)
    let after = try examples.result()
    #expect(try examples.run(example, ["-q"]) == .done())
    #expect(try examples.result() == after)
    #expect(after != before.0)
  }

  @Test(arguments: sampled(Example.ending.filter { $0.kind != .edits }, oneIn: 18))
  func `commands that only show something change no file`(example: Example) throws {
    let examples = try ExampleSandbox()
    for form in example.forms + [["--dry-run"]] {
      try examples.reset(for: example)
      let before = try examples.sandbox.names
      try examples.sandbox.expectUntouched { _ = try examples.run(example, form) }
      #expect(try examples.sandbox.names == before)
    }
  }
}
