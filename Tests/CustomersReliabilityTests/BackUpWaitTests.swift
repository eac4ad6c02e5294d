import CSQLite
import CustomerStore
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// A backup is checked before it gets its name; other programs write beside it.
@Suite(.onThreads) struct BackUpWaitTests {
  @Test func `no one waits while a backup is checked`() throws {
    let other = Other()
    let folder = try WatchedFolder(other)
    let store = try CustomerStore(path: folder.list)
    try store.write { list in _ = try list.insert(CustomerFields(name: "Ann")) }
    try other.open(folder.list)
    #expect(try store.backUp(to: folder.path + "/copy").count == 1)
    #expect(other.editCount == 1)
    #expect(try store.read { try $0.count() } == 2)
  }

  @Test func `a copy with a problem that the list does not have is not kept`() throws {
    let folder = try WatchedFolder(BadDisk())
    let store = try CustomerStore(path: folder.list)
    try store.write { list in _ = try list.insert(CustomerFields(name: BadDisk.text)) }
    #expect(throws: BackupError.differs(1)) { try store.backUp(to: folder.path + "/copy") }
    #expect(try folder.names == ["list.sqlite"])
    let violations = try store.read { try $0.check() }
    #expect(violations == [])
  }
}

/// A disk that damages a text in each copy before it is read.
private final class BadDisk: FileCallObserver {
  static let text = "Unchanged"

  func answer(to call: FileCall) -> Int32 {
    guard call.kind == .read, call.path.contains("/copy."),
      let file = FileHandle(forUpdatingAtPath: call.path),
      let place = (try? file.readToEnd())?.firstRange(of: Data(Self.text.utf8))
    else { return SQLITE_OK }
    defer { try? file.close() }
    try? file.seek(toOffset: UInt64(place.lowerBound))
    try? file.write(contentsOf: Data([0xff]))
    return SQLITE_OK
  }
}

/// Another program, which edits the list once when the copy is read, unless the list is locked.
private final class Other: FileCallObserver {
  private let store = Mutex<CustomerStore?>(nil)
  private let edits = Mutex(0)
  private let isCopied = Mutex(false)

  var editCount: Int { edits.withLock(\.self) }

  func open(_ path: String) throws {
    var options = CustomerStore.Options()
    options.busyTimeout = .zero
    let opened = try CustomerStore(path: path, options: options)
    store.withLock { $0 = opened }
  }

  func answer(to call: FileCall) -> Int32 {
    guard call.path.contains("/copy."), let store = store.withLock(\.self) else { return SQLITE_OK }
    if call.kind == .write { isCopied.withLock { $0 = true } }
    guard call.kind == .read, isCopied.withLock(\.self), editCount == 0 else { return SQLITE_OK }
    if (try? store.write { list in _ = try list.insert(CustomerFields(name: "Bob")) }) != nil {
      edits.withLock { $0 += 1 }
    }
    return SQLITE_OK
  }
}
