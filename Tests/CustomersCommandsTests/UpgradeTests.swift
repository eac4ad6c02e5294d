import CustomersTestSupport
import Foundation
import Testing

/// Lists of older versions: read as they are, upgraded when the user agrees.
@Suite(.onThreads) struct UpgradeTests {
  @Test(arguments: try Transcript.sessions("Upgrade"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `a table asks when it starts, and watch only reads`() throws {
    let sandbox = try CLISandbox.withOlder("11")
    try sandbox.expectUntouched {
      let (screen, code) = try sandbox.onTerminal("table", typing: "n\n")
      #expect(code == 5 && screen.contains("Version 0.2.0 can't open it afterward"), "\(screen)")
      #expect(try sandbox.spawn("watch", "--limit", "0").code == 0)
    }
  }

  /// If neither history says that both were added since the copies parted, they have one uid: their id.
  @Test func `customers who got one id in two copies of an older list are not taken for one another`() throws
  {
    let sandbox = try CLISandbox.withOlder("11")
    try #require(sandbox.bytes).write(to: URL(filePath: sandbox.folder + "/b.db"))
    for (name, file) in [("NewA", sandbox.file), ("NewB", sandbox.folder + "/b.db")] {
      _ = try OtherClient.run(
        "INSERT INTO customers (first_name) VALUES ('\(name)'); INSERT INTO forget_history SELECT max(id) FROM history_step",
        on: file)
      #expect(try sandbox.run("check", "--upgrade", "-y", "-q", "--db", file).code == 0)
    }
    let take = try sandbox.expectUntouched { try sandbox.run("take", "b.db", "--yes") }
    #expect(take.code == 4 && take.errors.contains("1 customer has the id of others there"), "\(take)")
  }

  @Test(arguments: [["upgrade"], ["add", "Ann", "--yes"]])
  func `a copy that does not fit leaves the list as it was`(words: [String]) throws {
    let sandbox = try CLISandbox.withOlder("11")
    let full = try sandbox.expectUntouched {
      try sandbox.shell("ulimit -f 100; customers \(words.joined(separator: " "))")
    }
    #expect(full.code == 1 && full.errors.contains("can't keep a copy beside it"), "\(full)")
    #expect(try sandbox.names == ["customers.sqlite"])
    let reading = try sandbox.expectUntouched { try sandbox.shell("ulimit -f 100; customers list --count") }
    #expect(reading.code == 1 && reading.errors.contains("$SQLITE_TMPDIR"), "\(reading)")
  }
}
