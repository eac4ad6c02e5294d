import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// `CustomerStore.restore` beside another program, and interrupted.
@Suite(.onThreads) struct RestoringTests {
  private struct Stop: Error {}

  /// A list of several thousand pages, so that a restore pauses in its copies, and a backup of it.
  private struct Desk {
    let folder: TemporaryFolder
    let store: CustomerStore
    let backup: CustomerStore.CheckedBackup
    var list: String { folder.path + "/list.sqlite" }
    var kept: String { folder.path + "/kept.sqlite" }

    init() throws {
      folder = try TemporaryFolder()
      let path = folder.path + "/list.sqlite"
      store = try CustomerStore(path: path, options: Desk.patient)
      try store.write { list in
        let note = String(repeating: "x", count: 5_000_000)
        for _ in 0..<2 { try list.insert(CustomerFields(note: note)) }
      }
      try store.backUp(to: folder.path + "/backup.sqlite")
      try store.write { list in _ = try list.insert(CustomerFields(firstName: "New")) }
      backup = try CustomerStore.checkBackup(at: folder.path + "/backup.sqlite", forListAt: path)
    }

    /// Only a program that hangs waits so long.
    static var patient: CustomerStore.Options {
      var options = CustomerStore.Options()
      options.busyTimeout = .seconds(600)
      return options
    }

    var names: Set<String> {
      get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }
  }

  @Test func `an edit that another program makes between the two copies is in the kept list`() throws {
    let desk = try Desk()
    let (waits, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let failures = Mutex<[String]>([])
    var isWaiting = false
    try desk.store.restore(desk.backup, keepingListAt: desk.kept) {
      // The first copy reads the list. The other program gets as far as its COMMIT, and so has the lock before
      // the restore does.
      guard !isWaiting else { return }
      isWaiting = true
      var options = Desk.patient
      options.whileWaiting = { _ in
        waits.signal()
        return true
      }
      Thread { [options, path = desk.list] in
        do {
          let other = try CustomerStore(path: path, options: options)
          try other.write { list in _ = try list.insert(CustomerFields(firstName: "Late")) }
        } catch {
          failures.withLock { $0.append("\(error)") }
          waits.signal()
        }
        ends.signal()
      }.start()
      waits.wait()
    }
    ends.wait()
    #expect(failures.withLock { $0 } == [])
    let kept = try CustomerStore(path: desk.kept)
    let names = try kept.read { list in
      try list.page(from: 1, limit: 10, in: SectionID(rawValue: 1)).map(\.name)
    }
    #expect(names.suffix(2) == ["New", "Late"] && names.count == 4)
    #expect(try desk.store.read { try $0.count() } == 2)
  }

  @Test(arguments: [false, true])
  func `a restore that fails leaves the list, and no other file`(hasKept: Bool) throws {
    let desk = try Desk()
    #expect(throws: Stop.self) {
      // At first the list is copied, then the kept list gets its name, then the backup is copied.
      try desk.store.restore(desk.backup, keepingListAt: desk.kept) {
        if !hasKept || FileManager.default.fileExists(atPath: desk.kept) { throw Stop() }
      }
    }
    #expect(try desk.names == ["list.sqlite", "backup.sqlite"])
    #expect(try desk.store.read { try ($0.count(), $0.check().count) } == (3, 0))
  }
}
