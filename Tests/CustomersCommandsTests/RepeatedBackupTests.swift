import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// `customers backup FILE --every TIME`, which keeps recent copies.
@Suite(.onThreads) struct RepeatedBackupTests {
  /// Starts the backup, runs `body`, and ends the backup with a signal.
  ///
  /// - Returns: the result of the backup.
  @discardableResult
  private func whileBackingUp(
    _ sandbox: CLISandbox, _ words: [String], environment: [String: String] = [:], by signal: Int32 = SIGTERM,
    _ body: () throws -> Void
  ) throws -> ProcessResult {
    var started = try sandbox.start([CLISandbox.program, "backup"] + words)
    started.spawn.environment.merge(environment) { $1 }
    let process = try started.spawn.start()
    do { try body() } catch {
      kill(process, SIGKILL)
      _ = Spawn.wait(process)
      throw error
    }
    kill(process, signal)
    return try started.outcome(code: Spawn.wait(process))
  }

  /// Waits until a folder has `count` copies, and returns their paths, oldest first.
  private func copies(_ sandbox: CLISandbox, _ count: Int, in folder: String? = nil) throws -> [String] {
    let folder = folder ?? sandbox.folder
    var found: [String] = []
    let deadline = ContinuousClock.now + longestWait
    while .now < deadline {
      found = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.wholeMatch(of: /copy-\d{8}T\d{6}Z\.sqlite/) != nil
      }.sorted()
      if found.count >= count { break }
      usleep(50_000)
    }
    return found.map { "\(folder)/\($0)" }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a copy is made after each change only, and the oldest are removed`(signal: Int32) throws {
    let sandbox = try CLISandbox.withLetters()
    let words = ["copy.sqlite", "--every", "1s", "--keep", "2,1h"]
    let result = try whileBackingUp(sandbox, words, by: signal) { () throws in
      let only = try copies(sandbox, 1)
      #expect(only.count == 1)
      // Named after the time in UTC, to the second.
      let names = DateFormatter()
      (names.timeZone, names.dateFormat) = (TimeZone(secondsFromGMT: 0), "'copy-'yyyyMMdd'T'HHmmss'Z.sqlite'")
      let made = try #require(names.date(from: URL(filePath: only[0]).lastPathComponent))
      #expect(abs(made.timeIntervalSinceNow) < 3600, "\(only)")
      usleep(1_300_000)
      #expect(try copies(sandbox, 1).count == 1)
      #expect(try sandbox.run("add", "E", "-q") == .done())
      #expect(try copies(sandbox, 2).count == 2)
      let first = try copies(sandbox, 2)[0]
      #expect(try sandbox.run("delete", "1", "-y", "-q") == .done())
      let deadline = ContinuousClock.now + longestWait
      while FileManager.default.fileExists(atPath: first), .now < deadline { usleep(50_000) }
    }
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.output.split(separator: "\n").count == 3, "\(result)")
    let kept = try copies(sandbox, 2)
    #expect(kept.count == 2)
    #expect(try sandbox.names.count == 3)
    // The machine is lost: each copy restores the list as it was.
    let before = try sandbox.order
    try FileManager.default.removeItem(atPath: sandbox.file)
    #expect(try sandbox.run("restore", kept[0], "-y", "-q") == .done())
    #expect(try sandbox.order == "A B C D E | X Y")
    #expect(try sandbox.run("restore", kept[1], "-y", "-q") == .done())
    #expect(try sandbox.order == before)
    try sandbox.expectSound()
  }

  @Test func `after a restart, an unchanged list is not copied again`() throws {
    let sandbox = try CLISandbox.withLetters()
    for _ in 0..<2 {
      try whileBackingUp(sandbox, ["copy.sqlite", "--every", "1s"]) { () throws in
        #expect(try copies(sandbox, 1).count == 1)
        usleep(300_000)
      }
    }
    #expect(try copies(sandbox, 1).count == 1)
  }

  @Test(arguments: ["backup copy.sqlite --every 1s", "backup copy.sqlite", "export list.csv"])
  func `what a killed command leaves of its file goes when one is made there next`(command: String) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let before = try sandbox.names
    // The first time that something is to reach the disk, the file has no name of its own yet.
    let strace =
      "strace -f -qq -o /dev/null -e trace=fsync,fdatasync -e inject=fsync,fdatasync:signal=SIGKILL"
    #expect(try sandbox.shell("\(strace) \"$CUSTOMERS\" \(command)").code == 128 + SIGKILL)
    let left = try Set(sandbox.names).subtracting(before)
    #expect(left.count == 1 && left.first?.wholeMatch(of: /(copy|list).*\.~\w{5}/) != nil, "\(left)")
    if command.contains("--every") {
      try whileBackingUp(sandbox, ["copy.sqlite", "--every", "1s"]) { _ = try copies(sandbox, 1) }
    } else {
      #expect(try sandbox.shell("customers \(command) -q") == .done())
    }
    #expect(try sandbox.names.count == before.count + 1)
    #expect(try left.isDisjoint(with: sandbox.names))
  }

  /// A file was just made and is not locked yet, or has its name and still the mark of an unfinished one.
  @Test func `whenever a backup is killed, what it leaves goes with the next one`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let before = try sandbox.names
    var left: Set<Int> = []
    for (call, last) in [("fcntl", 20), ("fsync", 1), ("renameat2", 1), ("fchmod", 2)] {
      for moment in 1...last {
        let strace = "strace -f -qq -o /dev/null -e trace=\(call)"
        let inject = "-e inject=\(call):signal=SIGKILL:when=\(moment)"
        let result = try sandbox.shell("\(strace) \(inject) \"$CUSTOMERS\" backup copy.sqlite -q")
        #expect(result.code == 128 + SIGKILL, "\(call) \(moment) \(result)")
        left.insert(try sandbox.names.count - before.count)
      }
    }
    // The last one had its name.
    #expect(try left == [0, 1] && sandbox.names == (before + ["copy.sqlite"]).sorted())
    #expect(try sandbox.run("check", "-q", "--db", "copy.sqlite") == .done())
    #expect(try sandbox.run("backup", "next.sqlite", "-q") == .done())
    #expect(try sandbox.names == (before + ["copy.sqlite", "next.sqlite"]).sorted())
  }

  @Test func `only its own copies are removed`() throws {
    let sandbox = try CLISandbox.withLetters()
    // Each has the start, the end, and the length of a copy's name.
    let others = [
      "copy-20261122-093000Z.sqlite", "copy-20261122T093000z.sqlite", "copy-2026112xT093000Z.sqlite",
      "copy-Anns-own-notes-1.sqlite", "copy-0000000000000000.sqlite", "copy-zzzzzzzzzzzzzzzz.sqlite",
    ]
    for name in others { try sandbox.write("precious", to: name) }
    // One of them is a copy of another list, and one is no list at all.
    try sandbox.write("precious", to: "copy-20000102T000000Z.sqlite")
    #expect(try sandbox.run("add", "Other", "-q", "--db", "copy-20000103T000000Z.sqlite") == .done())
    // A newer one of that list does not make its copies those of the series.
    #expect(
      try sandbox.run("backup", "copy-20991231T000000Z.sqlite", "-q", "--db", "copy-20000103T000000Z.sqlite")
        == .done())
    let old = "\(sandbox.folder)/copy-20000101T000000Z.sqlite"
    #expect(try sandbox.run("backup", old, "-q") == .done())
    #expect(try sandbox.run("add", "E", "-q") == .done())
    try whileBackingUp(sandbox, ["copy.sqlite", "--every", "1s", "--keep", "1"]) { () throws in
      let deadline = ContinuousClock.now + longestWait
      while FileManager.default.fileExists(atPath: old), .now < deadline { usleep(50_000) }
    }
    #expect(!FileManager.default.fileExists(atPath: old))
    #expect(try copies(sandbox, 1).count == 4)
    #expect(try Set(sandbox.names).isSuperset(of: others) && sandbox.names.count == others.count + 5)
  }

  @Test(arguments: ["here", "there"])
  func `copies of a list that was edited apart stay`(place: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let (start, ssh) = try sandbox.copies(place, in: sandbox.folder)
    let target = start + "copy.sqlite"
    #expect(try sandbox.run("backup", "new.sqlite", "-q") == .done())
    for list in ["new.sqlite", "customers.sqlite"] {
      #expect(try sandbox.run("add", "First on \(list)", "-q", "--db", list) == .done())
      let words = [target, "--every", "1s", "--keep", "1", "--db", list]
      try whileBackingUp(sandbox, words, environment: ssh) { () throws in
        for name in ["First on \(list)", "Second on \(list)"] {
          if name.hasPrefix("Second") { #expect(try sandbox.run("add", name, "-q", "--db", list) == .done()) }
          try waitUntil("there is a copy of the change") {
            try copies(sandbox, 1).contains { try sandbox.run("show", name, "-q", "--db", $0).code == 0 }
          }
        }
      }
    }
    let kept = try copies(sandbox, 1)
    #expect(kept.count == 2, "\(kept)")
    for (list, copy) in zip(["new.sqlite", "customers.sqlite"], kept) {
      #expect(try sandbox.run("show", "Second on \(list)", "-q", "--db", copy).code == 0)
    }
  }

  @Test func `a list with the name of a copy is copied`() throws {
    let sandbox = try CLISandbox.withLetters()
    let own = "copy-20000101T000000Z.sqlite"
    #expect(try sandbox.run("add", "A", "-q", "--db", own) == .done())
    try whileBackingUp(sandbox, ["copy.sqlite", "--every", "1s", "--keep", "1", "--db", own]) { () throws in
      #expect(try copies(sandbox, 2).count == 2)
    }
    #expect(try sandbox.names.contains(own))
  }

  @Test(arguments: ["here", "there"])
  func `copies from the future remove no copy that was just made`(place: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let (start, ssh) = try sandbox.copies(place, in: sandbox.folder)
    let target = start + "copy.sqlite"
    // One is an earlier state, and one was edited on its own.
    let (early, other) = ("copy-20991231T000000Z.sqlite", "copy-20991231T000001Z.sqlite")
    for name in [early, other] { #expect(try sandbox.run("backup", name, "-q") == .done()) }
    for name in ["1", "2", "3"] { #expect(try sandbox.run("add", name, "-q", "--db", other) == .done()) }
    #expect(try sandbox.run("add", "E", "-q") == .done())
    try whileBackingUp(sandbox, [target, "--every", "1s", "--keep", "1,1h"], environment: ssh) { () throws in
      for name in ["F", "G"] {
        func newest() throws -> [String] { try copies(sandbox, 1).filter { !$0.contains("-2099") } }
        try waitUntil("there is a copy of now") { try !newest().isEmpty }
        #expect(try sandbox.run("add", name, "-q") == .done())
        try waitUntil("there is a copy of the change") {
          try newest().contains { try sandbox.run("show", name, "-q", "--db", $0).code == 0 }
        }
      }
    }
    let kept = try copies(sandbox, 1)
    #expect(!kept.contains { $0.hasSuffix(early) } && kept.contains { $0.hasSuffix(other) }, "\(kept)")
  }

  @Test func `an edit made while a copy is made is in the next one`() throws {
    let sandbox = try CLISandbox.withLetters()
    // The second connection of a round makes the copy; the edit comes before it ends.
    let far = try sandbox.otherMachine(
      serving: """
        run sh -c "$word"
        code=$?
        echo x >> "$FAR/connections"
        [ $(wc -l < "$FAR/connections") != 2 ] || run customers add Late -q --db '\(sandbox.file)'
        exit $code
        """)
    try whileBackingUp(sandbox, ["copy.sqlite", "--every", "1s"], environment: far) { () throws in
      #expect(try copies(sandbox, 2).count == 2)
    }
    let last = try #require(copies(sandbox, 2).last)
    #expect(try sandbox.run("show", "Late", "-q", "--db", last).code == 0)
  }

  @Test func `copies go to another machine and are restored from there`() throws {
    let sandbox = try CLISandbox.withLetters()
    let far = try sandbox.otherMachine()
    let ssh = ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
    let folder = URL(filePath: sandbox.folder).deletingLastPathComponent().path + "/far"
    let words = ["ssh://elsewhere/~/copy.sqlite", "--every", "1s", "--keep", "2"]
    let result = try whileBackingUp(sandbox, words, environment: ssh) { () throws in
      #expect(try copies(sandbox, 1, in: folder).count == 1)
      #expect(try sandbox.run("add", "E", "-q") == .done())
      #expect(try copies(sandbox, 2, in: folder).count == 2)
    }
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.output.hasPrefix("Backed up 6 rows to \"ssh://elsewhere\(folder)/copy-"), "\(result)")
    try whileBackingUp(sandbox, words, environment: ssh) { usleep(700_000) }
    let spare = try copies(sandbox, 2, in: folder)
    #expect(spare.count == 2)
    try FileManager.default.removeItem(atPath: sandbox.file)
    let restored = try sandbox.run(
      words: ["restore", "ssh://elsewhere\(spare[1])", "-y"], environment: ssh)
    #expect(restored == .done("Restored 7 rows from \"ssh://elsewhere\(spare[1])\"."))
    #expect(try sandbox.order == "A B C D E | X Y")
    let missing = try sandbox.run(
      words: ["restore", "ssh://elsewhere/nowhere", "-y"], environment: ssh)
    #expect(missing.code == 3 && missing.errors.contains("can't fetch"), "\(missing)")
  }

  @Test(arguments: [true, false])
  func `a list on another machine is backed up to this one`(isNamed: Bool) throws {
    let sandbox = try CLISandbox.withLetters()
    var far = try sandbox.otherMachine()
    var words = ["copy.sqlite", "--every", "1s", "--json"]
    if isNamed {
      words += ["--db", try #require(far["CUSTOMERS_DB"])]
      far["CUSTOMERS_DB"] = "nowhere"
    }
    let result = try whileBackingUp(sandbox, words, environment: far) {
      () throws in
      #expect(try copies(sandbox, 1).count == 1)
      #expect(try sandbox.run("add", "E", "-q") == .done())
      #expect(try copies(sandbox, 2).count == 2)
    }
    #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
    for line in result.output.split(separator: "\n") {
      #expect(try jsonObject(String(line))["op"] as? String == "backup")
    }
  }

  @Test func `a single backup goes to another machine`() throws {
    let sandbox = try CLISandbox.withLetters()
    let far = try sandbox.otherMachine()
    let ssh = ["CUSTOMERS_SSH": try #require(far["CUSTOMERS_SSH"])]
    let words = ["backup", "ssh://elsewhere/~/one"]
    let first = try sandbox.run(words: words, environment: ssh)
    #expect(first.code == 0 && first.output.hasPrefix("Backed up 6 rows to \"ssh://elsewhere/"), "\(first)")
    let second = try sandbox.run(words: words, environment: ssh)
    #expect(second.code == 4 && second.errors.contains("the file already exists"), "\(second)")
    #expect(try sandbox.run(words: words + ["-y", "-q"], environment: ssh) == .done())
    #expect(
      try sandbox.run(words: words + ["-y", "-n"], environment: ssh).output.hasPrefix("Would back up 6"))
  }

  @Test func `impossible requests fail at once`() throws {
    let sandbox = try CLISandbox.withLetters()
    for (words, code) in [
      (["x", "--every", "5"], 2), (["x", "--every", "0s"], 2), (["x", "--every", "1s", "--keep", "0"], 2),
      (["x", "--every", "1s", "--keep", "2,0h"], 2), (["x", "--every", "1s", "--keep", "2,3"], 2),
      (["x", "--every", "1s", "--keep", "2y"], 2),
      (["x", "--keep", "2"], 2), (["nowhere/x", "--every", "1s"], 1), (["-", "--every", "1s"], 2),
      (["x", "--every", "1s", "--db", "nowhere"], 3),
    ] as [([String], Int32)] {
      let result = try sandbox.run(words: ["backup"] + words)
      #expect(result.code == code && !result.errors.isEmpty, "\(words): \(result)")
    }
    #expect(try sandbox.names == ["customers.sqlite"])
  }
}
