import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// The events of a feed when another file replaces the list.
@Suite(.onThreads) struct ReplacedFeedTests {
  @Test(arguments: [false, true])
  func `another list causes a reload and is followed afterward`(isCopied: Bool) async throws {
    let (file, other) = (try TemporaryStore("Ann, Bob"), try TemporaryStore("Eve"))
    for note in ["1", "2", "3"] {
      try await other.store.write { list in
        _ = try list.update(CustomerID(rawValue: 1)) { $0.note = note }
      }
    }
    let start = try await file.store.read { try $0.version() }
    var events = file.store.events(after: start, every: .milliseconds(5)).makeAsyncIterator()
    // From what it has seen it knows later that steps with the same numbers are different ones.
    try await file.store.write { list in _ = try list.insert(CustomerFields(firstName: "Cid")) }
    guard case .step = try await events.next() else {
      Issue.record("no step before")
      return
    }
    if isCopied {
      try Data(contentsOf: URL(filePath: other.path)).write(to: URL(filePath: file.path))
    } else {
      try FileManager.default.removeItem(atPath: file.path)
      try FileManager.default.moveItem(atPath: other.path, toPath: file.path)
    }
    let event = try await events.next()
    guard case .reload(let snapshot) = event else {
      Issue.record("no reload but \(String(describing: event))")
      return
    }
    let new = try CustomerStore(path: file.path)
    #expect(try await snapshot == new.read { try $0.snapshot() })
    try await new.write { list in _ = try list.insert(CustomerFields(firstName: "Fay")) }
    guard case .step(let step) = try await events.next() else {
      Issue.record("no step")
      return
    }
    #expect(step.changes.count == 1)
  }

  @Test func `a copy over the file that was changed as often is noticed`() throws {
    let (file, other) = (try TemporaryStore("Ann, Bob"), try TemporaryStore("Eve, Fay"))
    let copy = try Data(contentsOf: URL(filePath: other.path))
    // What SQLite looks at: the number of changes.
    #expect(try Data(contentsOf: URL(filePath: file.path))[24..<28] == copy[24..<28])
    var feed = file.store.feed(after: nil)
    _ = try feed.poll()
    // The time of a change that was just made says nothing yet.
    try waitUntil("the feed is quiet") { () throws in
      #expect(try feed.poll().isEmpty)
      return !feed.mayHaveNews
    }
    try copy.write(to: URL(filePath: file.path))
    let deadline = ContinuousClock.now + longestWait
    #expect(throws: StoreError.replaced) {
      while .now < deadline {
        _ = try feed.poll()
        usleep(10_000)
      }
    }
  }
}
