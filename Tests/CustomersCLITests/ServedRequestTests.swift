@testable import CustomersCLI
import CustomersFiles
import CustomersPlatform
import Foundation
import Testing

/// Requests that no `customers` sends, but that a program of one's own can.
@Suite struct ServedRequestTests {
  /// Runs `customers serve` with a request, and returns its output and exit code.
  private func serve(
    _ words: [String], environment: [String: String], _ sandbox: CLISandbox
  ) throws -> ProcessResult {
    let facts = ["\(Message.protocolNumber)", "token", "UTC0", "", "", "", "", "\(environment.count)"]
    let request = Message(.request, facts + environment.flatMap { [$0.key, $0.value] } + words)
    let path = try sandbox.keep("")
    let file = try FileDescriptor.openToWrite(path)
    try Channel(input: file, output: file).send(request)
    file.close()
    let script = "timeout 20 \"$CUSTOMERS\" serve < '\(path)' | tr -d '\\000'"
    return try sandbox.shell(script, environment: ["CUSTOMERS_DB": ""])
  }

  @Test(arguments: [
    ["backup", "ssh://x/y", "--yes"], ["backup", "copy.sqlite", "--every", "1s"],
    ["backup", "ssh://x/y", "--every", "1s"],
  ])
  func `a command for the caller's machine does not run on that of the list`(words: [String]) throws {
    let sandbox = try CLISandbox.withLetters()
    let program = ["CUSTOMERS_SSH": "touch '\(sandbox.folder)/owned'; exit 3 #"]
    for list in [sandbox.file, "ssh://here\(sandbox.file)"] {
      let result = try serve(words + ["--db", list], environment: program, sandbox)
      #expect(result.output.contains("runs only on the machine where it is typed"), "\(list): \(result)")
      #expect(try sandbox.names == ["customers.sqlite"], "\(list)")
    }
  }
}
