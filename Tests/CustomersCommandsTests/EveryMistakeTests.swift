import Foundation
import CustomersTestSupport
import Testing

/// Errors that every command reports in the same way, tested with its examples.
@Suite(.onThreads) struct EveryMistakeTests {
  @Test(arguments: sampled(Example.all, oneIn: 24, salt: 1))
  func `an unknown option, or too many arguments, is wrong usage`(example: Example) throws {
    let examples = try ExampleSandbox()
    let sandbox = examples.sandbox
    let usage = try sandbox.run("help", example.command).output.components(separatedBy: "\n\n")[0]
    let takesMany = ["ROW…", "TEXT…", "ROW]…"].contains(where: usage.contains)
    let wrong = [["--nonsense"], ["--limit=1", "--nonsense=1"]] + (takesMany ? [] : [["x", "y", "z"]])
    for words in wrong {
      try examples.reset(for: example)
      let result = try sandbox.expectUntouched { try sandbox.run(words: example.words + words) }
      #expect(result.code == 2 && result.output.isEmpty, "\(words): \(result)")
      #expect(result.errors.hasPrefix("customers: "))
    }
  }

  @Test(arguments: sampled(Example.all.filter { $0.hasJSON && !$0.createsFile }, oneIn: 12))
  func `a missing file is not created`(example: Example) throws {
    let examples = try ExampleSandbox()
    let sandbox = examples.sandbox
    for form in isLong ? example.forms : [example.forms[0]] {
      try examples.reset(for: example)
      try FileManager.default.removeItem(atPath: sandbox.file)
      let before = try sandbox.names
      let code = try examples.runAsIs(example, form).code
      #expect([0, 3, 4].contains(code), "\(form)")
      #expect(try sandbox.names == before, "\(form)")
    }
  }

  /// A script of the shell that runs a program whose output takes nothing, and how that ends.
  private static let outputs = [
    // A pipe whose other end is closed already.
    ("mkfifo ../pipe; exec 3<>../pipe 4>../pipe 3<&-; exec \"$@\" >&4", ProcessResult.failed(141, "")),
    ("exec \"$@\" > /dev/full", .failed(1, "can't write the output: No space left on device")),
    ("exec \"$@\" >&-", .failed(1, "can't write the output: Bad file descriptor")),
  ]

  @Test(arguments: sampled(Example.ending, oneIn: 24, salt: 2))
  func
    `an output that no one reads ends it silently, a full one with an error that says what was done`(
      example: Example
    ) throws
  {
    let examples = try ExampleSandbox()
    let heard = try examples.run(example)
    for (script, ending) in EveryMistakeTests.outputs {
      try examples.reset(for: example)
      let (before, files) = (examples.sandbox.bytes, try examples.sandbox.otherFiles)
      let result = try examples.start(example, by: ["sh", "-c", script, "sh"]).outcome()
      // The change was made, whoever hears of it.
      let isDone = try examples.sandbox.bytes != before || examples.sandbox.otherFiles != files
      var expected =
        ending.code == 141 && isDone ? ProcessResult(output: "", errors: heard.errors, code: 0) : ending
      if !ending.errors.isEmpty {
        let hasFile = try examples.sandbox.otherFiles != files
        let done =
          examples.sandbox.bytes != before ? "the change was made" : hasFile ? "the file was written" : nil
        let told = (done.map { "\($0), but then: " } ?? "") + ending.errors
        expected = ProcessResult(
          output: "", errors: heard.errors + "customers: " + told, code: done == nil ? ending.code : 7)
      }
      #expect(result == (heard.output.isEmpty ? heard : expected), "\(script)")
      #expect(try examples.sandbox.run("check").code == 0)
    }
  }

  @Test func `a file that stays locked is reported by every command`() throws {
    let examples = try ExampleSandbox()
    let sandbox = examples.sandbox
    let holding = try sandbox.start(["sh", "-c", "exec sqlite3 -batch \"$CUSTOMERS_DB\" < ../pipe"])
    #expect(try sandbox.shell("mkfifo ../pipe") == .done())
    let holder = try holding.spawn.start()
    let pipe = try #require(FileHandle(forWritingAtPath: sandbox.folder + "/../pipe"))
    try pipe.write(contentsOf: Data("BEGIN EXCLUSIVE; SELECT 'locked';\n".utf8))
    try waitUntil("the list is locked") { try !holding.outcome(code: 0).output.isEmpty }
    for example in sampled(Example.oneOfEachCommand, oneIn: 4) where !example.reportsTrouble {
      let result = try examples.run(locked: example)
      #expect(result.code == 1 && result.output.isEmpty, "\(example): \(result)")
      #expect(result.errors.contains("locked"), "\(example): \(result)")
    }
    try pipe.write(contentsOf: Data("COMMIT;\n.quit\n".utf8))
    #expect(Spawn.wait(holder) == 0)
    try sandbox.expectSound()
  }
}
