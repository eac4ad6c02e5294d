import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// Readings that take long, and dry runs that rewrite much: other programs write beside it.
@Suite(.onThreads) struct ReadingTests {
  /// A list of so many pages that it is copied.
  private func largeList() throws -> TemporaryStore {
    let file = try TemporaryStore("Ann, Bob")
    try file.store.write { list in
      _ = try list.insert(
        contentsOf: (1...6).map {
          CustomerFields(firstName: "\($0)", note: String(repeating: "x", count: 900_000))
        })
    }
    return file
  }

  /// Another program, which does not wait for locks.
  private func other(_ file: TemporaryStore) throws -> CustomerStore {
    var options = CustomerStore.Options()
    options.busyTimeout = .zero
    return try CustomerStore(path: file.path, options: options)
  }

  @Test func `others edit the list while it is read at length, and the reading shows one version`() throws {
    let file = try largeList()
    let other = try other(file)
    let versions = try file.store.readAtLength { list in
      let before = (try list.version(), try list.count())
      try other.write { list in try list.delete([1]) }
      #expect(try list.count() == before.1 && list.customer(1).name == "Ann")
      return (before.0, try list.version())
    }
    #expect(versions.0 == versions.1)
    let now = try file.store.readAtLength { (try $0.version(), try $0.count()) }
    #expect(now.0.edit == versions.0.edit + 1 && now.1 == 7)
    #expect(try file.store.readAtLength { try $0.check() } == [])
  }

  @Test func `a reading of few rows, or of a short list, gets no copy`() throws {
    let (large, short) = (try largeList(), try TemporaryStore("Ann, Bob"))
    let (ofLarge, ofShort) = (try other(large), try other(short))
    try large.store.readAtLength(rows: { _ in 1 }) { list in
      _ = try list.count()
      #expect(throws: StoreError.locked) { try ofLarge.write { try $0.delete([1]) } }
    }
    try short.store.readAtLength { list in
      _ = try list.count()
      #expect(throws: StoreError.locked) { try ofShort.write { try $0.delete([1]) } }
    }
  }

  @Test func `a list with a write-ahead log is read itself, which keeps no one waiting`() throws {
    let file = try largeList()
    let client = try Connection(path: file.path)
    #expect(try client.fetchOne("PRAGMA journal_mode = WAL") { $0.text(0) } == "wal")
    // While this program uses the log, no other turns it off.
    try client.execute("SELECT 1 FROM customers")
    let usesLog = try file.store.readAtLength { list in
      try client.execute("UPDATE customers SET note = '' WHERE id = 1")
      return try list.usesWriteAheadLog()
    }
    #expect(usesLog)
  }

  @Test func `others edit the list during a dry run on a copy, which has the same result`() throws {
    let file = try largeList()
    let other = try other(file)
    let sort = ListEdit.sort(SortOrder(by: [.name], isDescending: true))
    let expected = try file.store.dryRun { list in try list.apply(sort) }
    let outcome = try file.store.dryRun(rows: nil) { list in
      let outcome = try list.apply(sort)
      try other.write { list in try list.delete([1]) }
      return outcome
    }
    #expect(outcome == expected)
    #expect(try file.store.read { try $0.count() } == 7)
  }

  @Test func `other calls of the store do not wait for a task that reads a copy`() async throws {
    let file = try largeList()
    let (reached, arrival) = AsyncStream<Void>.makeStream()
    let reading = Task {
      try await file.store.readAtLength { list in
        arrival.yield()
        // Not for ever, so that a store that does wait fails.
        for _ in 0..<1000 {
          try list.checkCancellation()
          usleep(10_000)
        }
      }
    }
    for await _ in reached { break }
    #expect(try await file.store.read { try $0.count() } == 8)
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test func `a copy leaves this process its other locks`() throws {
    let file = try largeList()
    let reader = try CustomerStore(path: file.path)
    func isLocked() throws -> Bool {
      let shell = Spawn(
        words: ["sqlite3", file.path, "BEGIN EXCLUSIVE"],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""], folder: "/")
      return try Spawn.wait(shell.start()) != 0
    }
    try reader.read { list in
      _ = try list.count()
      #expect(try isLocked())
      #expect(try file.store.readAtLength { try $0.count() } == 8)
      #expect(try isLocked())
    }
    #expect(try !isLocked())
  }
}
