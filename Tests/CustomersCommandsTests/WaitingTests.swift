import Foundation
import CustomersTestSupport
import Testing

/// Another program has locked the list.
@Suite(.onThreads) struct WaitingTests {
  /// Runs `body` while the `sqlite3` shell holds the lock that a statement takes.
  private func locked(
    by statement: String, _ sandbox: CLISandbox, _ body: (_ process: Int32) throws -> Void
  ) throws {
    var started = try sandbox.start(["sqlite3", "-batch", sandbox.file], stdin: nil)
    let pipe = sandbox.folder + "/../words"
    #expect(try sandbox.shell("mkfifo ../words") == .done())
    started.spawn.input = pipe
    // Open for both, so that neither waits for the other.
    let words = try #require(FileHandle(forUpdatingAtPath: pipe))
    let process = try started.spawn.start()
    defer {
      try? words.close()
      kill(process, SIGKILL)
      _ = Spawn.wait(process)
    }
    try words.write(contentsOf: Data("\(statement);\n.shell touch ../locked\n".utf8))
    try waitUntil("the list is locked") {
      FileManager.default.fileExists(atPath: sandbox.folder + "/../locked")
    }
    try body(process)
  }

  @Test func `the page's server ends at a signal while its requests wait for another program`() throws {
    let sandbox = try CLISandbox.withLetters()
    let web = try RunningWeb(sandbox, "-q")
    let stream = try web.wire()
    stream.send(web.request("GET", "/v1/events"))
    _ = stream.receive(through: "event: hello\n")
    _ = stream.event()
    try locked(by: "BEGIN EXCLUSIVE", sandbox) { process in
      let waiting = try web.wire()
      waiting.send(web.request("GET", "/v1/rows?from=1&limit=1"))
      #expect(stream.event().contains("sqlite3 (process \(process)) has locked the list."))
      #expect(try web.end(SIGTERM).code == 128 + SIGTERM)
    }
  }

  @Test(arguments: ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
  func `the status of a list that can't be edited now is a code of its own`(statement: String) throws {
    let sandbox = try CLISandbox.withLetters()
    try locked(by: statement, sandbox) { process in
      let result = try sandbox.run(words: ["status"], busyTimeout: .milliseconds(100))
      #expect(
        result.code == 9 && result.output.contains("sqlite3 (process \(process)) has locked"), "\(result)")
    }
  }

  @Test(arguments: ["BEGIN EXCLUSIVE", "BEGIN; SELECT count(*) FROM customers"])
  func `after a second the program that writes or reads the list is named, and again after the timeout`(
    statement: String
  ) throws {
    let sandbox = try CLISandbox.withLetters()
    try locked(by: statement, sandbox) { process in
      let result = try sandbox.run(words: ["add", "Eve"], busyTimeout: .milliseconds(1500))
      #expect(
        result
          == .failed(
            1,
            """
            note: waiting for sqlite3 (process \(process)), which has locked the list
            customers: can't open "\(sandbox.file)": sqlite3 (process \(process)) has locked the list
            hint: try again when the other program has finished
            """), "\(result)")
    }
  }

  @Test func `a program that waits for a reader is not named, but the reader`() throws {
    let sandbox = try CLISandbox.withLetters()
    try locked(by: "BEGIN; SELECT count(*) FROM customers", sandbox) { process in
      let writers = try (0..<2).map { _ in try sandbox.start([CLISandbox.program, "add", "Eve"]) }
      let processes = try writers.map { try $0.spawn.start() }
      for (writer, number) in zip(writers, processes) {
        try waitUntil("add waits") { try writer.errors.contains("waiting for") }
        kill(number, SIGINT)
        _ = Spawn.wait(number)
        let errors = try writer.errors
        #expect(errors.contains("waiting for sqlite3 (process \(process))"), "\(errors)")
        #expect(!errors.contains("customers (process"), "\(errors)")
      }
    }
  }

  @Test func `Ctrl-C ends the waiting at once`() throws {
    let sandbox = try CLISandbox.withLetters()
    try locked(by: "BEGIN EXCLUSIVE", sandbox) { _ in
      for words in [["add", "Eve"], ["list"], ["backup", "copy"]] {
        let started = try sandbox.start([CLISandbox.program] + words)
        let process = try started.spawn.start()
        try waitUntil("\(words[0]) waits") { try started.errors.contains("waiting for") }
        kill(process, SIGINT)
        #expect(Spawn.wait(process) == 128 + SIGINT, "\(words)")
      }
    }
  }
}
