@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// After a restore, numbers of edits, steps, and customers mean something else.
@Suite(.onThreads) struct ListVersionTests {
  /// An app shows a list; then another program restores an older copy, and edits it beyond what the app knows.
  private struct Restored {
    /// What the app had read.
    let seen: ListSnapshot
    let offered: HistoryStep
    let store: CustomerStore

    init(in folder: String) throws {
      let (path, copy) = (folder + "/list.sqlite", folder + "/copy.sqlite")
      let store = try CustomerStore(path: path)
      try store.write { list in
        for name in ["Ann", "Bob", "Cid"] { try list.insert(CustomerFields(name: name)) }
      }
      try store.backUp(to: copy)
      try store.write(action: "own move") { list in
        try list.move(3, to: .first)
        try list.insert(CustomerFields(name: "Old"))
      }
      (seen, offered) = try store.read { list in
        (try list.snapshot(), try #require(try list.undoable()))
      }
      let other = try CustomerStore(path: path)
      try other.restore(CustomerStore.checkBackup(at: copy, forListAt: path), keepingListAt: nil)
      try other.write(action: "add") { list in
        for name in ["Important", "Fay"] { try list.insert(CustomerFields(name: name)) }
        try list.move(5, to: .first)
      }
      self.store = store
    }
  }

  @Test func `a follower of a list on another engine reads a copy with the same last edit`() throws {
    let remote = try RemoteCopy()
    let store = try remote.store()
    try store.write { list in try list.insert(CustomerFields(name: "Ann")) }
    var feed = store.feed(after: nil)
    _ = try feed.poll()
    #expect(try feed.poll() == [])
    try Connection(path: remote.path).execute("UPDATE history_step SET mark = random() | (1 << 63)")
    #expect(try feed.poll() == [.reload(store.read { try $0.snapshot() })])
  }

  @Test func `what was seen before a restore deletes, moves, and undoes nothing`() throws {
    try withTemporaryFolder { folder in
      let app = try Restored(in: folder)
      let before = try app.store.read { list in try list.snapshot() }
      #expect(before.version.edit > app.seen.version.edit)
      let edits = [
        ListEdit.delete([4], asSeenAt: app.seen.version), .move([4], to: .first, asSeenAt: app.seen.version),
      ]
      for edit in edits {
        #expect(throws: ListError.otherHistory) { try app.store.write { list in try list.apply(edit) } }
      }
      let next = try #require(try app.store.read { list in try list.undoable() })
      #expect(next.id != app.offered.id)
      #expect(throws: ListError.otherStep(expected: app.offered.id, found: next.id)) {
        try app.store.write { list in try list.undo(expecting: app.offered) }
      }
      #expect(try app.store.read { list in try list.snapshot() } == before)
    }
  }

  @Test func `whoever follows from before a restore gets the list`() async throws {
    let folder = try TemporaryFolder()
    let app = try Restored(in: folder.path)
    let now = try await app.store.read { list in try list.snapshot() }
    let known = app.seen.version
    #expect(try await app.store.read { list in try list.changes(after: known) } == nil)
    #expect(try await app.store.read { list in try list.events(after: known) } == [.reload(now)])
    let written = try await app.store.write(since: known) { list in _ = try list.move(1, to: .last) }
    #expect(written.others == [.reload(now)])
    var events = app.store.events(after: known, every: .milliseconds(5)).makeAsyncIterator()
    #expect(try await events.next() == .reload(app.store.read { list in try list.snapshot() }))
  }

  @Test func `a version is kept as JSON`() throws {
    let version = try CustomerStore.inMemory("A").read { list in try list.version() }
    let bytes = try JSONEncoder().encode(version)
    #expect(try JSONDecoder().decode(ListVersion.self, from: bytes) == version)
  }
}
