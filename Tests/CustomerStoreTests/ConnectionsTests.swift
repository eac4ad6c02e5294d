@testable import CustomerStore
import CustomerFixtures
import Foundation
import CustomersSQLite
import CustomersTestSupport
import Synchronization
import Testing

/// The connections of a store, and when they wait for each other.
@Suite(.onThreads) struct ConnectionsTests {
  private static let first = CustomerID(rawValue: 1)

  @Test func `a read does not wait for a write of the same store that waits for the file`() async throws {
    let file = try TemporaryStore("Ann, Bob")
    let other = try Connection(path: file.path)
    try other.execute("BEGIN IMMEDIATE")
    let writing = Task {
      try await file.store.write(busyTimeout: .seconds(3600)) { list in try list.delete([Self.first]) }
    }
    // In the end the write waits for the file; whenever one reads, it is possible.
    for _ in 0..<20 {
      let count = try await file.store.read(busyTimeout: .zero) { try $0.count() }
      #expect(count == 2)
      try await Task.sleep(for: .milliseconds(2))
    }
    try other.execute("COMMIT")
    try await writing.value
    #expect(try await file.store.read { try $0.count() } == 1)
  }

  @Test func `a canceled task stops waiting for the file and for its turn`() async throws {
    let file = try TemporaryStore("Ann")
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    let tasks = (0..<3).flatMap { _ in
      [
        Task { try await file.store.write(busyTimeout: .seconds(3600)) { try $0.delete([Self.first]) } },
        Task { try await file.store.read(busyTimeout: .seconds(3600)) { _ = try $0.count() } },
      ]
    }
    try await Task.sleep(for: .milliseconds(20))
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    try other.execute("COMMIT")
    #expect(try await file.store.read { try $0.count() } == 1)
  }

  @Test(arguments: LongCall.allCases)
  func `a long call of the same store holds up neither readAtOnce nor a feed`(call: LongCall) throws {
    let file = try TemporaryStore("Ann")
    let other = try CustomerStore(path: file.path)
    var feed = file.store.feed(after: try file.store.read { try $0.version() })
    if call == .read { try other.write { list in try list.insert(CustomerFields(name: "Bob")) } }
    try call.on(file.store) { () throws in
      #expect(try file.store.readAtOnce { try $0.count() } == (call == .read ? 2 : 1))
      #expect(try feed.poll().count == (call == .read ? 1 : 0))
      // It would have to wait for the writer, and to commit, for the reader.
      #expect(throws: StoreError.locked) {
        try file.store.writeAtOnce(action: "note") { list in _ = try list.update(Self.first) { $0.note = "x" }
        }
      }
    }
  }

  @Test func `each call can set its timeout`() throws {
    let file = try TemporaryStore("Ann")
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    #expect(throws: StoreError.locked) { try file.store.read(busyTimeout: .zero) { try $0.count() } }
    #expect(throws: StoreError.locked) {
      try file.store.write(busyTimeout: .milliseconds(5)) { try $0.delete([Self.first]) }
    }
    #expect(try file.store.readAtOnce { try $0.count() } == nil)
    try other.execute("COMMIT")
    #expect(try file.store.readAtOnce { try $0.count() } == 1)
  }

  @Test func `using a store inside its own transaction is reported`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = try TemporaryStore("Ann")
        try file.store.write { _ in _ = try file.store.read { try $0.count() } }
      })
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("a store was used inside the closure of its own read or write"))
    await #expect(processExitsWith: .failure) {
      let store = try CustomerStore.inMemory("Ann")
      try store.read { _ in _ = try store.read { try $0.count() } }
    }
    await #expect(processExitsWith: .failure) {
      let file = try TemporaryStore("Ann")
      try file.store.write { _ in try file.store.write { _ in } }
    }
  }

  @Test func `a list in memory has the options of any other`() throws {
    var options = CustomerStore.Options()
    options.program = "Test"
    let store = try CustomerStore.inMemory(options: options)
    try store.write { list in _ = try list.insert(CustomerFields()) }
    #expect(try store.read { try $0.history().map(\.program) } == ["Test"])
  }

  @Test func `the example in the documentation works as described`() throws {
    let store = try CustomerStore.inMemory("Bob")
    try store.write { list in
      let ann = try list.insert(CustomerFields(firstName: "Ann"), at: .first)
      try list.move([ann.id], to: .last)
    }
    #expect(try store.names == ["Bob", "Ann"])
  }

  @Test(arguments: [false, true])
  func `a file that is deleted or replaced is noticed`(isReplaced: Bool) throws {
    let (file, other) = (try TemporaryStore("Ann"), try TemporaryStore("Bob"))
    #expect(try file.store.read { try $0.count() } == 1)
    try FileManager.default.removeItem(atPath: file.path)
    if isReplaced { try FileManager.default.moveItem(atPath: other.path, toPath: file.path) }
    #expect(throws: StoreError.replaced) { try file.store.read { try $0.count() } }
    #expect(throws: StoreError.replaced) { try file.store.write { try $0.delete([Self.first]) } }
    var feed = file.store.feed(after: nil)
    #expect(throws: StoreError.replaced) { try feed.poll() }
  }

  @Test func `move 5 2 takes ten statements`() throws {
    let file = try TemporaryStore("A, B, C, D, E, F")
    let store = try CustomerStore(path: file.path)
    let count = try store.write { list in
      // Before it, the one that looks for unknown triggers.
      let before = list.connection.statementCount - 1
      let outline = try list.outline()
      let place = try #require(outline.place(at: 5))
      let customer = try list.customer(at: place.order, in: place.section)
      let moves: [CustomerMove] = try list.move([customer.id], to: .place(2))
      #expect(moves.map(\.to.order) == [2])
      _ = try list.outline()
      _ = try list.currentStep()
      try list.endStep()
      return list.connection.statementCount - before
    }
    #expect(count <= 10)
    #expect(try store.names == ["A", "E", "B", "C", "D", "F"])
  }
}

extension CustomerStore {
  fileprivate var names: [String] {
    get throws {
      try read { try $0.page(from: 1, limit: .max, in: SectionID(rawValue: 1)).map(\.name) }
    }
  }
}
