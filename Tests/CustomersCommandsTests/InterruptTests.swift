import CCustomersVTerm
import CustomersTestSupport
import Foundation
import Testing

/// The interrupt key, and Esc in the table, during commands that take long.
@Suite(.onThreads) struct InterruptTests {
  private let sandbox: CLISandbox

  init() throws {
    try requireInstalled("strace", package: "strace")
    sandbox = try .withDemo()
    try Self.rows.write(to: URL(filePath: sandbox.folder + "/new.csv"))
  }

  /// More than fits into memory before anything is written.
  private static let rows: Data = {
    let note = String(repeating: "x", count: 3000)
    return Data(("name,note\n" + (1...2000).map { "C\($0),\(note)\n" }.joined()).utf8)
  }()

  /// Runs a command and sends a signal when it makes a system call on a file for the n-th time.
  private func run(
    _ command: String, _ signal: String, at call: String, on file: String, time: Int = 1
  ) throws -> ProcessResult {
    try sandbox.shell(
      """
      exec strace -f -qq -o /dev/null -P '\(file)' -e trace=\(call) \
        -e inject=\(call):signal=\(signal):when=\(time) "$CUSTOMERS" \(command)
      """)
  }

  @Test(arguments: [("SIGINT", SIGINT), ("SIGTERM", SIGTERM), ("SIGHUP", SIGHUP)])
  func `an interrupted import leaves the list as it was, and no journal`(name: String, number: Int32) throws {
    let result = try sandbox.expectUntouched {
      try run("import new.csv", name, at: "pwrite64", on: sandbox.file + "-journal", time: 20)
    }
    #expect(result == .failed(128 + number, ""))
    #expect(try sandbox.names == ["customers.sqlite", "new.csv"])
    try sandbox.expectSound()
  }

  @Test func `an interrupted import of a new list leaves none`() throws {
    let file = "\(sandbox.folder)/new.sqlite"
    let result = try run(
      "--db new.sqlite import new.csv", "SIGINT", at: "pwrite64", on: file + "-journal", time: 20)
    #expect(result == .failed(128 + SIGINT, ""))
    #expect(try sandbox.names == ["customers.sqlite", "new.csv"])
  }

  @Test func `a signal that is ignored, as under nohup, does not end the report of a change`() throws {
    let result = try sandbox.shell(
      """
      trap '' HUP
      exec strace -f -qq -o /dev/null -e trace=write -e inject=write:signal=SIGHUP:when=1 \
        "$CUSTOMERS" add 'Ann Lee'
      """)
    #expect(result.code == 0 && result.output.contains("Ann Lee"))
  }

  @Test func `an interrupted export leaves no part of a file`() throws {
    try #require(try sandbox.run("import", "new.csv", "-q").code == 0)
    _ = try sandbox.write("old", to: "list.csv")
    let result = try sandbox.expectUntouched {
      try run("export list.csv --yes", "SIGINT", at: "pread64", on: sandbox.file, time: 500)
    }
    #expect(result == .failed(128 + SIGINT, ""))
    #expect(try sandbox.names == ["customers.sqlite", "list.csv", "new.csv"])
    #expect(try String(contentsOfFile: "\(sandbox.folder)/list.csv", encoding: .utf8) == "old")
  }

  @Test func `an export to a pipe without a reader can be interrupted`() throws {
    let pipe = "\(sandbox.folder)/pipe"
    let result = try sandbox.shell(
      """
      mkfifo '\(pipe)'
      exec timeout -k 1 30 strace -f -qq -o /dev/null -P '\(pipe)' -e trace=openat \
        -e inject=openat:signal=SIGINT:when=1 "$CUSTOMERS" export '\(pipe)' --format csv --yes
      """)
    #expect(result == .failed(128 + SIGINT, ""))
  }

  @Test func `Esc stops an import typed in the table`() throws {
    let before = try #require(sandbox.bytes)
    // Rows take longer to write than bytes, so that the key comes before the end.
    _ = try sandbox.write("name\n" + (1...30_000).map { "C\($0)\n" }.joined(), to: "new.csv")
    let screen = try sandbox.table()
    screen.type(":import new.csv\r")
    #expect(screen.wait { FileManager.default.fileExists(atPath: sandbox.file + "-journal") })
    screen.press(VTERM_KEY_ESCAPE)
    #expect(screen.wait { screen.text.contains("interrupted; nothing was changed") }, "\(screen.text)")
    #expect(sandbox.bytes == before && screen.row("Elizabeth Bennet") != nil)
    screen.type("J")
    #expect(screen.wait { screen.line(of: "Elizabeth Bennet").contains(" 2  Eliz") })
  }
}
