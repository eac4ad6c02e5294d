import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// A command that a signal interrupts as it makes its n-th call of a kind, for every n: its exit code says truly whether
/// it was done, and only then does it leave a file.
@Suite(.onThreads) struct InterruptedCallTests {
  private static let commands = [
    ["restore", "../copy", "-y"], ["add", "New", "--at", "2"], ["delete", "1", "2", "-y"], ["undo"],
    ["import", "../rows.csv"], ["apply", "../edits"], ["history", "--forget", "-y"], ["backup", "new"],
    ["export", "new.csv"],
  ]
  /// The calls that write, lock, and name files, each as often as the short form meets it.
  private static let calls = [
    ("fdatasync", 12), ("fsync", 3), ("renameat2", 2), ("fchmod", 4), ("unlink", 9), ("pwrite64", 3),
    ("fcntl", 0),
    ("openat", 0), ("pread64", 0), ("rt_sigprocmask", 0), ("rt_sigpending", 0), ("close", 0),
  ]

  @Test(arguments: isLong ? commands : sampled(commands.prefix(2), oneIn: 2))
  func `a command that is interrupted at any call says whether it was done`(words: [String]) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("backup", "../copy", "-q") == .done())
    #expect(try sandbox.run("move", "4", "1", "-q") == .done())
    try sandbox.put("name\nBob\n", beside: "rows.csv")
    try sandbox.put("add Bob\nmove Bob --to 1 --section @1\n", beside: "edits")
    let before = try #require(sandbox.bytes)
    let state = try sandbox.state
    var (done, undone) = (0, 0)
    for (call, shortCount) in Self.calls {
      for number in 1...(isLong ? 2000 : max(1, shortCount)) {
        let signal = [SIGINT, SIGTERM, SIGHUP][number % 3]
        for name in try sandbox.names where name != "customers.sqlite" {
          try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
        }
        try sandbox.put(before)
        let strace = ["strace", "-f", "-qq", "-o", "\(sandbox.folder)/../trace", "-e", "trace=\(call)"]
        let fault = ["-e", "inject=\(call):signal=\(signal):when=\(number)"]
        let result = try sandbox.start(strace + fault + [CLISandbox.program] + words).outcome()
        let trace = try String(contentsOfFile: "\(sandbox.folder)/../trace", encoding: .utf8)
        // A signal that is held back and has no effect leaves no trace of its own.
        guard trace.split(separator: "\n").count(where: { $0.contains("\(call)(") }) >= number else { break }
        let others = try sandbox.names.filter { $0 != "customers.sqlite" }
        let isDone = try sandbox.state != state || others.contains { $0.hasPrefix("new") }
        #expect(
          (isDone ? [0, 7] : [1, 128 + signal]).contains(result.code),
          "\(words), \(call) \(number): \(result)")
        let kept = others.filter { ["new", "new.csv", "customers.sqlite.before-restore"].contains($0) }
        #expect(others == (isDone ? kept : []), "\(words), \(call) \(number): \(others)")
        try sandbox.expectSound()
        if isDone { done += 1 } else { undone += 1 }
      }
    }
    print("\(words[0]): interrupted, \(done) times it was done, \(undone) times it was not")
    #expect(done > 0 && undone > 0)
  }

  @Test(arguments: sampled([SIGINT, SIGTERM, SIGHUP], oneIn: 3))
  func `a signal that comes while the report waits for its reader does not deny the change`(signal: Int32)
    throws
  {
    let sandbox = try CLISandbox.withLetters()
    // More than a pipe takes.
    let name = String(repeating: "Bob ", count: 100)
    try sandbox.write((1...300).map { "add \"\(name)\($0)\"\n" }.joined(), to: "edits")
    let run = try PipedRun(sandbox, [CLISandbox.program, "apply", "edits"])
    let deadline = ContinuousClock.now + longestWait
    while try sandbox.run("list", "--count") != .done("306"), .now < deadline {}
    kill(run.process, signal)
    // It was held back, or it ended the report.
    #expect(try [0, 7].contains(run.outcome().code))
    try sandbox.expectSound()
  }
}

extension CLISandbox {
  /// The list and the number of steps that can be undone.
  fileprivate var state: String {
    get throws {
      try sqlite(
        CLISandbox.orderQuery
          + "SELECT group_concat(title) FROM sections; SELECT count(*), sum(state = 'undone') FROM history_step"
      )
    }
  }

  /// Writes a file beside the folder.
  fileprivate func put(_ text: String, beside name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/../\(name)"))
  }
}
