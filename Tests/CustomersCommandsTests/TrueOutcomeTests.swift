import Foundation
import CustomersTestSupport
import Testing

/// A command reports the true outcome of an edit, whichever system call fails.
@Suite(.onThreads) struct TrueOutcomeTests {
  /// The calls by which a durable edit gets to the disk.
  private static let calls = ["fsync", "fdatasync", "pwrite64", "ftruncate", "unlink", "close", "fcntl"]

  private static let edit = ["add", "Eve", "--json"]

  /// Runs the edit with a call failing.
  private func run(_ sandbox: CLISandbox, failing call: String, when: String) throws -> ProcessResult {
    var started = try sandbox.start(
      [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        "inject=\(call):error=EIO:when=\(when)", CLISandbox.program,
      ] + Self.edit)
    started.spawn.environment["TMPDIR"] = sandbox.folder
    return try started.outcome()
  }

  /// Returns how often the edit makes a system call.
  private func count(_ sandbox: CLISandbox, _ call: String) throws -> Int {
    let traced = try sandbox.shell(
      "strace -f -o ../trace -e trace=\(call) \"$CUSTOMERS\" add Eve >/dev/null; grep -c '\(call)(' ../trace")
    return Int(traced.output.trimmingCharacters(in: .newlines)) ?? 0
  }

  private func expectTruth(_ result: ProcessResult, _ sandbox: CLISandbox, _ what: String) throws {
    let isDone = try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = 'Eve'") == "1\n"
    switch result.code {
    case 0: #expect(isDone && result.output.contains(#""op":"add""#), "\(what): \(result)")
    case 1: #expect(!isDone, "\(what): \(result)")
    case 7: #expect(isDone && result.errors.contains(#""done":true"#), "\(what): \(result)")
    // The dynamic loader is the one that could not go on.
    case 127: #expect(!isDone)
    case 6: #expect(result.errors.contains("may have been made"), "\(what): \(result)")
    default: Issue.record("\(what): \(result)")
    }
    #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok\n", "\(what)")
  }

  @Test(arguments: sampled(calls, oneIn: 3))
  func `an edit reports truly whether it was done, whichever call fails once`(call: String) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let before = try #require(sandbox.bytes)
    let count = try count(sandbox, call)
    #expect(count > 0 || ["ftruncate", "fsync", "fdatasync"].contains(call))
    for number in stride(from: 1, through: count, by: isLong ? 1 : max(1, count / 3)) {
      try sandbox.put(before)
      let result = try run(sandbox, failing: call, when: "\(number)")
      try expectTruth(result, sandbox, "\(call) \(number) of \(count)")
    }
  }

  @Test(arguments: sampled(["fsync", "fdatasync", "pwrite64", "unlink"], oneIn: 2))
  func `a disk that keeps failing is reported`(call: String) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let before = try #require(sandbox.bytes)
    let count = max(1, try count(sandbox, call))
    for number in stride(from: 1, through: count, by: isLong ? 1 : max(1, count / 2)) {
      try sandbox.put(before)
      let result = try run(sandbox, failing: call, when: "\(number)+")
      try expectTruth(result, sandbox, "\(call) from \(number) on")
    }
  }

  @Test func `when only the last sync of the folder fails, the edit is done, with a warning`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let traced = try sandbox.shell(
      "strace -f -y -o ../trace -e trace=fsync,fdatasync \"$CUSTOMERS\" add Eve >/dev/null; cat ../trace")
    let syncs = traced.output.split(separator: "\n").filter { $0.contains("sync(") }
    let ofFolder = try #require(syncs.last { $0.contains("/desk>") })
    let call = ofFolder.contains("fdatasync(") ? "fdatasync" : "fsync"
    let same = syncs.filter { $0.contains(" \(call)(") }
    let last = try #require(same.lastIndex { $0.contains("/desk>") }) + 1
    let result = try run(sandbox, failing: call, when: "\(last)")
    // The first of the two has added one already.
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = 'Eve'") == "2\n")
    #expect(result.code == 0, "\(result)")
    #expect(
      result.errors
        == "warning: the change was made, but then the disk failed: disk I/O error: Input/output error\n"
    )
  }

  @Test func `output that can't be written does not hide that the change was made`() throws {
    let sandbox = try CLISandbox.withLetters()
    let full = try sandbox.shell("customers add Eve > /dev/full")
    #expect(
      full
        == .failed(
          7, "customers: the change was made, but then: can't write the output: No space left on device"))
    let json = try sandbox.shell("customers add Eve --json > /dev/full")
    let error = try jsonObject(json.errors)["error"] as? [String: Any]
    #expect(json.code == 7 && error?["done"] as? Bool == true, "\(json)")
    #expect(try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = 'Eve'") == "2\n")
    // Nothing was changed by these.
    for words in ["list", "add Eve -n", "undo --steps 0"] {
      let result = try sandbox.shell("customers \(words) > /dev/full")
      #expect(!result.errors.contains("the change was made"), "\(words): \(result)")
    }
  }

  @Test(arguments: ["export", "backup"])
  func `output that can't be written does not hide that a file was written`(command: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.shell("customers \(command) copy > /dev/full; echo $? >&2; [ -s copy ]")
    let sentence = "the file was written, but then: can't write the output: No space left on device"
    #expect(result == ProcessResult(output: "", errors: "customers: \(sentence)\n7\n", code: 0))
    let preview = try sandbox.shell("customers \(command) other -n > /dev/full")
    #expect(preview.code == 1 && !preview.errors.contains("the file was written"), "\(preview)")
  }

  @Test(arguments: ["export", "backup"])
  func `when only the sync of its folder fails, a file is there, with a warning`(command: String) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let traced = try sandbox.shell(
      "strace -f -y -o ../trace -e trace=fsync \"$CUSTOMERS\" \(command) first; cat ../trace")
    let syncs = traced.output.split(separator: "\n").filter { $0.contains("fsync(") }
    let number = try #require(syncs.lastIndex { $0.contains("/desk>") }) + 1
    let result = try sandbox.shell(
      "strace -f -o /dev/null -e trace=fsync -e inject=fsync:error=EIO:when=\(number) "
        + "\"$CUSTOMERS\" \(command) copy -q; echo $?; [ -s copy ]")
    let warning = "warning: the file was written, but then the disk failed: Input/output error\n"
    #expect(result == ProcessResult(output: "0\n", errors: warning, code: 0))
  }

  @Test(arguments: ["fsync", "fdatasync", "unlink"])
  func `a restore reports truly whether it was done, and keeps the old list if it was`(call: String) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("backup", "../b", "-q") == .done())
    #expect(try sandbox.run("add", "Zed", "-q") == .done())
    let before = try #require(sandbox.bytes)
    var codes: Set<Int32> = []
    for number in stride(from: 1, through: 40, by: isLong ? 1 : 3) {
      try sandbox.put(before)
      let result = try sandbox.shell(
        "strace -f -qq -o ../trace -e trace=\(call) -e inject=\(call):error=EIO:when=\(number) "
          + "\"$CUSTOMERS\" restore ../b -y -q; code=$?; grep -q INJECTED ../trace || exit 99; exit $code")
      if result.code == 99 { break }
      codes.insert(result.code)
      let isDone = try sandbox.sqlite("SELECT count(*) FROM customers WHERE first_name = 'Zed'") == "0\n"
      let kept = try sandbox.names.filter { $0.contains("before-restore") }
      #expect([0, 6].contains(result.code) || !isDone, "\(call) \(number): \(result)")
      #expect(isDone == !kept.isEmpty, "\(call) \(number): \(kept), \(result)")
      for name in kept { try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)") }
      try sandbox.expectSound()
    }
    #expect(!codes.isEmpty)
  }

  @Test func `a limit for the size of files is named`() throws {
    let sandbox = try CLISandbox.withLetters()
    let blocks = try #require(sandbox.bytes).count / 512
    let result = try sandbox.shell(
      "ulimit -f \(blocks); customers add Eve --note \"$(head -c 90000 /dev/zero | tr '\\0' x)\"")
    #expect(result.code == 1)
    #expect(result.errors.contains("the limit for the size of a file is reached"), "\(result)")
    try sandbox.expectSound()
  }
}
