import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// In a folder where others may create files, only those who may write the list may leave a journal beside it.
///
/// The tests need root, as whom they can give files to other users; elsewhere they check what they can.
@Suite(.onThreads) struct ForeignJournalTests {
  private static let commands = [["list"], ["show", "1"], ["add", "Eve"], ["check"], ["undo"]]

  /// A list whose folder everyone may write to.
  private static func shared(listMode: mode_t = 0o600) throws -> CLISandbox {
    let sandbox = try CLISandbox.withLetters()
    #expect(unsafe chmod(URL(filePath: sandbox.file).deletingLastPathComponent().path, 0o1777) == 0)
    #expect(unsafe chmod(sandbox.file, listMode) == 0)
    return sandbox
  }

  /// A hot journal of another list with the same name, which replaces this one when it is rolled back.
  private static func hostileJournal() throws -> Data {
    let other = try CLISandbox()
    _ = try other.run("add", "ATTACKER")
    _ = try other.shell(
      """
      command sqlite3 "$CUSTOMERS_DB" 'PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN;
        UPDATE customer_record SET note = hex(randomblob(200000));' '.shell cp "$CUSTOMERS_DB-journal" hot' '.shell kill -9 $PPID'
      """)
    return try Data(contentsOf: URL(filePath: other.folder + "/hot"))
  }

  private static func expectRefusal(_ sandbox: CLISandbox, _ what: String) throws {
    let before = try Data(contentsOf: URL(filePath: sandbox.file))
    for words in commands {
      let result = try sandbox.run(words: words)
      #expect(result.code == 1, "\(what), \(words): \(result)")
      #expect(result.errors.contains("customers.sqlite-journal was not left by anyone"), "\(what): \(result)")
      #expect(result.errors.contains("hint: "), "\(what): \(result)")
      #expect(result.output.isEmpty, "\(what): \(result)")
    }
    #expect(try Data(contentsOf: URL(filePath: sandbox.file)) == before, "\(what)")
  }

  @Test(.enabled(if: geteuid() == 0, "another user needs root"))
  func `another user's journal is refused by name, and the list stays`() throws {
    let journal = try Self.hostileJournal()
    for owner: uid_t in [65534, 4711] {
      let sandbox = try Self.shared()
      try journal.write(to: URL(filePath: sandbox.file + "-journal"))
      #expect(unsafe chown(sandbox.file + "-journal", owner, owner) == 0)
      try Self.expectRefusal(sandbox, "\(owner)")
      #expect(unsafe unlink(sandbox.file + "-journal") == 0)
      #expect(try sandbox.run("list").code == 0)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "another user needs root"))
  func `an empty journal of another user does not receive pages of the list`() throws {
    let sandbox = try Self.shared()
    try Data().write(to: URL(filePath: sandbox.file + "-journal"))
    #expect(unsafe chown(sandbox.file + "-journal", 65534, 65534) == 0)
    #expect(try sandbox.run("add", "Eve").errors.contains("was not left by anyone"))
    #expect(try Data(contentsOf: URL(filePath: sandbox.file + "-journal")).isEmpty)
  }

  @Test func `a pipe, a link, or a folder of that name is refused without waiting`() throws {
    let makers: [(String, (String) -> Int32)] = [
      ("pipe", { unsafe mkfifo($0, 0o666) }), ("link", { unsafe symlink("/etc/passwd", $0) }),
      ("link to a new file", { unsafe symlink($0 + "-elsewhere", $0) }),
    ]
    for (what, make) in makers {
      let sandbox = try Self.shared()
      #expect(make(sandbox.file + "-journal") == 0)
      let added = try sandbox.run("add", "Eve")
      #expect(added.code == 1 && added.errors.contains("was not left by anyone"), "\(what): \(added)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.file + "-journal-elsewhere"), "\(what)")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "another user needs root"))
  func `those who may write the list may leave a journal: its owner, oneself, its group`() throws {
    // The account "games" is in the group "games" of every Debian and Ubuntu system.
    guard let games = unsafe getpwnam("games") else {
      Issue.record("there is no account games")
      return
    }
    let (user, group) = unsafe (games.pointee.pw_uid, games.pointee.pw_gid)
    for (owner, listOwner, listMode, isTrusted) in [
      (0, 4711, 0o600, true), (4711, 4711, 0o600, true), (user, 4711, 0o600, false),
      (user, 4711, 0o660, true), (4712, 4711, 0o660, false), (4712, 4711, 0o666, true),
    ] as [(uid_t, uid_t, mode_t, Bool)] {
      let sandbox = try Self.shared(listMode: listMode)
      #expect(unsafe chown(sandbox.file, listOwner, group) == 0)
      // Without a header it is no hot journal, so it is removed by the next edit.
      try Data(count: 512).write(to: URL(filePath: sandbox.file + "-journal"))
      #expect(unsafe chown(sandbox.file + "-journal", owner, owner) == 0)
      let result = try sandbox.run("add", "Eve")
      let mode = String(listMode, radix: 8)
      #expect((result.code == 0) == isTrusted, "\(owner) \(listOwner) \(mode): \(result)")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "another user needs root"))
  func `a write-ahead log of another user is refused, too`() throws {
    let sandbox = try Self.shared()
    _ = try sandbox.shell(
      """
      command sqlite3 "$CUSTOMERS_DB" 'PRAGMA journal_mode = wal' "UPDATE customers SET note = 'x'" \
        '.shell kill -9 $PPID' >&-
      """)
    for suffix in ["-wal", "-shm"] {
      #expect(unsafe chown(sandbox.file + suffix, 65534, 65534) == 0)
    }
    let result = try sandbox.run("list")
    #expect(result.code == 1 && result.errors.contains("was not left by anyone"), "\(result)")
  }
}
