@testable import CustomersCLI
import CustomersTestSupport
import Foundation
import Testing

/// What each exit code promises, where something fails.
@Suite struct ExitCodeTests {
  struct Promise: CustomTestStringConvertible {
    let code: Int32
    let script: String
    /// Whether Eve is in the list afterward; nil if the code leaves it open.
    let isDone: Bool?

    var testDescription: String { "\(code): \(script)" }
  }

  static let promises = [
    Promise(code: 0, script: "customers add Eve", isDone: true),
    Promise(
      code: 0, script: "customers add Eve && customers add Eve -n && customers delete Eve -y -n", isDone: true
    ),
    Promise(code: 1, script: failing("pwrite64", when: "1+"), isDone: false),
    Promise(code: 1, script: "echo x > bad; customers --db bad add Eve", isDone: false),
    Promise(code: 1, script: "customers add Eve -n > /dev/full", isDone: false),
    Promise(code: 2, script: "customers add Eve --colour", isDone: false),
    Promise(code: 2, script: "printf 'add Eve\\nmov 1 2\\n' | customers apply -", isDone: false),
    Promise(code: 3, script: "printf 'add Eve\\nmove 99 1\\n' | customers apply -", isDone: false),
    Promise(code: 3, script: "customers add Eve --section none", isDone: false),
    Promise(code: 4, script: "customers protect 1 --no-edit -q; customers edit 1 --name Eve", isDone: false),
    Promise(code: 4, script: "customers delete 1 < /dev/null", isDone: false),
    Promise(code: 6, script: failing("unlink", when: "1+"), isDone: nil),
    Promise(code: 7, script: "customers add Eve > /dev/full", isDone: true),
    Promise(
      code: 141, script: "{ sleep 0.1; customers add Eve; echo $? > code; } | true; exit $(cat code)",
      isDone: true),
  ]

  private static func failing(_ call: String, when: String) -> String {
    "strace -f -qq -o /dev/null -e trace=\(call) -e inject=\(call):error=EIO:when=\(when) "
      + "\"$CUSTOMERS\" add Eve"
  }

  @Test(arguments: promises)
  func `a code says whether the change was made`(promise: Promise) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.shell(promise.script)
    #expect(result.code == promise.code, "\(result)")
    let count = try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = 'Eve'")
    if let isDone = promise.isDone { #expect((count == "1\n") == isDone, "\(result)") }
    try sandbox.expectSound()
  }

  @Test func `every code in the table of the manual has a test`() {
    // A no of the person, and the interrupt key, need a terminal: PromptTests and InterruptTests.
    let tested = Set(Self.promises.map { "\($0.code)" }).union(["5", "130"])
    #expect(Set(Manual.exitCodes.map(\.0)) == tested)
  }
}
