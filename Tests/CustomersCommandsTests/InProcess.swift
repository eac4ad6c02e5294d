import CCustomersLinux
@testable import CustomersCommands
import CustomersSystem
import Foundation
import Synchronization
import Testing

extension CLISandbox {
  /// Runs a command line of `customers` in this process, in the folder.
  ///
  /// Standard input is empty unless given. With a `screen` the output is seen as a terminal of that size,
  /// and with `answers` a user types these lines there; `asked` happens while the first question is open. A list that
  /// another program has locked is waited for as long as `busyTimeout` says, and no editor is opened.
  func run(
    words: [String], stdin: String? = nil, environment: [String: String] = [:], screen: Screen? = nil,
    answers: [String]? = nil, busyTimeout: Duration? = nil,
    asked: (@Sendable () throws -> Void)? = nil
  ) throws -> ProcessResult {
    // An editor is the child of a process, which leaves the interrupt key to it.
    if busyTimeout == nil, environment["EDITOR"] != nil || environment["VISUAL"] != nil {
      return try spawn(words: words, stdin: stdin, environment: environment)
    }
    let descriptor = try descriptor(for: answers.map { $0.map { $0 + "\n" }.joined() } ?? stdin ?? "")
    defer { close(descriptor) }
    let input =
      asked.map { StandardInput(typing: answers ?? [], asked: $0) }
      ?? StandardInput(FileDescriptor(rawValue: descriptor), isTerminal: answers != nil)
    var code: Int32 = 0
    var output = ""
    let errors = try written(on: screen) { errors in
      output = try written(on: screen) { output in
        code = try run(words, input, output, errors, environment, busyTimeout)
      }
    }
    return ProcessResult(output: output, errors: errors, code: code)
  }

  private func run(
    _ words: [String], _ input: StandardInput, _ output: CustomersCommands.Stream,
    _ errors: CustomersCommands.Stream,
    _ environment: [String: String], _ busyTimeout: Duration?
  ) throws -> Int32 {
    _ = signalsAreIgnored
    let variables = self.environment.merging(environment) { $1 }
    var context = Context(
      environment: variables.filter { name, _ in Environment.names.contains(name) },
      input: input, output: output, errors: errors)
    context.busyTimeout = busyTimeout
    return try inFolder(folder) { [context] in CustomersCommands.run(words, in: context).rawValue }
  }

  /// Returns the text that `body` writes to a stream.
  func written(on screen: Screen? = nil, _ body: (CustomersCommands.Stream) throws -> Void) throws -> String {
    let path = try keep("")
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let stream = CustomersCommands.Stream(FileDescriptor(rawValue: descriptor), screen: screen)
    try body(stream)
    try stream.flush()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// A file without a name that has a string.
  private func descriptor(for text: String) throws -> Int32 {
    let path = text.isEmpty ? "/dev/null" : try keep(text)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    return descriptor
  }
}

extension StandardInput {
  /// A user who types these lines; `asked` happens before the first.
  fileprivate init(typing answers: [String], asked: @escaping @Sendable () throws -> Void) {
    let next = Mutex(0)
    self.init(isTerminal: true) {
      let number = next.withLock { number in
        number += 1
        return number
      }
      if number == 1 {
        do { try asked() } catch { Issue.record(error) }
      }
      return number <= answers.count ? answers[number - 1] : nil
    }
  }
}

/// The signals that the program ignores: writing to a program that has ended must not end all tests.
private let signalsAreIgnored: Void = {
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
}()

/// Runs `body` with another current folder.
///
/// On Linux a thread can have its own, so that tests that run beside each other need not share one.
private func inFolder<Result: Sendable>(_ folder: String, _ body: @escaping @Sendable () -> Result) throws
  -> Result
{
  let results = try concurrently(1) { _ in
    guard unshare(LINUX_CLONE_FS) == 0, unsafe chdir(folder) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
    }
    return body()
  }
  return results[0]
}
