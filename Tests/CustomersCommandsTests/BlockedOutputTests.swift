import Foundation
import CustomersTestSupport
import CustomersSystem
import Testing

/// Blocked output: other programs can use the list.
@Suite(.onThreads) struct BlockedOutputTests {
  /// Every command that prints the list or a part of it, in every format.
  private static let readers = [
    ["list"], ["list", "--format", "csv"], ["list", "--format", "tsv"], ["list", "--json"],
    ["list", "--format", "ndjson"], ["find", "x"], ["find", "x", "--json"], ["export"],
    ["export", "--format", "json"], ["export", "--format", "vcard"], ["show", "1"], ["show", "1", "--json"],
    ["history"], ["history", "--json"],
  ]

  /// A sandbox with a list that is longer than a pipe takes, and than what a table looks at to find its widths,
  /// and has a long row.
  private static func longList(rows: Int) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let note = String(repeating: "x", count: 60)
    let first = "Ann,\(String(repeating: "x", count: 80_000))\n"
    let others = (2...rows).map { "Ann \($0),\(note)\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: "name,note\n" + first + others) == .done())
    return sandbox
  }

  private static let longFile = Result { try longList(rows: 1100).bytes }

  private func longList() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let file = try Self.longFile.get()
    try sandbox.put(#require(file))
    return sandbox
  }

  private func program(_ words: [String]) -> [String] { [CLISandbox.program] + words }

  @Test func `blocked or stopped readers do not block writers`() throws {
    let sandbox = try longList()
    // Names that make the history long.
    for letter in ["a", "b", "c", "d"] {
      let name = String(repeating: letter, count: 20_000)
      #expect(try sandbox.run("edit", "2", "--name", name, "-q") == .done())
    }
    // A table whose rows are all as wide takes seconds.
    #expect(try sandbox.run("edit", "2", "--name", "Ann 2", "-q") == .done())
    let readers = sampled(BlockedOutputTests.readers, oneIn: 7)
    let before = try readers.map { try sandbox.run(words: $0) }
    let runs = try readers.map { try PipedRun(sandbox, program($0)) }
    let watches = try [["watch"], ["watch", "--json"]].map { try PipedRun(sandbox, program($0)) }
    try sandbox.addWhile(blocked: runs + watches)
    for run in runs + watches { kill(run.process, SIGSTOP) }
    try sandbox.addWhile(blocked: runs + watches)
    for run in runs { kill(run.process, SIGCONT) }
    for watch in watches { watch.kill() }
    // The complete output is the list as it was at the start.
    for (run, before) in zip(runs, before) {
      let outcome = try run.outcome()
      #expect(outcome.code == 0 && outcome.errors.isEmpty)
      #expect(outcome.output == before.output, "\(outcome.output.count) and \(before.output.count)")
    }
    try sandbox.expectSound()
  }

  @Test func `a dry run with much output does not block writers`() throws {
    let sandbox = try CLISandbox.withLetters()
    let script = (1...500).map { "add 'A long name that makes a line long \($0)' --first\n" }.joined()
    try sandbox.write(script, to: "script")
    let run = try PipedRun(sandbox, program(["apply", "script", "-n", "--json"]))
    try sandbox.addWhile(blocked: [run])
    let outcome = try run.outcome()
    #expect(outcome.code == 0 && outcome.output.hasSuffix("\"dry_run\":true}\n"))
  }

  @Test(arguments: sampled([["list"], ["find", "x"], ["list", "--json"], ["show", "1"]], oneIn: 4))
  func `an idle pager does not block writers`(words: [String]) throws {
    let sandbox = try longList()
    let pager = "printf '[y/n] '; head -n 1 < /dev/tty > answer"
    let (_, code) = try sandbox.onTerminal(
      words: words, typing: "\n", rows: 8, environment: ["PAGER": pager],
      beforeTyping: { try sandbox.addWhile(blocked: []) })
    #expect(code == 0)
  }

  @Test func `a pipe that receives an export or rejected rows does not block writers`() throws {
    let sandbox = try longList()
    try sandbox.write(
      "name\n" + String(repeating: String(repeating: "A", count: 200) + ",b\n", count: 1_000), to: "bad.csv")
    for words in [["export", "/dev/stdout"], ["import", "bad.csv", "-q", "--rejects", "/dev/stdout"]] {
      let run = try PipedRun(sandbox, program(words))
      try sandbox.addWhile(blocked: [run])
      #expect(try run.outcome().code == 0, "\(words)")
    }
  }

  @Test func `the program waits for the reader of a pipe before it locks the list`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.shell("mkfifo rejects; printf 'name\\nC\\nA,b\\n' > bad.csv") == .done())
    let started = try sandbox.start(program(["import", "bad.csv", "-q", "--rejects", "rejects"]))
    let process = try started.spawn.start()
    waitUntilAsleep(process)
    try sandbox.addWhile(blocked: [])
    #expect(try sandbox.shell("cat rejects") == .done("name\nA,b"))
    #expect(Spawn.wait(process) == 0)
    #expect(try sandbox.order == "A B C D New C | X Y")
  }

  @Test func `waiting output is in a private unnamed file`() throws {
    let sandbox = try longList()
    let environment = try sandbox.editor("")
    let run = try PipedRun(sandbox, program(["list"]), environment: environment)
    try sandbox.addWhile(blocked: [run])
    #expect(try sandbox.leftovers.isEmpty)
    let kept = run.openFiles.filter { $0.link.hasPrefix(sandbox.folder + "/tmp/") }
    #expect(kept.count == 1 && kept.allSatisfy { $0.link.hasSuffix(" (deleted)") })
    for file in kept {
      var status = stat()
      #expect(unsafe stat(file.path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o600 && status.st_nlink == 0)
    }
    #expect(try run.outcome().code == 0)
  }

  @Test func `no temporary file is created if nothing has to wait`() throws {
    let sandbox = try longList()
    for script in ["list --limit 9 --offset 1", "list > ../out", "list > /dev/null", "export ../out -y -q"] {
      let result = try sandbox.shell("customers \(script)", environment: ["TMPDIR": "/nowhere"])
      #expect(result.code == 0 && result.errors.isEmpty, "\(script): \(result.errors)")
    }
  }

  @Test func `a disk without space for waiting output is reported`() throws {
    let sandbox = try longList()
    let environment = try sandbox.editor("")
    for words in [["list"], ["export", "--format", "json"]] {
      let limited = ["/bin/sh", "-c", "ulimit -f 8; exec \"$CUSTOMERS\" \"$@\"", "sh"] + words
      let outcome = try PipedRun(sandbox, limited, environment: environment).outcomeUnread()
      let folder = sandbox.folder + "/tmp"
      #expect(outcome.code == 1)
      #expect(
        outcome.errors == """
          customers: can't write a temporary file in "\(folder)": File too large
          hint: set $TMPDIR to a folder with more space

          """)
    }
    let outcome = try PipedRun(sandbox, program(["list"]), environment: ["TMPDIR": "/nowhere"])
      .outcomeUnread()
    #expect(outcome.code == 1)
    #expect(outcome.errors == "customers: can't create a file in \"/nowhere\": No such file or directory\n")
  }

  @Test func `waiting with a longer list needs no more memory`() throws {
    let peaks = try [1200, 4200].map { rows in
      let sandbox = try Self.longList(rows: rows)
      let run = try PipedRun(sandbox, program(["list", "--json"]))
      defer { run.kill() }
      try sandbox.addWhile(blocked: [run])
      return try run.peakMemory
    }
    #expect(peaks[1] < peaks[0] + 3000, "\(peaks)")
  }

  /// Waits until a program has slept for a while.
  private func waitUntilAsleep(_ process: pid_t) {
    var asleep = 0
    while asleep < 20, !Spawn.hasEnded(process) {
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let state = status?.split(separator: ")").last?.dropFirst().first
      asleep = state == "S" ? asleep + 1 : 0
      usleep(10_000)
    }
  }
}
