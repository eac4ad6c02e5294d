import CustomerStore
@testable import CustomersCommands
import CustomersTestSupport
import Foundation
import Testing

/// What each exit code promises, where something fails.
@Suite(.onThreads) struct ExitCodeTests {
  struct Promise: CustomTestStringConvertible {
    let code: Int32
    let script: String
    /// Whether Eve is in the list afterward, or a damaged list is repaired; nil if the code leaves it open.
    let isDone: Bool?
    /// Whether the list is damaged before.
    var isRepair = false

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
    Promise(code: 4, script: "printf 'name,note\\nEve\\n' | customers import -", isDone: false),
    Promise(code: 6, script: failing("unlink", when: "1+"), isDone: nil),
    Promise(code: 7, script: "customers add Eve > /dev/full", isDone: true),
    Promise(code: 0, script: closed("add Eve"), isDone: true),
    Promise(code: 0, script: closed("apply edits"), isDone: true),
    Promise(code: 0, script: closed("backup copy"), isDone: nil),
    Promise(code: 3, script: closed("delete Eve -y"), isDone: false),
    Promise(code: 141, script: closed("add Eve -n"), isDone: false),
    Promise(code: 141, script: closed("list"), isDone: false),
    Promise(code: 8, script: "customers status", isDone: false, isRepair: true),
    Promise(
      code: 9,
      script:
        "sqlite3 -bail \"$CUSTOMERS_DB\" 'BEGIN EXCLUSIVE' '.shell \"$CUSTOMERS\" status; echo $? > code' COMMIT; exit $(cat code)",
      isDone: false),
    Promise(code: 10, script: "echo x > bad; customers --db bad status", isDone: false),
    Promise(code: 11, script: "mkdir copies; customers status --copies copies", isDone: false),
    Promise(code: 0, script: importing, isDone: true),
    Promise(code: 1, script: failing("pwrite64", when: "1+", importing), isDone: false),
    // The file of the rejected rows is on the disk before the list is changed, and gets its name after it.
    Promise(code: 1, script: failing("fsync", when: "1", importing), isDone: false),
    Promise(code: 4, script: "echo old > bad.csv; \(importing)", isDone: false),
    Promise(code: 6, script: failing("unlink", when: "1+", importing), isDone: nil),
    Promise(code: 7, script: failing("rename", when: "1+", importing), isDone: true),
    Promise(code: 7, script: "\(importing) > /dev/full", isDone: true),
    Promise(code: 0, script: repairing, isDone: true, isRepair: true),
    Promise(code: 1, script: "customers check", isDone: false, isRepair: true),
    Promise(code: 1, script: failing("pwrite64", when: "1+", repairing), isDone: false, isRepair: true),
    // No repair without a copy of the list as it was.
    Promise(code: 1, script: failing("renameat2", when: "1+", repairing), isDone: false, isRepair: true),
    Promise(code: 6, script: failing("unlink", when: "1+", repairing), isDone: nil, isRepair: true),
    Promise(code: 7, script: "\(repairing) > /dev/full", isDone: true, isRepair: true),
  ]

  private static let importing = "printf 'name\nEve\nBob,1\n' | customers import - --rejects bad.csv"
  private static let repairing = "customers check --repair"

  /// A command whose reader has gone before it begins.
  private static func closed(_ line: String) -> String {
    "echo add Eve > edits; mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; customers \(line) >&4"
  }

  /// A command line, the last command of which meets a system call that fails.
  private static func failing(_ call: String, when: String, _ line: String = "customers add Eve") -> String {
    line.replacing(
      "customers",
      with: "strace -f -qq -o /dev/null -e trace=\(call) -e inject=\(call):error=EIO:when=\(when) "
        + "\"$CUSTOMERS\"")
  }

  @Test(
    arguments: [
      (StoreError.missing, ExitCode.notFound), (StoreError.locked, .failed), (StoreError.readOnly, .failed),
      (StoreError.damaged(""), .failed), (ListError.otherHistory, .refused),
      (ListError.untitledSection, .usage),
      (ListError.noSections, .notFound), (ListError.damaged, .failed), (CancellationError(), .failed),
    ] as [(any Error, ExitCode)])
  func `the kind of an error decides the code`(error: any Error, code: ExitCode) {
    #expect(Failure(error, file: "list").code == code)
    #expect(ErrorKind(of: error).exitCode == code.rawValue)
  }

  @Test(arguments: sampled(promises, oneIn: 4))
  func `a code says whether the change was made`(promise: Promise) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    if promise.isRepair { _ = try sandbox.sqlite("UPDATE place SET slot = slot + 4 WHERE customer = 3") }
    let result = try sandbox.shell(promise.script)
    #expect(result.code == promise.code, "\(result)")
    let count = try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = 'Eve'")
    let isRepaired = try sandbox.run("check").code == 0
    if let isDone = promise.isDone {
      #expect((promise.isRepair ? isRepaired : count == "1\n") == isDone, "\(result)")
    }
    #expect(isRepaired || promise.isRepair)
  }

  @Test func `every code in the table of the manual has a test`() {
    // A no of the user, and the interrupt key, need a terminal: QuestionTests.
    let tested = Set(Self.promises.map { "\($0.code)" }).union(["5", "130"])
    #expect(Set(Manual.exitCodes.map(\.0)) == tested)
  }
}
