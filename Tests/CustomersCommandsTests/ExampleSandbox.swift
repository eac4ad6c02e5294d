@testable import CustomersCommands
import Foundation
import CustomersTestSupport
import Testing

/// A sandbox on which examples are run, each on the same list and beside the same files.
struct ExampleSandbox {
  let sandbox: CLISandbox
  private let list: Data?
  private let older: Data
  private let editor: [String: String]
  private let files: [String]
  /// Additional environment variables for the runs.
  var environment: [String: String] = [:]

  init() throws { try self.init(.withUndoneMove()) }

  /// The files of the examples, beside a list that there is or is not.
  init(_ sandbox: CLISandbox) throws {
    self.sandbox = sandbox
    list = sandbox.bytes
    older = try CLISandbox.withOlder("11").bytes ?? Data()
    try sandbox.write("name\nEve\n", to: "new.csv")
    try sandbox.write("precious", to: "old")
    try sandbox.write("move B 1\nadd Eve --as eve\n", to: "script")
    try sandbox.write([UInt8](CLISandbox.withLetters().bytes ?? Data()), to: "backup")
    if let list {
      try sandbox.write([UInt8](list), to: "mine")
      _ = try sandbox.spawn("--db", "mine", "add", "Ned", "-q")
    }
    // Rows B and A for `arrange`, a note for `edit`.
    editor = try sandbox.editor("sed -i 's/^@1 /@0 /;s/^@2 /@1 /;s/^@0 /@2 /;s/^Note:/Note: new/' \"$1\"")
    files = try sandbox.names
  }

  /// Puts everything back.
  func reset(for example: Example) throws {
    for name in try sandbox.names where !files.contains(name) {
      try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
    }
    try sandbox.write("precious", to: "old")
    if example.isOlder {
      try sandbox.put(older)
    } else if let list, !example.isFirst {
      try sandbox.put(list)
    } else {
      try? FileManager.default.removeItem(atPath: sandbox.file)
    }
  }

  /// Runs an example with more words, from the beginning.
  func run(_ example: Example, _ more: [String] = []) throws -> ProcessResult {
    try reset(for: example)
    return try runAsIs(example, more)
  }

  /// Runs an example on the current state.
  func runAsIs(_ example: Example, _ more: [String] = []) throws -> ProcessResult {
    let environment = environment.merging(example.opensEditor ? editor : [:]) { $1 }
    return try sandbox.run(words: example.words + more, environment: environment).withoutTimes
  }

  /// Runs an example on a list that another program has locked, without waiting for long.
  func run(locked example: Example) throws -> ProcessResult {
    try sandbox.run(words: example.words, environment: editor, busyTimeout: .milliseconds(20))
  }

  /// An example that is ready to go, by way of another program.
  func start(_ example: Example, by program: [String]) throws -> Started {
    var started = try sandbox.start(program + [CLISandbox.program] + example.words)
    started.spawn.environment.merge(editor) { $1 }
    return started
  }

  /// Returns the output of an example on a terminal so wide that nothing is cut.
  func shown(_ example: Example, _ more: [String] = []) throws -> ProcessResult {
    try reset(for: example)
    let words = example.words + more + ["--no-pager", "--color", "never"]
    let result = try sandbox.run(
      words: words, environment: example.opensEditor ? editor : [:], screen: Screen(columns: 400, rows: 24))
    return ProcessResult(output: result.output + result.errors, errors: "", code: result.code).withoutTimes
  }

  /// The same on a terminal.
  func onTerminal(_ example: Example, _ more: [String] = []) throws -> ProcessResult {
    try reset(for: example)
    let (screen, code) = try sandbox.onTerminal(
      words: example.words + more + ["--no-pager", "--color", "never"], columns: 400, environment: editor)
    return ProcessResult(output: screen.replacing("\r\n", with: "\n"), errors: "", code: code).withoutTimes
  }

  /// Returns the state after an example: the list, its history, the names of files, and replaced contents.
  func result() throws -> [String] {
    let list = try ["list", "section", "history"].map { command in
      try sandbox.run(command, "--json").withoutTimes.output
    }
    return try list + sandbox.names + [String(contentsOfFile: sandbox.folder + "/old", encoding: .utf8)]
  }

  /// Returns the transcript of all forms of an example, as a person would see it in a shell.
  func transcript(_ example: Example) throws -> String {
    var text = ""
    for form in example.forms {
      let outcome = try run(example, form)
      let errors = outcome.errors.split(separator: "\n").map { "stderr: \($0)\n" }.joined()
      let code = outcome.code == 0 ? "" : "exit code \(outcome.code)\n"
      text += "$ \(([example.description] + form).joined(separator: " "))\n\(outcome.output)\(errors)\(code)"
    }
    return text
  }
}
