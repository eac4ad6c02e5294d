import CustomerFixtures
import CustomerStore
import Foundation
import Synchronization
import CustomersTestSupport
import Testing

/// Several stores on one file.
@Suite(.onThreads) struct TogetherTests {
  @Test(arguments: sampled(0..<36, oneIn: 9))
  func `ten threads that create the same missing file at once all succeed`(run: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/deep/list.sqlite"
      let failures = Mutex<[String]>([])
      let threads = DispatchGroup()
      for _ in 0..<10 {
        threads.enter()
        Thread {
          defer { threads.leave() }
          do {
            let store = try CustomerStore(path: path)
            try store.write { list in _ = try list.insert(CustomerFields(), at: .first) }
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }.start()
      }
      threads.wait()
      #expect(failures.withLock { $0 } == [])
      let (count, violations) = try CustomerStore(path: path).read { (try $0.count(), try $0.check()) }
      #expect(count == 10)
      #expect(violations == [])
    }
  }

  @Test func `a store that waits in vain reports that the file is locked`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      var options = CustomerStore.Options()
      options.busyTimeout = .milliseconds(20)
      let (one, other) = (try CustomerStore(path: path), try CustomerStore(path: path, options: options))
      try one.write { list in
        try list.insert(CustomerFields())
        #expect(throws: StoreError.locked) {
          try other.write { list in _ = try list.insert(CustomerFields()) }
        }
      }
      #expect(try other.read { try $0.count() } == 1)
    }
  }

  /// While it waits for a reader, no new one gets in; so it gives up a little before they do.
  @Test func `COMMIT waits as long as anyone but for a twentieth, and who was kept out gets in`() throws {
    let file = try TemporaryStore("Ann")
    let pauses = Mutex<[Duration]>([])
    let late = DispatchGroup()
    var options = CustomerStore.Options()
    options.busyTimeout = .seconds(2)
    let reader = try CustomerStore(path: file.path, options: options)
    options.whileWaiting = { pause in
      let isFirst = pauses.withLock { pauses in
        pauses.append(pause)
        return pauses.count == 1
      }
      guard isFirst else { return true }
      late.enter()
      Thread {
        #expect(throws: StoreError.locked) { try reader.read(busyTimeout: .zero) { try $0.count() } }
        #expect(throws: Never.self) { try reader.read { try $0.count() } }
        late.leave()
      }.start()
      return true
    }
    let writer = try CustomerStore(path: file.path, options: options)
    try file.store.read { list in
      _ = try list.count()
      #expect(throws: StoreError.locked) {
        try writer.write { list in _ = try list.insert(CustomerFields()) }
      }
      late.wait()
    }
    let waited = pauses.withLock { $0 }
    let limit = Duration.milliseconds(1900)
    #expect(waited.reduce(.zero, +) >= limit && waited.dropLast().reduce(.zero, +) < limit)
  }

  @Test func `a write is rolled back if it throws, and a dry run always`() throws {
    struct Stop: Error {}
    let store = try CustomerStore.inMemory()
    #expect(throws: Stop.self) {
      try store.write { list in
        try list.insert(CustomerFields())
        throw Stop()
      }
    }
    let rehearsed = try store.dryRun { list in
      try list.insert(CustomerFields())
      return try list.count()
    }
    #expect(rehearsed == 1)
    #expect(try store.read { try $0.count() } == 0)
  }
}
