import CSQLite
import CustomerStore
import CustomersTestSupport
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
