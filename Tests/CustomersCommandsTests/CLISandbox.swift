import CustomerFixtures
import Foundation
import CustomersSystem
import Synchronization
import CustomersTestSupport
import Testing

/// A private folder for one test, with a customers file and the programs run there.
final class CLISandbox: Sendable {
  /// The folder in which programs run; at first it is empty.
  let folder: String
  /// The customers file of the runs.
  let file: String
  private let base: TemporaryFolder
  private let runs = Mutex(0)

  init() throws {
    base = try TemporaryFolder()
    folder = base.path + "/desk"
    file = folder + "/customers.sqlite"
    // Open to other users, for the tests that let one of them look.
    let open: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
    try FileManager.default.setAttributes(open, ofItemAtPath: base.path)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: open)
  }

  /// The program under test, which is built beside the tests.
  static let program: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "customers").path
  }()

  /// Runs `customers` in this process with the words; standard input is empty unless given.
  func run(_ words: String..., stdin: String? = nil, environment: [String: String] = [:]) throws
    -> ProcessResult
  {
    try run(words: words, stdin: stdin, environment: environment)
  }

  /// Runs `customers` in a new process.
  func spawn(_ words: String..., stdin: String? = nil, environment: [String: String] = [:]) throws
    -> ProcessResult
  {
    try spawn(words: words, stdin: stdin, environment: environment)
  }

  func spawn(words: [String], stdin: String? = nil, environment: [String: String] = [:]) throws
    -> ProcessResult
  {
    try run([CLISandbox.program] + words, stdin: stdin, environment: environment)
  }

  /// Runs a script of the shell, in which `customers` is the program under test, and `sqlite3` waits for
  /// other programs.
  func shell(_ script: String, environment: [String: String] = [:]) throws -> ProcessResult {
    try run(
      [
        "/bin/sh", "-c",
        """
        customers() { "$CUSTOMERS" "$@"; }
        sqlite3() { command sqlite3 -cmd '.timeout 60000' "$@"; }
        \(script)
        """,
      ], environment: environment)
  }

  /// Returns what another client of the same file reads, as the `sqlite3` shell would print it.
  func sqlite(_ script: String) throws -> String { try OtherClient.run(script, on: file) }

  /// Starts a run without waiting for it.
  func start(_ words: [String], stdin: String? = nil) throws -> Started {
    let streams = newStreams()
    var spawn = Spawn(words: words, environment: environment, folder: folder)
    if let stdin { spawn.input = try keep(stdin) }
    spawn.output = streams + ".out"
    spawn.errors = streams + ".err"
    return Started(spawn: spawn)
  }

  /// Keeps a string beside the folder, for a run to read.
  ///
  /// - Returns: the path of its file.
  func keep(_ text: String) throws -> String {
    let path = newStreams() + ".in"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// Returns the path prefix for the files of a run's streams.
  private func newStreams() -> String {
    let number = runs.withLock { number in
      number += 1
      return number
    }
    return "\(base.path)/\(number)"
  }

  private func run(_ words: [String], stdin: String? = nil, environment: [String: String]) throws
    -> ProcessResult
  {
    var started = try start(words, stdin: stdin)
    started.spawn.environment.merge(environment) { $1 }
    return try started.outcome()
  }

  /// The environment in which programs use the default file, below the home folder; it is missing at first.
  static let usualPlace = ["CUSTOMERS_DB": ""]

  /// The environment of programs: it contains nothing from the user who runs the tests.
  var environment: [String: String] {
    var environment = [
      "CUSTOMERS": CLISandbox.program, "CUSTOMERS_DB": file, "HOME": folder, "LC_ALL": "C", "TERM": "xterm",
    ]
    for name in ["PATH", "LD_LIBRARY_PATH"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
    return environment
  }
}

/// A run that is ready to go.
struct Started {
  var spawn: Spawn

  func outcome() throws -> ProcessResult { try outcome(code: Spawn.wait(spawn.start())) }

  /// Returns the result of a run that has ended.
  func outcome(code: Int32) throws -> ProcessResult {
    ProcessResult(output: try text(spawn.output), errors: try errors, code: code)
  }

  /// Whether it has written to standard output.
  ///
  /// It can be read a million times, unlike `outcome`: Foundation keeps some memory for each file that it
  /// reads.
  var hasOutput: Bool {
    var status = stat()
    return unsafe stat(spawn.output, &status) == 0 && status.st_size > 0
  }

  /// The text written to standard error so far.
  var errors: String { get throws { try text(spawn.errors) } }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }
}
