import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

/// `CustomerStore.backUp`: a whole file or none.
@Suite(.onThreads) struct BackUpTests {
  private struct Enough: Error {}

  private func store(_ folder: String) throws -> CustomerStore {
    let store = try CustomerStore(path: folder + "/list.sqlite")
    try store.write { list in
      for name in ["Ann", "Bob"] { _ = try list.insert(CustomerFields(firstName: name)) }
    }
    return store
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `the copy is an independent list`() throws {
    try withTemporaryFolder { folder in
      let store = try store(folder)
      let made = try store.backUp(to: folder + "/copy")
      #expect(made.count == 2 && made.violations.isEmpty)
      try store.write { list in _ = try list.insert(CustomerFields()) }
      #expect(try CustomerStore(path: folder + "/copy").read { try $0.count() } == 2)
      #expect(try names(folder) == ["copy", "list.sqlite"])
      // A list in memory can be kept that way.
      let memory = try CustomerStore.inMemory()
      #expect(try memory.backUp(to: folder + "/memory").count == 0)
      #expect(try CustomerStore(path: folder + "/memory").read { try $0.check() }.isEmpty)
    }
  }

  @Test func `a copy that waits for another program keeps no reader of the store waiting`() throws {
    try withTemporaryFolder { folder in
      _ = try store(folder)
      let store = try CustomerStore(path: folder + "/list.sqlite", busyTimeout: .seconds(60))
      let other = try Connection(path: folder + "/list.sqlite")
      try other.execute("BEGIN EXCLUSIVE")
      let hasEnded = Mutex(false)
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        _ = try? store.backUp(to: folder + "/copy")
        hasEnded.withLock { $0 = true }
      }
      // Time for it to begin.
      Thread.sleep(forTimeInterval: 0.5)
      #expect(throws: StoreError.locked) { try store.read(busyTimeout: .milliseconds(50)) { _ in } }
      let isOver = hasEnded.withLock { $0 }
      #expect(!isOver)
      try other.execute("COMMIT")
      group.wait()
      #expect(try names(folder) == ["copy", "list.sqlite"])
    }
  }

  @Test func `an abandoned or refused copy leaves everything unchanged`() throws {
    try withTemporaryFolder { folder in
      let store = try store(folder)
      let note = String(repeating: "x", count: 1_000_000)
      try store.write { list in for _ in 0..<6 { _ = try list.insert(CustomerFields(note: note)) } }
      try write(Array("precious".utf8), to: folder + "/copy")
      #expect(throws: BackupError.exists) { try store.backUp(to: folder + "/copy") }
      #expect(throws: Enough.self) {
        try store.backUp(to: folder + "/copy", replacing: true) { throw Enough() }
      }
      #expect(throws: BackupError.isReserved(.list)) {
        try store.backUp(to: folder + "/list.sqlite", replacing: true)
      }
      for name in ["list.sqlite-wal", "other-journal"] {
        #expect(throws: BackupError.isReserved(.sidecar)) { try store.backUp(to: folder + "/" + name) }
      }
      #expect(try bytes(of: folder + "/copy") == Array("precious".utf8))
      try write([], to: folder + "/copy-wal")
      #expect(throws: BackupError.hasJournal(folder + "/copy-wal")) {
        try store.backUp(to: folder + "/copy", replacing: true)
      }
      #expect(try names(folder) == ["copy", "copy-wal", "list.sqlite"])
      #expect(try store.read { try $0.check() }.isEmpty)
    }
  }

  @Test func `the copy of a damaged list replaces an empty file, and no other`() throws {
    try withTemporaryFolder { folder in
      let store = try store(folder)
      _ = try OtherClient.run(
        "UPDATE place SET slot = slot + 7 WHERE customer = 2", on: folder + "/list.sqlite")
      // As the page and a standby write it.
      try write([], to: folder + "/empty")
      let made = try store.backUp(to: folder + "/empty", replacing: true)
      #expect(made.violations.isOfDamage)
      #expect(throws: BackupError.isDamaged(made.violations.count)) {
        try store.backUp(to: folder + "/empty", replacing: true)
      }
    }
  }
}
