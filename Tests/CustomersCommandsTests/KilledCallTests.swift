import Foundation
import CustomersTestSupport
import Testing

/// A command that is killed as it begins its n-th call of a kind, for every n: the list is that before or
/// after.
@Suite(.onThreads) struct KilledCallTests {
  private static let commands = [
    ["add", "New", "--at", "2"], ["delete", "1", "2", "-y"], ["move", "1", "4"],
    ["edit", "1", "--note", "x"],
    ["section", "rename", "@2", "Other"], ["undo"], ["import", "rows.csv"], ["apply", "edits"],
    ["history", "--forget", "-y"], ["pull", "copy.sqlite", "-y"],
  ]

  /// The calls that write, and those that lock and look, of which the short form has the first three only.
  private static let calls = ["pwrite64", "fdatasync,fsync", "unlink", "ftruncate"]
  private static let earlyCalls = ["fcntl", "openat", "pread64", "write"]

  @Test(arguments: isLong ? commands : sampled([commands[5], commands[6], commands[9]], oneIn: 3))
  func `a command that is killed at any call is either done or not`(words: [String]) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("move", "4", "1", "-q") == .done())
    try sandbox.write("name\n" + (1...(isLong ? 60 : 20)).map { "Row\($0)\n" }.joined(), to: "rows.csv")
    try sandbox.write(
      "begin\nmove A --to 1 --section @1\ndelete B\nadd New --at 3 --section @1\nend\nsection add More2\n",
      to: "edits")
    #expect(try sandbox.spawn("backup", "copy.sqlite", "-q").code == 0)
    for words in [
      ["move", "2", "--last"], ["edit", "1", "--note", "x"], ["delete", "3", "-y"], ["add", "New"],
    ] {
      #expect(try sandbox.spawn(words: ["--db", "copy.sqlite"] + words + ["-q"]).code == 0)
    }
    try expectAllOrNothing(words, in: sandbox, killingAt: Self.calls + Self.earlyCalls)
  }

  @Test func `a conversion of an older list that is killed at any call is either done or not`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withOlder("10")
    try expectAllOrNothing(
      ["upgrade"], in: sandbox, killingAt: (isLong ? Self.calls : Array(Self.calls[1...2])) + Self.earlyCalls)
  }

  /// Runs a command again and again; each run is killed at the call after that of the one before.
  private func expectAllOrNothing(
    _ words: [String], in sandbox: CLISandbox, killingAt calls: [String]
  ) throws {
    let copy = try #require(sandbox.bytes)
    let before = try sandbox.state
    #expect(try sandbox.spawn(words: words).code == 0)
    let after = try sandbox.state
    #expect(before != after)
    var (early, cutOff, done) = (0, 0, 0)
    for call in calls {
      var number = 0
      while isLong || Self.calls.contains(call) || number < 3 {
        // The short form skips more calls the later they are.
        number += isLong ? 1 : 1 + number / 3
        try sandbox.put(copy)
        let journal = sandbox.file + "-journal"
        let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)"]
        let fault = ["-e", "inject=\(call):signal=SIGKILL:when=\(number)"]
        let result = try sandbox.start(strace + fault + [CLISandbox.program] + words).outcome()
        guard result.code == 128 + SIGKILL else {
          #expect(result.code == 0, "\(words), \(call) \(number): \(result)")
          break
        }
        let wasCutOff = FileManager.default.fileExists(atPath: journal)
        let found = try sandbox.state
        #expect(found == before || found == after, "\(words), \(call) \(number)")
        #expect(
          !result.output.hasSuffix("\n") || found == after, "\(words), \(call) \(number): told and lost")
        try sandbox.expectSound()
        if words[0] == "pull" {
          let again = try sandbox.spawn(words: words)
          #expect(again.code == 0 && again.output.hasPrefix("Nothing new") == (found == after), "\(again)")
          #expect(try sandbox.state == after, "\(words), \(call) \(number)")
          try sandbox.expectSound()
        }
        if found == after {
          done += 1
        } else if wasCutOff {
          cutOff += 1
        } else {
          early += 1
        }
      }
    }
    print(
      "\(words[0]): killed \(early) times before its transaction, \(cutOff) times inside it, \(done) times after it"
    )
    #expect(early > 0 && cutOff > 0 && done > 0)
  }
}

extension CLISandbox {
  /// The list, its format, and the number of steps that can be undone.
  fileprivate var state: String {
    get throws {
      try sqlite(
        CLISandbox.orderQuery + """
          SELECT group_concat(title), (SELECT group_concat(note) FROM customers) FROM sections;
          SELECT count(*) FROM history_edit; SELECT count(*) FROM history_step WHERE state = 'undone';
          PRAGMA user_version
          """)
    }
  }
}
