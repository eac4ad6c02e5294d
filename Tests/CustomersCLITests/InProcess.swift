import CLinux
@testable import CustomersCLI
import Foundation
import Glibc
import Synchronization
import Testing

extension CLISandbox {
  /// Runs a command line of `customers` in this process, in the folder.
  ///
  /// Standard input is empty unless given. With a `screen` the output is seen as a terminal of that size,
  /// and with `answers` a person types these lines there.
  func run(
    words: [String], stdin: String? = nil, environment: [String: String] = [:], screen: Screen? = nil,
    answers: [String]? = nil
  ) throws -> ProcessResult {
    // An editor is the child of a process, which leaves the interrupt key to it.
    if environment["EDITOR"] != nil || environment["VISUAL"] != nil {
      return try spawn(words: words, stdin: stdin, environment: environment)
    }
    let input = try descriptor(for: answers.map { $0.map { $0 + "\n" }.joined() } ?? stdin ?? "")
    defer { close(input) }
    let output = Stream(keepingForScreen: screen)
    let errors = Stream(keepingForScreen: screen)
    let variables = self.environment.merging(environment) { $1 }
    let context = Context(
      environment: variables.filter { name, _ in Environment.variables.contains { $0.name == name } },
      input: StandardInput(input, isTerminal: answers != nil), output: output, errors: errors)
    let code = try inFolder(folder) { CustomersCLI.run(words, in: context).rawValue }
    return ProcessResult(output: output.text, errors: errors.text, code: code)
  }

  /// A file without a name that has a text.
  private func descriptor(for text: String) throws -> Int32 {
    let path = text.isEmpty ? "/dev/null" : try keep(text)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    return descriptor
  }
}

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
