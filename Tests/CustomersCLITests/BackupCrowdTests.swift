import Foundation
import Glibc
import TestSupport
import Testing

/// `customers backup` beside writers, and interrupted.
@Suite(.serialized) struct BackupCrowdTests {
  /// A list of several thousand pages.
  private func largeDesk() throws -> Desk {
    let desk = try Desk()
    let note = String(repeating: "x", count: 2000)
    let rows = "name,note\n" + (1...4000).map { "C\($0),\(note)\n" }.joined()
    #expect(try desk.run("import", "-", "-q", stdin: rows) == .done())
    return desk
  }

  @Test func `four writers go on meanwhile, and each copy is of one moment`() throws {
    let desk = try largeDesk()
    let results = try atOnce(5) { worker in
      try (1...(isLong ? 40 : 6)).map { number in
        // Each step moves a row and adds two, so that every moment has an even number of rows.
        let script = "move \(worker * 7 + number) 1\nadd \"N\(worker)x\(number)\"\nadd M --at 5\n"
        return worker == 0
          ? try desk.run("backup", "copy\(number)") : try desk.run("apply", "-", "-q", stdin: script)
      }
    }
    #expect(results.flatMap { $0 }.filter { $0.code != 0 } == [])
    try desk.expectSound()
    var counts: [Int] = []
    for name in try desk.names where name.hasPrefix("copy") {
      let check = try desk.run("check", "--json", "--db", name)
      #expect(check.code == 0, "\(name): \(check)")
      counts.append(try #require(jsonObject(check.output)["count"] as? Int))
    }
    #expect(counts.count == (isLong ? 40 : 6) && counts.allSatisfy { $0 % 2 == 0 && $0 >= 4000 })
    #expect(try desk.names.allSatisfy { !$0.contains(".") || $0 == "customers.sqlite" })
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func `who is interrupted leaves no half file`(signal: Int32) throws {
    let desk = try largeDesk()
    for delay in [0, 10, 30] as [UInt32] {
      let started = try desk.start([Desk.program, "backup", "copy"])
      let process = try started.spawn.start()
      let deadline = ContinuousClock.now + .seconds(30)
      while try desk.names.count < 2, .now < deadline {}
      usleep(delay * 1000)
      kill(process, signal)
      let code = Spawn.wait(process)
      #expect(code == 0 || code == 128 + signal)
      let names = try desk.names
      if names.contains("copy") {
        #expect(try desk.run("check", "--db", "copy").code == 0)
      } else {
        #expect(code != 0)
      }
      if signal != SIGKILL {
        #expect(names.allSatisfy { ["copy", "customers.sqlite"].contains($0) }, "\(names)")
      }
      _ = try desk.shell("rm -f copy*")
    }
    try desk.expectSound()
  }
}
