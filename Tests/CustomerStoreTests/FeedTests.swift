@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Foundation
import CustomersSQLite
import Testing

/// An event in the feed of a list.
@Suite(.onThreads) struct FeedTests {
  private static let section = SectionID(rawValue: 1)
  private static func customer(_ id: Int64) -> CustomerID { CustomerID(rawValue: id) }
  private static func place(_ order: Int) -> CustomerPlace { CustomerPlace(section: section, order: order) }

  @Test func `a step records its author and the current rows`() throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var feed = file.store.feed(after: try file.store.read { try $0.version() })
    #expect(try feed.poll() == [])
    var options = CustomerStore.Options()
    options.program = "Other"
    let other = try CustomerStore(path: file.path, options: options)
    try other.write(action: "tidy") { list in
      try list.update(Self.customer(3)) { $0.note = "first" }
      try list.move([Self.customer(3)], to: .first)
      try list.insert(CustomerFields(firstName: "Dora"), at: .place(2))
      try list.update(Self.customer(1)) { $0.note = "second" }
      try list.delete([Self.customer(2)])
    }
    try other.write(action: "note") { list in _ = try list.update(Self.customer(3)) { $0.note = "third" } }
    let events = try feed.poll()
    let steps = events.compactMap(\.step)
    #expect(steps.count == 2 && events.count == 2)
    #expect(steps.map(\.program) == ["Other", "Other"])
    #expect(steps.map(\.action) == ["tidy", "note"])
    #expect(steps.map(\.changes.count) == steps.map(\.edits.count))
    #expect(
      steps.first?.changes == [
        .update(Self.customer(3), at: Self.place(3)),
        .move(Self.customer(3), from: Self.place(3), to: Self.place(1)),
        .insert(Self.customer(4), at: Self.place(2)),
        .update(Self.customer(1), at: Self.place(3)),
        .delete(Self.customer(2), from: Self.place(4)),
      ])
    #expect(
      steps.first?.customers.mapValues(\.fields.note) == [
        Self.customer(3): "third", Self.customer(4): "", Self.customer(1): "second",
      ])
    #expect(steps.last?.changes == [.update(Self.customer(3), at: Self.place(1))])
    #expect(steps.first?.readAt == feed.version)
    #expect(try feed.poll() == [])
  }

  @Test func `a file that was just changed may have news, whatever its stamp`() throws {
    let file = try TemporaryStore("Ann")
    let other = try CustomerStore(path: file.path)
    var feed = file.store.feed(after: try file.store.read { try $0.version() })
    // A machine that takes longer than the feed's tenth of a second shows nothing; then it is tried again.
    for _ in 0..<1000 {
      let start = ContinuousClock.now
      try other.write { list in _ = try list.insert(CustomerFields()) }
      #expect(try feed.poll().count == 1)
      let mayHaveNews = feed.mayHaveNews
      guard ContinuousClock.now - start < .milliseconds(100) else { continue }
      #expect(mayHaveNews)
      return
    }
  }

  @Test func `after a reload nothing repeats what the snapshot has`() throws {
    let file = try TemporaryStore("Ann")
    let other = try CustomerStore(path: file.path)
    var feed = file.store.feed(after: try file.store.read { try $0.version() })
    try other.write { list in
      try list.insert(CustomerFields(firstName: "Bob"))
      try list.forgetHistory()
    }
    guard case .reload(var snapshot)? = try feed.poll().first else {
      Issue.record("no reload")
      return
    }
    try other.write { list in _ = try list.insert(CustomerFields(firstName: "Cid")) }
    for case .step(let step) in try feed.poll() { snapshot.apply(step) }
    #expect(try file.store.read { try $0.snapshot() } == snapshot)
    #expect(snapshot.count == 3)
  }

  @Test func `a follower that is very late reads the list at once`() throws {
    let store = try CustomerStore.inMemory("Ann")
    var feed = store.feed(after: try store.read { try $0.version() })
    try store.write { list in
      for number in 0...5_000 { try list.update(Self.customer(1)) { $0.note = "\(number)" } }
    }
    #expect(try feed.poll() == [.reload(try store.read { try $0.snapshot() })])
  }

  @Test func `a write returns earlier changes by others and its own, and the feed repeats none`()
    async throws
  {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var snapshot = try await file.store.read { try $0.snapshot() }
    let start = snapshot.version
    let other = try Connection(path: file.path)
    try other.execute("DELETE FROM customers WHERE id = 2")
    let written = try await file.store.write(action: "move", since: start) { list in
      try list.move([Self.customer(3)], to: .first)
    }
    #expect(written.others.count == 1 && written.own.count == 1)
    #expect(written.step?.action == "move")
    for case .step(let step) in written.others + written.own { snapshot.apply(step) }
    #expect(snapshot.version == written.version)
    var events = file.store.events(after: start, every: .milliseconds(1)).makeAsyncIterator()
    for _ in 0..<2 {
      let step = try #require(await events.next()?.step)
      let known = snapshot
      snapshot.apply(step)
      #expect(snapshot == known)
    }
    #expect(snapshot.sections.map(\.rows) == [[Self.customer(3), Self.customer(1)]])
    let nothing = try await file.store.write(since: written.version) { _ in }
    #expect(nothing.others == [] && nothing.own == [] && nothing.step == nil)
  }

  @Test func `a file that stays locked is an event and does not end the feed`() async throws {
    let file = try TemporaryStore("Ann")
    let start = try await file.store.read { try $0.version() }
    let other = try Connection(path: file.path)
    var events = file.store.events(after: start, every: .milliseconds(10)).makeAsyncIterator()
    try other.execute("BEGIN EXCLUSIVE")
    try other.execute("DELETE FROM customers")
    #expect(try await events.next() == .waiting(.locked))
    try other.execute("COMMIT")
    let step = try #require(await events.next()?.step)
    #expect(step.changes == [.delete(Self.customer(1), from: Self.place(1))])
  }

  @Test func `a follower of a locked file ends when it is canceled`() async throws {
    let file = try TemporaryStore("Ann")
    let start = try await file.store.read { try $0.version() }
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    let follower = Task {
      for try await _ in file.store.events(after: start, every: .milliseconds(10)) {}
    }
    try await Task.sleep(for: .milliseconds(50))
    follower.cancel()
    try await follower.value
    try other.execute("COMMIT")
  }

  @Test func `polling without news needs no transaction`() throws {
    let file = try TemporaryStore("Ann")
    var feed = file.store.feed(after: try file.store.read { try $0.version() })
    _ = try feed.poll()
    let before = try file.store.readAtOnce { $0.connection.statementCount }
    for _ in 0..<10 { #expect(try feed.poll() == []) }
    let after = try file.store.readAtOnce { $0.connection.statementCount }
    // One pragma each; and of the two reads a commit, a begin, and a look at the format.
    #expect(try #require(after) - #require(before) == 10 + 3)
  }

  @Test func `an unchanged file is not polled`() throws {
    let file = try TemporaryStore("Ann")
    var feed = file.store.feed(after: nil)
    // A file that was changed just now is not trusted yet.
    repeat { _ = try feed.poll() } while feed.mayHaveNews
    let other = try CustomerStore(path: file.path)
    try other.write { list in _ = try list.insert(CustomerFields(firstName: "Bob")) }
    #expect(feed.mayHaveNews)
    #expect(try feed.poll().count == 1)
  }

  @Test func `another list with fewer steps but more edits is read from the start, too`() throws {
    let (file, another) = (try TemporaryStore("Ann"), try TemporaryStore("Cid"))
    for _ in 0..<5 { try file.store.write { list in _ = try list.insert(CustomerFields()) } }
    var feed = file.store.feed(after: nil)
    _ = try feed.poll()
    try another.store.write { list in for _ in 0..<20 { try list.insert(CustomerFields()) } }
    try Data(contentsOf: URL(filePath: another.path)).write(to: URL(filePath: file.path))
    #expect(try feed.poll() == [.reload(try another.store.read { try $0.snapshot() })])
  }

  @Test func `a file that is away for a moment is followed from where it was`() throws {
    let file = try TemporaryStore("Ann, Bob")
    var feed = file.store.feed(after: nil)
    #expect(try feed.edits() == nil)
    let away = URL(filePath: file.path + ".away")
    try FileManager.default.moveItem(at: URL(filePath: file.path), to: away)
    #expect(try feed.edits() == nil)
    try FileManager.default.moveItem(at: away, to: URL(filePath: file.path))
    let last = try CustomerStore(path: file.path).write { list in
      try list.move(2, to: .first)
      return try list.lastEdit()
    }
    #expect(try feed.edits() == last - 1..<last)
  }

  @Test func `a locked file has nothing new, however long`() throws {
    let file = try TemporaryStore("Ann")
    var feed = file.store.feed(after: nil)
    let unknown = ListVersion(mark: "", edit: 0)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    #expect(try feed.follow { _, _ in (true, unknown) } == nil)
    #expect(feed.lockedSince != nil)
    try other.execute("COMMIT")
    #expect(try feed.follow { _, _ in (true, unknown) } == true)
    #expect(feed.lockedSince == nil)
  }

  @Test func `a file that is locked when it comes back is not waited for`() throws {
    let file = try TemporaryStore("Ann")
    var options = CustomerStore.Options()
    options.whileWaiting = { _ in
      Issue.record("the feed waits")
      return false
    }
    var feed = try CustomerStore(path: file.path, options: options).feed(after: nil)
    _ = try feed.poll()
    let another = try TemporaryStore("Bob")
    try FileManager.default.removeItem(atPath: file.path)
    try FileManager.default.copyItem(atPath: another.path, toPath: file.path)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    #expect(try feed.edits() == nil && feed.lockedSince != nil)
    try other.execute("COMMIT")
    #expect(try feed.follow { list, version in (version == nil, try list.version()) } == true)
  }

  @Test func `another list that was copied over the file is read from the start`() throws {
    let (file, another) = (try TemporaryStore("Ann"), try TemporaryStore("Cid, Dora"))
    var feed = file.store.feed(after: nil)
    _ = try feed.poll()
    try another.store.write { list in _ = try list.insert(CustomerFields(firstName: "Eve")) }
    try Data(contentsOf: URL(filePath: another.path)).write(to: URL(filePath: file.path))
    let snapshot = try another.store.read { try $0.snapshot() }
    #expect(try feed.poll() == [.reload(snapshot)])
    #expect(try feed.poll() == [])
  }
}

extension ListEvent {
  fileprivate var step: ListStep? { if case .step(let step) = self { step } else { nil } }
}

extension ListFeed {
  /// Follows the list once: the edits since the last known one; nil if it starts with the list, or if there is
  /// nothing new.
  fileprivate mutating func edits() throws -> Range<Int64>? {
    try follow { list, version in
      let last = try list.version()
      return (result: version.map { $0.edit..<last.edit }, version: last)
    } ?? nil
  }
}
