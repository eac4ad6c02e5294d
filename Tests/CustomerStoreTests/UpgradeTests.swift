@testable import CustomerStore
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// A list of an older format: read as it is, in a converted copy, and upgraded only if that is allowed.
@Suite(.onThreads) struct UpgradeTests {
  private static func options(upgrades: Bool) -> CustomerStore.Options {
    var options = CustomerStore.Options()
    options.upgrades = upgrades
    return options
  }

  private func upgraded(_ path: String) throws -> CustomerStore {
    try CustomerStore(path: path, options: Self.options(upgrades: true))
  }

  /// All tables of the list but for the receipts, of which an upgrade leaves one.
  private func tables(_ store: CustomerStore) throws -> [String] {
    try store.read { list in
      try list.connection.schema().filter { $0.type == "table" && $0.name != "receipt" }.map { table in
        let columns = try list.connection.fetchAll(
          "SELECT group_concat('quote(' || quote(name) || ')', ' || char(31) || ') FROM pragma_table_info(?)",
          [.text(table.name)]
        ) { $0.text(0).replacing("'", with: "\"") }
        let rows = try list.connection.fetchAll(
          "SELECT \(columns[0]) FROM \(table.name.asSQLName) ORDER BY 1"
        ) {
          $0.text(0)
        }
        return table.name + "\n" + rows.joined(separator: "\n")
      }
    }
  }

  @Test(arguments: [10, 11]) func `a file that is read stays as it is, and reads the same each time`(
    format: Int
  )
    throws
  {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-\(format)", to: folder)
      let before = try bytes(of: path)
      let time = Date(timeIntervalSince1970: 1_000_000_000)
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)

      let store = try CustomerStore(path: path)
      let (found, version) = (try tables(store), try store.read { try $0.version() })
      #expect(try store.format() == format && store.upgrade == nil)
      #expect(try store.read { try $0.check() } == [])
      #expect(try store.readAtLength { try $0.count() } == 97)
      #expect(try store.copyInMemory().read { try $0.count() } == 97)
      try store.backUp(to: folder + "/backup")
      #expect(try CustomerStore(path: folder + "/backup").format() == format)
      for rows in [nil, { (_: borrowing CustomerList) in 1_000_000 }] {
        #expect(
          try store.dryRun(rows: rows) { list in
            _ = try list.delete([CustomerID(rawValue: 1)])
            return try list.count()
          } == 96)
      }
      let refusal = StoreError.needsUpgrade(from: format, to: CustomerStore.formatVersion)
      #expect(throws: refusal) { try store.write { list in _ = try list.undo() } }
      #expect(throws: refusal) { try store.eraseTraces() }
      #expect(throws: refusal) {
        let backup = try CustomerStore.checkBackup(at: folder + "/backup", forListAt: path)
        try store.restore(backup, keepingListAt: nil)
      }
      #expect(try store.readAtOnce { try $0.count() } == 97)
      #expect(try tables(store) == found)
      #expect(try bytes(of: path) == before)
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == time)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["backup", "list.sqlite"])

      // A second copy, the upgraded file, and the store that has it open.
      #expect(try tables(CustomerStore(path: path)) == found)
      let new = try upgraded(path)
      #expect(try tables(new) == found && tables(store) == found)
      #expect(try store.read { try $0.version() } == version && store.format() == CustomerStore.formatVersion)
      try store.write { list in _ = try list.undo() }
      #expect(try new.read { try $0.version() }.edit > version.edit)
    }
  }

  @Test(arguments: [10, 11]) func `an upgrade keeps the file as it was, and another one under another name`(
    format: Int
  ) throws {
    try withTemporaryFolder { folder in
      for number in 1...2 {
        let path = try ShippedFormatTests.copy("format-\(format)", to: folder)
        let before = try bytes(of: path)
        let kept = path + ".before-upgrade" + (number == 1 ? "" : "-2")
        #expect(try upgraded(path).upgrade == ListUpgrade(format: format, backup: kept))
        #expect(try bytes(of: kept) == before)
        #expect(try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int == 0o600)
        #expect(try upgraded(path).upgrade == nil)
        #expect(try CustomerStore(path: path).read { try $0.check() } == [])
      }
      #expect(CustomerStore.backupsOfUpgrades(ofListAt: folder + "/list.sqlite").count == 2)
    }
  }

  @Test func `what another program writes to an older file is read`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-11", to: folder)
      let store = try CustomerStore(path: path)
      let version = try store.read { try $0.version() }
      try Connection(path: path).execute("UPDATE customers SET note = 'by 0.2.0' WHERE id = 12")
      let (note, new) = try store.read { list in
        (try list.customer(CustomerID(rawValue: 12)).fields.note, try list.version())
      }
      #expect(note == "by 0.2.0")
      #expect(new.edit == version.edit + 1 && new.mark != version.mark)
      #expect(try store.read { try $0.has(version) })
    }
  }

  @Test func `an upgrade takes what is only in a write-ahead log that another program has open`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-11", to: folder)
      let other = try Connection(path: path)
      _ = try other.localFile.setJournalMode(.writeAheadLog)
      try other.execute("UPDATE customers SET note = 'in the log' WHERE id = 12")
      let kept = try #require(try upgraded(path).upgrade?.backup)
      let old = try CustomerStore(path: kept)
      #expect(try old.format() == 11)
      #expect(try old.read { try $0.customer(CustomerID(rawValue: 12)) }.fields.note == "in the log")
    }
  }

  @Test func `a write-ahead log stays beside a file that is only read`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-11", to: folder)
      do {
        let other = try Connection(path: path)
        _ = try other.localFile.setJournalMode(.writeAheadLog)
        try other.localFile.keepWriteAheadLog()
        try other.execute("UPDATE customers SET note = 'in the log' WHERE id = 12")
      }
      let files = try ["", "-wal"].map { try bytes(of: path + $0) }
      do {
        let store = try CustomerStore(path: path)
        #expect(try store.read { try $0.customer(CustomerID(rawValue: 12)) }.fields.note == "in the log")
        _ = try store.dryRun { list in try list.insert(CustomerFields(firstName: "New")) }
      }
      #expect(try ["", "-wal"].map { try bytes(of: path + $0) } == files)
      #expect(
        try upgraded(path).read { try $0.customer(CustomerID(rawValue: 12)) }.fields.note == "in the log")
    }
  }

  @Test func `all that upgrades leave is found, even of a list that a link names`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-11", to: folder)
      let link = folder + "/link.sqlite"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      _ = try upgraded(link)
      try write([1], to: path + ".before-upgrade.abcdef")
      let found = CustomerStore.backupsOfUpgrades(ofListAt: link)
      #expect(found == CustomerStore.backupsOfUpgrades(ofListAt: path))
      #expect(
        found.map { $0.split(separator: "/").last } == [
          "list.sqlite.before-upgrade", "list.sqlite.before-upgrade.abcdef",
        ])
    }
  }

  @Test func `a list that has no identity yet can be exported as cards`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-10", to: folder)
      try Connection(path: path).executeScript("DELETE FROM history_edit; DELETE FROM history_step")
      #expect(try CustomerStore(path: path).read { try $0.uuid(of: CustomerID(rawValue: 12)) } == "")
    }
  }

  /// A text of another program can have any length.
  @Test func `what is written in the oldest step does not make a conversion longer`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-10", to: folder)
      try Connection(path: path).execute(
        "UPDATE history_step SET program = ?", [.text(String(repeating: "x", count: 1_000_000))])
      #expect(try CustomerStore(path: path).read { try $0.count() } == 97)
    }
  }

  @Test func `of ten that upgrade a list at once, one does, and one copy is kept`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-11", to: folder)
      let done = Mutex<[ListUpgrade?]>([])
      DispatchQueue.concurrentPerform(iterations: 10) { _ in
        let upgrade = Result { try upgraded(path).upgrade }
        done.withLock { $0.append(try? upgrade.get()) }
      }
      #expect(done.withLock { $0.count { $0 != nil } } == 1)
      #expect(CustomerStore.backupsOfUpgrades(ofListAt: path).count == 1)
      #expect(try CustomerStore(path: path).format() == CustomerStore.formatVersion)
    }
  }

  @Test func `a list without a history has an identity when it is upgraded, and no other list has it`() throws
  {
    try withTemporaryFolder { folder in
      let identities = try ["a", "b"].map { name in
        let path = folder + "/" + name
        try write([], to: path)
        try Connection(path: path).makeList(ofFormat: 10)
        let refusal = StoreError.needsUpgrade(from: 10, to: CustomerStore.formatVersion)
        let store = try CustomerStore(path: path)
        #expect(throws: refusal) { try store.read { try $0.lastingVersion() } }
        return try upgraded(path).read { list in
          #expect(try list.lastingVersion().mark.count == 32)
          return try list.connection.fetchOne("SELECT list_id || history_id FROM list_identity") {
            $0.text(0)
          }
        }
      }
      #expect(identities[0]?.count == 64 && identities[0] != identities[1])
    }
  }

  @Test func `a file that can't be converted is read no further, and not upgraded`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-11", to: folder)
      try Connection(path: path).executeScript("DROP TABLE history_row")
      let before = try bytes(of: path)
      let failure = StoreError.upgradeFailed(
        from: 11, to: CustomerStore.formatVersion, reason: "no such table: history_row")
      let store = try CustomerStore(path: path)
      #expect(throws: failure) { try store.read { try $0.count() } }
      #expect(throws: failure) { _ = try upgraded(path) }
      #expect(try bytes(of: path) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["list.sqlite"])
    }
  }

  @Test func `a table with a name that the list needs now stays, and hinders the upgrade alone`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-11", to: folder)
      try Connection(path: path).executeScript("CREATE TABLE settings (a); INSERT INTO settings VALUES (1)")
      let before = try bytes(of: path)
      let store = try CustomerStore(path: path)
      #expect(try store.read { try $0.count() } == 97)
      #expect(try store.dryRun { list in try list.insert(CustomerFields()).id.rawValue } > 100)
      let failure = StoreError.failed(
        "another program made the table \"settings\", whose name the list needs now; rename it before the list is upgraded"
      )
      #expect(throws: failure) { _ = try upgraded(path) }
      #expect(try bytes(of: path) == before)
      try Connection(path: path).executeScript("ALTER TABLE settings RENAME TO own")
      #expect(
        try upgraded(path).read { try $0.connection.fetchAll("SELECT a FROM own") { $0.int(0) } } == [1])
    }
  }

  @Test func `a file that may only be read is read, and not upgraded`() throws {
    try withTemporaryFolder { folder in
      let path = try ShippedFormatTests.copy("format-10", to: folder)
      var options = CustomerStore.Options()
      options.isReadOnly = true
      let store = try CustomerStore(path: path, options: options)
      #expect(try store.read { try $0.count() } == 97)
      #expect(throws: StoreError.readOnly) { try store.write { list in _ = try list.undo() } }
      options.upgrades = true
      #expect(throws: StoreError.readOnly) { _ = try CustomerStore(path: path, options: options) }
    }
  }
}
