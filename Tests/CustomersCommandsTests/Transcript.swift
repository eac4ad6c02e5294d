@testable import CustomersCommands
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// A session of `customers` in a file of `Samples/sessions`: what is typed, and what it shows.
///
/// `## TITLE` begins a session. These lines are typed, and the lines up to the next one are what the command shows:
///
/// - `$ customers WORDS`, quoted as in a script, perhaps after `NAME=VALUE`. A dry run, and whatever fails, must leave the
///   file as it is; `% customers WORDS` must, too. `< LINE` is a line of standard input, `? LINE` the answer to a question.
/// - `$ new`, `$ letters`, `$ demo`, `$ undone`, and `$ people` open another list of `CLISandbox`; `$ older FORMAT`, a sample
///   of that format.
/// - `$ sql STATEMENT` is another client's. `$ order` shows the first names in each section, `$ ls` the names in the
///   folder, and `$ write NAME` makes a file of the lines with `<`.
///
/// What is on standard error is marked. A control character is shown by its picture, an empty line by `¶`, and the
/// times and the user of a step as in `withoutTimes`. Each file must be sound at the end. With `CUSTOMERS_RECORD=1`, what
/// is shown is written into the file.
struct Transcript: CustomTestStringConvertible, Sendable {
  let path: String
  let title: String
  let lines: [String]
  var testDescription: String { title }

  /// The sessions in a file.
  static func sessions(_ name: String) throws -> [Transcript] {
    let path = "\(samples)/sessions/\(name).txt"
    return try parts(of: path).dropFirst().map { part in
      Transcript(path: path, title: part[0], lines: Array(part.dropFirst()))
    }
  }

  /// The lines of each session, after those above the first.
  private static func parts(of path: String) throws -> [[String]] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return ("\n" + text).components(separatedBy: "\n## ").map { part in
      part.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
    }
  }

  /// Types the session again, and expects that it shows the same.
  func replay(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var sandbox = try CLISandbox()
    var lists = [sandbox]
    var shown: [String] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      guard line.hasPrefix("$ ") || line.hasPrefix("% ") else {
        if line.hasPrefix("#") { shown.append(line) }
        continue
      }
      let input = rest.prefix { $0.hasPrefix("< ") || $0.hasPrefix("? ") || $0 == "<" }
      rest = rest.dropFirst(input.count)
      shown += [line] + input
      let before = sandbox.bytes
      let (result, leaves) = try run(String(line.dropFirst(2)), Array(input), at: &sandbox)
      if sandbox !== lists.last { lists.append(sandbox) }
      shown += Transcript.lines(of: result, in: sandbox)
      if leaves || line.hasPrefix("%"), sandbox.bytes != before { shown.append("the file was touched") }
    }
    for list in lists where list.bytes != nil { try list.expectSound(sourceLocation: sourceLocation) }
    if ProcessInfo.processInfo.environment["CUSTOMERS_RECORD"] == "1" {
      if shown != lines { try record(shown) }
    } else if shown != lines {
      let number = zip(shown, lines).prefix { $0 == $1 }.count
      let typed = shown[..<number].last { $0.hasPrefix("$ ") || $0.hasPrefix("% ") } ?? "its start"
      let (new, old) = (shown[number...].prefix(3), lines.dropFirst(number).prefix(3))
      Issue.record(
        "\(title), after \(typed): \(Array(new)) instead of \(Array(old))", sourceLocation: sourceLocation)
    }
  }

  /// Runs a line; says whether it must leave the file as it is.
  private func run(_ line: String, _ input: [String], at sandbox: inout CLISandbox) throws
    -> (ProcessResult, leaves: Bool)
  {
    let name = String(line.prefix { $0 != " " })
    let rest = String(line.dropFirst(name.count + 1))
    let text = input.filter { $0.hasPrefix("<") }.map { Transcript.typed(String($0.dropFirst(2))) + "\n" }
      .joined()
    switch name {
    case "new": sandbox = try CLISandbox()
    case "letters": sandbox = try .withLetters()
    case "demo": sandbox = try .withDemo()
    case "undone": sandbox = try .withUndoneMove()
    case "people": sandbox = try .withPeople()
    case "older": sandbox = try .withOlder(rest)
    case "sql":
      do { return (ProcessResult(output: try sandbox.sqlite(rest), errors: "", code: 0), false) } catch let
        error as OtherClient.Failure
      {
        return (.failed(1, error.message), true)
      }
    case "order": return (.done(try sandbox.order), false)
    case "ls": return (.done(try sandbox.names.joined(separator: " ")), false)
    case "write": try sandbox.write(text, to: rest)
    default:
      var words = try TypedCommand.words(of: line.replacing("FOLDER", with: sandbox.folder))
      var environment: [String: String] = [:]
      while let word = words.first, word != "customers" {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        environment[parts[0]] = try #require(parts.count == 2 ? parts[1] : nil, "\(line)")
        words.removeFirst()
      }
      words.removeFirst()
      let answers = input.filter { $0.hasPrefix("?") }.map { String($0.dropFirst(2)) }
      let result = try sandbox.run(
        words: words, stdin: text.isEmpty ? nil : text, environment: environment,
        answers: answers.isEmpty ? nil : answers)
      return (result.withoutTimes, result.code != 0 || words.contains("-n") || words.contains("--dry-run"))
    }
    return (.done(), false)
  }

  /// What a run shows.
  private static func lines(of result: ProcessResult, in sandbox: CLISandbox) -> [String] {
    func lines(_ text: String, _ mark: String) -> [String] {
      // Not of characters: one is both "\r\n".
      var lines = text.replacing(sandbox.folder, with: "FOLDER").unicodeScalars
        .split(separator: "\n", omittingEmptySubsequences: false).map { shown(String($0)) }
      if lines.last == "" { lines.removeLast() } else { lines.append("(no newline)") }
      return lines.map { mark + $0 }.map { $0.isEmpty ? "¶" : $0 }
    }
    return (result.output.isEmpty ? [] : lines(result.output, ""))
      + (result.errors.isEmpty ? [] : lines(result.errors, "stderr: "))
      + (result.code == 0 ? [] : ["exit code \(result.code)"])
  }

  /// Shows control characters by their pictures.
  private static func shown(_ line: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      scalars.append(scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? scalar : scalar)
    }
    return String(scalars)
  }

  /// The reverse of `shown`.
  private static func typed(_ line: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      scalars.append(
        (0x2400..<0x2420).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0x2400) ?? scalar : scalar)
    }
    return String(scalars)
  }

  /// Replaces the session in its file.
  private func record(_ shown: [String]) throws {
    try Transcript.recording.withLock { _ in
      let parts = try Transcript.parts(of: path).map { part in part[0] == title ? [title] + shown : part }
      let text = parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n## ") + "\n"
      // A file may begin with a session.
      try String(text.drop(while: \.isNewline)).write(toFile: path, atomically: true, encoding: .utf8)
    }
    Issue.record("\(title) is recorded; read the difference")
  }

  private static let recording = Mutex(())
}
