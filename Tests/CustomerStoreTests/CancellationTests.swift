@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

/// A call that has begun ends when it is canceled, and nothing has changed.
@Suite(.onThreads) struct CancellationTests {
  /// What a call does, by name; each takes far longer than the time until it ends.
  private static let readings: [(String, @Sendable (borrowing CustomerList) throws -> Void)] = [
    ("a search", { _ = try $0.customers(matching: RowFilter(search: TextSearch("zzz"))) }),
    ("a check", { _ = try $0.check() }),
    ("reading all rows", { try $0.forEach { _ in true } }),
    ("other work", { for _ in 0..<2 { try $0.checkCancellation() } }),
  ]

  private static let edits: [(String, @Sendable (inout CustomerList) throws -> Void)] = [
    ("inserts", { for number in 0..<1000 { _ = try $0.insert(CustomerFields(name: "\(number)")) } }),
    ("one long insert", { _ = try $0.insert(contentsOf: (0..<1000).map { CustomerFields(name: "\($0)") }) }),
    ("a sort", { _ = try $0.apply(.sort(SortOrder(by: [.name], isDescending: true))) }),
    ("a deletion", { _ = try $0.apply(.delete(Array($0.ids(in: 1)))) }),
    (
      "an edit and a search",
      { list in
        try list.delete([1])
        _ = try list.customers(matching: RowFilter(search: TextSearch("zzz")))
      }
    ),
  ]

  @Test(arguments: readings.indices)
  func `a canceled reading ends`(index: Int) async throws {
    let (name, body) = Self.readings[index]
    let file = try Self.longList()
    try await expectEnd(name) { gate in
      try await file.store.read { list in
        gate.pass()
        try body(list)
        gate.isBeyond()
      }
    }
    #expect(try await file.store.read { try $0.count() } == 3000)
  }

  @Test func `a canceled reading ends while the list is copied, and while the copy is read`() async throws {
    let file = try Self.longList()
    try await file.store.write { list in
      for _ in 0..<6 { _ = try list.insert(CustomerFields(note: String(repeating: "x", count: 900_000))) }
    }
    try await expectEnd("copying") { gate in
      try await file.store.readAtLength(
        rows: { list in
          gate.pass()
          return try list.count()
        }, { _ in gate.isBeyond() })
    }
    try await expectEnd("reading") { gate in
      try await file.store.readAtLength { list in
        gate.pass()
        try list.forEach { _ in true }
        gate.isBeyond()
      }
    }
    try await file.store.write(busyTimeout: .zero) { list in try list.delete([1]) }
  }

  @Test(arguments: edits.indices)
  func `a canceled edit ends, and the file is as it was`(index: Int) async throws {
    let (name, body) = Self.edits[index]
    let file = try Self.longList()
    let before = try Data(contentsOf: URL(filePath: file.path))
    try await expectEnd(name) { gate in
      try await file.store.write { list in
        gate.pass()
        try body(&list)
        gate.isBeyond()
      }
    }
    #expect(try Data(contentsOf: URL(filePath: file.path)) == before, "\(name)")
    #expect(!FileManager.default.fileExists(atPath: file.path + "-journal"), "\(name)")
    try await file.store.write { list in try list.delete([1]) }
    #expect(try await file.store.read { try $0.check() } == [], "\(name)")
  }

  @Test func `an edit whose error is ignored makes no others on its own`() async throws {
    let file = try Self.longList()
    let before = try Data(contentsOf: URL(filePath: file.path))
    let gate = Gate()
    let task = Task {
      try await file.store.write { list in
        gate.pass()
        for _ in 0..<1000 { _ = try? list.insert(CustomerFields(name: "Bob")) }
      }
    }
    await gate.isReached()
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
  }

  @Test func `an edit that is canceled before its commit is not made, however short it is`() async throws {
    let file = try TemporaryStore("Ann, Bob")
    let gate = Gate()
    let task = Task {
      try await file.store.write { list in
        try list.delete([1])
        gate.pass()
      }
    }
    await gate.isReached()
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try file.store.difference(from: "Ann, Bob") == nil)
  }

  @Test func `a program can end its calls by other means than a task`() throws {
    var options = CustomerStore.Options()
    let wish = Wish()
    options.isCancelled = { wish.isThere }
    let file = try Self.longList()
    let store = try CustomerStore(path: file.path, options: options)
    wish.isThere = true
    #expect(throws: CancellationError.self) { try store.read { _ = try $0.check() } }
    #expect(throws: CancellationError.self) { try store.write { try $0.delete([1]) } }
    wish.isThere = false
    #expect(try store.read { try $0.count() } == 3000)
  }

  @Test func `a canceled backup ends while the copy is checked, and leaves no file`() throws {
    var options = CustomerStore.Options()
    let wish = Wish()
    options.isCancelled = { wish.isThere }
    let file = try Self.longList()
    let store = try CustomerStore(path: file.path, options: options)
    try store.write { list in
      for _ in 0..<6 { _ = try list.insert(CustomerFields(note: String(repeating: "x", count: 900_000))) }
    }
    #expect(throws: CancellationError.self) {
      try store.backUp(to: file.path + ".copy") { wish.isThere = true }
    }
    let folder = URL(filePath: file.path).deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["customers.sqlite"])
  }

  /// A list of 3,000 customers.
  private static func longList() throws -> TemporaryStore {
    let file = try TemporaryStore("Ann")
    try file.store.write { list in
      _ = try list.insert(contentsOf: (2...3000).map { CustomerFields(name: "Customer \($0)") })
    }
    return file
  }

  /// Expects that a call ends between the gate, in front of which it is canceled, and its end.
  private func expectEnd(
    _ name: String, _ call: @escaping @Sendable (Gate) async throws -> Void
  ) async throws {
    let gate = Gate()
    let task = Task { try await call(gate) }
    await gate.isReached()
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self, "\(name)") { try await task.value }
    #expect(!gate.wasLeftBehind, "\(name) ran to its end")
  }
}

/// A place in a closure of a store where its thread waits for the test.
private final class Gate: Sendable {
  private let (reached, arrival) = AsyncStream<Void>.makeStream()
  private let opening = DispatchSemaphore(value: 0)
  private let beyond = Wish()

  /// Waits until the closure is here.
  func isReached() async { for await _ in reached { return } }

  func open() { opening.signal() }

  /// Waits until the gate is opened, on a thread of the store.
  func pass() {
    arrival.yield()
    opening.wait()
  }

  func isBeyond() { beyond.isThere = true }

  var wasLeftBehind: Bool { beyond.isThere }
}

/// Something that becomes true.
private final class Wish: Sendable {
  private let state = Mutex(false)

  var isThere: Bool {
    get { state.withLock(\.self) }
    set { state.withLock { $0 = newValue } }
  }
}
