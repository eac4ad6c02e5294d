import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// `customers backup` beside writers, and interrupted.
@Suite(.serialized, .onThreads) struct BackupCrowdTests {
  private static let rows = isLong ? 4000 : 1500
  private static let copies = isLong ? 40 : 3

  /// The bytes of a list with a page for each row, and more.
  private static let large = Result {
    let sandbox = try CLISandbox()
    let note = String(repeating: "x", count: 2000)
    let list = "name,note\n" + (1...rows).map { "C\($0),\(note)\n" }.joined()
    try #require(try sandbox.run("import", "-", "-q", stdin: list) == .done())
    return try #require(sandbox.bytes)
  }

  private func largeDesk() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try sandbox.put(Self.large.get())
    return sandbox
  }

  @Test func `four writers go on beside it, and each copy is consistent`() throws {
    let sandbox = try largeDesk()
    let results = try concurrently(5) { worker in
      try (1...Self.copies).map { number in
        // Each step moves a row and adds two, so that every moment has an even number of rows.
        let script = "move \(worker * 7 + number) 1\nadd \"N\(worker)x\(number)\"\nadd M --at 5\n"
        return worker == 0
          ? try sandbox.spawn("backup", "copy\(number)")
          : try sandbox.spawn("apply", "-", "-q", stdin: script)
      }
    }
    #expect(results.flatMap { $0 }.filter { $0.code != 0 } == [])
    try sandbox.expectSound()
    var counts: [Int] = []
    for name in try sandbox.names where name.hasPrefix("copy") {
      let check = try sandbox.run("check", "--json", "--db", name)
      #expect(check.code == 0, "\(name): \(check)")
      counts.append(try #require(jsonObject(check.output)["count"] as? Int))
    }
    #expect(counts.count == Self.copies && counts.allSatisfy { $0 % 2 == 0 && $0 >= Self.rows })
    #expect(try sandbox.names.allSatisfy { !$0.contains(".") || $0 == "customers.sqlite" })
  }

  @Test(arguments: sampled([SIGINT, SIGTERM, SIGHUP], oneIn: 3) + [SIGKILL])
  func `an interrupted backup leaves no partial file`(signal: Int32) throws {
    let sandbox = try largeDesk()
    for delay in [0, 10, 30] as [UInt32] {
      let started = try sandbox.start([CLISandbox.program, "backup", "copy"])
      let process = try started.spawn.start()
      let deadline = ContinuousClock.now + longestWait
      while try sandbox.names.count < 2, .now < deadline {}
      usleep(delay * 1000)
      kill(process, signal)
      let code = Spawn.wait(process)
      #expect(code == 0 || code == 128 + signal)
      let names = try sandbox.names
      if names.contains("copy") {
        #expect(try sandbox.run("check", "--db", "copy").code == 0)
      } else {
        #expect(code != 0)
      }
      if signal != SIGKILL {
        #expect(names.allSatisfy { ["copy", "customers.sqlite"].contains($0) }, "\(names)")
      }
      _ = try sandbox.shell("rm -f copy*")
    }
    try sandbox.expectSound()
  }

  @Test(arguments: sampled([SIGINT, SIGTERM, SIGHUP], oneIn: 3, salt: 1))
  func `an interrupted restore leaves no copy, and the list as it was`(signal: Int32) throws {
    let sandbox = try largeDesk()
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    #expect(try sandbox.run("add", "Zoe", "-q") == .done())
    for delay in [0, 10, 30, 100] as [UInt32] {
      let started = try sandbox.start([CLISandbox.program, "restore", "copy", "--yes"])
      let process = try started.spawn.start()
      let deadline = ContinuousClock.now + longestWait
      while try sandbox.names.count < 3, .now < deadline {}
      usleep(delay * 1000)
      kill(process, signal)
      let code = Spawn.wait(process)
      #expect([0, 1, 128 + signal].contains(code))
      let left = try sandbox.names.filter { !["copy", "customers.sqlite"].contains($0) }
      #expect(left.allSatisfy { code == 0 && $0.contains("before-restore") }, "\(left)")
      if code != 0 { #expect(try sandbox.run("find", "Zoe", "-q").code == 0) }
      guard code != 0 else { break }
    }
    try sandbox.expectSound()
  }

  @Test func `a backup that is killed as it gets its name leaves no file with that name`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    let kill = "-e trace=rename,renameat2 -e inject=rename,renameat2:signal=SIGKILL"
    #expect(
      try sandbox.shell("strace -f -qq -o /dev/null \(kill) \"$CUSTOMERS\" backup copy").code == 128 + SIGKILL
    )
    // The call was made, or it was not.
    if try sandbox.names.contains("copy") {
      #expect(try sandbox.run("check", "--db", "copy").code == 0)
    } else {
      #expect(try sandbox.run("backup", "copy", "-q") == .done())
    }
  }

  @Test func `a copy for which there is no room is the one that is named`() throws {
    let sandbox = try largeDesk()
    let result = try sandbox.shell("ulimit -f 8; customers backup copy")
    #expect(
      result.code == 1 && result.errors.contains(": the file can't grow"),
      "\(result)")
    #expect(try sandbox.names == ["customers.sqlite"])
  }

  @Test func `a restore for which there is no room names the list, not the backup`() throws {
    let sandbox = try largeDesk()
    #expect(try sandbox.run("backup", "copy", "-q") == .done())
    let before = sandbox.bytes
    let result = try sandbox.shell("ulimit -f 8; customers restore copy -y")
    #expect(
      result.code == 1 && result.errors.hasPrefix("customers: can't write \"")
        && result.errors.contains("customers.sqlite\": ") && !result.errors.contains("\"copy\""), "\(result)")
    #expect(try sandbox.names == ["copy", "customers.sqlite"] && sandbox.bytes == before)
  }
}
