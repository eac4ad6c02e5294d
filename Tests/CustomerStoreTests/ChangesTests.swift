@testable import CustomerStore
import Foundation
import CustomersSQLite
import Synchronization
import CustomerFixtures
import CustomersTestSupport
import Testing

/// A follower of the changes always has the list.
@Suite(.onThreads) struct ChangesTests {
  @Test(arguments: sampled(0..<36, oneIn: 18))
  func `applying the changes one by one gives the list, whatever happened`(seed: Int) throws {
    var walk = try HistoryWalk(seed: 400 + seed)
    var (copy, known) = try walk.store.read { list in (try ListCopy(list), try list.version()) }
    for _ in 0..<80 {
      switch walk.editor.generator.below(10) {
      case 0..<2: _ = try walk.undo()
      case 2: _ = try walk.redo()
      default: try walk.edit()
      }
      if walk.editor.generator.oneIn(3) {
        try follow(walk.store, &copy, &known, limit: 1 + walk.editor.generator.below(7))
      }
    }
    try follow(walk.store, &copy, &known, limit: 1000)
    #expect(known.edit > 80)
  }

  private func follow(
    _ store: CustomerStore, _ copy: inout ListCopy, _ known: inout ListVersion, limit: Int
  ) throws {
    while true {
      let found = try store.read { try $0.changes(after: known, limit: limit) }
      let (changes, last) = try #require(found)
      #expect(changes.count <= limit)
      #expect(last.edit == known.edit + Int64(changes.count))
      if changes.isEmpty { break }
      for change in changes { try copy.apply(change) }
      known = last
    }
    let list = try store.read { try ListCopy($0) }
    #expect(copy == list)
  }

  @Test func `after a repair a follower gets a reload`() throws {
    let store = try CustomerStore.inMemory()
    let known = try store.write { list in
      for name in ["A", "B", "C"] { try list.insert(CustomerFields(firstName: name)) }
      return try list.version()
    }
    try store.write { list in
      try list.connection.execute("UPDATE place SET slot = slot + 5 WHERE customer = 2")
    }
    #expect(try store.repair().moves.map(\.customer.rawValue) == [3, 2])
    #expect(try store.read { try $0.changes(after: known) } == nil)
    let last = try store.read { try $0.version() }
    try store.write { list in try list.insert(CustomerFields(firstName: "D")) }
    #expect(try store.read { try $0.changes(after: last)?.changes.count } == 1)
    #expect(try store.read { try $0.history().map(\.editCount) } == [1, 0, 3])
    #expect(try store.write { try $0.undo() }?.editCount == 1)
    #expect(try store.read { try $0.check() } == [])
  }

  @Test func `several writers at once: nothing lost, nothing doubled, in order`() async throws {
    let file = try TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let store = file.store
    var snapshot = try await store.read { list in try list.snapshot() }
    let first = snapshot.version

    let writers = Writers(path: file.path, editsEach: 16)
    writers.start()
    // The last edit comes when the writers are done, so that the loop sees that they are.
    let last = Task {
      while !writers.areDone { try await Task.sleep(for: .milliseconds(5)) }
      _ = try await store.write(busyTimeout: Writers.timeout) { list in
        try list.insert(CustomerFields(firstName: "Last"))
      }
    }
    var seen: [ListChange] = []
    for try await event in store.events(after: first, every: .milliseconds(1)) {
      guard case .step(let step) = event else {
        if case .waiting = event { continue }
        Issue.record("\(event)")
        break
      }
      seen += step.changes.withoutPlacesOfUpdates
      snapshot.apply(step)
      if step.customers.values.contains(where: { $0.fields.firstName == "Last" }) { break }
    }
    try await last.value
    #expect(writers.failures == [])
    let (list, all) = try await store.read { list in
      (try list.snapshot(), try list.changes(after: first, limit: .max)?.changes)
    }
    #expect(snapshot == list)
    #expect(seen == all)
    #expect(seen.count >= 5 * 16)
    #expect(try await store.read { try $0.check() } == [])
  }

  @Test func `a waiting follower ends when it is canceled`() async throws {
    let store = try CustomerStore.inMemory()
    let start = try await store.read { list in try list.version() }
    let follower = Task {
      var count = 0
      for try await _ in store.events(after: start, every: .seconds(3600)) { count += 1 }
      return count
    }
    follower.cancel()
    #expect(try await follower.value == 0)

    let (started, hasStarted) = AsyncStream<Void>.makeStream()
    try await store.write { list in _ = try list.insert(CustomerFields()) }
    let waiting = Task {
      var count = 0
      for try await _ in store.events(after: start, every: .seconds(3600)) {
        count += 1
        hasStarted.yield()
      }
      return count
    }
    for await _ in started { break }
    waiting.cancel()
    #expect(try await waiting.value == 1)
  }
}

extension [ListChange] {
  /// As the history has them.
  fileprivate var withoutPlacesOfUpdates: [ListChange] {
    map { if case .update(let id, _) = $0 { .update(id, at: nil) } else { $0 } }
  }
}

/// Three threads with stores of their own and two with connections of a foreign client, that all edit
/// one file.
private final class Writers: Sendable {
  /// Longer than anyone waits on the busiest machine.
  static let timeout = Duration.seconds(600)

  private let path: String
  private let count: Int
  private let state = Mutex((working: 5, failures: [String]()))

  init(path: String, editsEach: Int) {
    self.path = path
    count = editsEach
  }

  var areDone: Bool { state.withLock { $0.working == 0 } }
  var failures: [String] { state.withLock { $0.failures } }

  func start() {
    for number in 0..<5 {
      Thread { [self] in
        do {
          try number < 3 ? editByStore(number) : editByStatements(number)
        } catch {
          state.withLock { $0.failures.append("\(number): \(error)") }
        }
        state.withLock { $0.working -= 1 }
      }.start()
    }
  }

  private func editByStore(_ number: Int) throws {
    var options = CustomerStore.Options()
    options.busyTimeout = Self.timeout
    let store = try CustomerStore(path: path, options: options)
    var generator = SplitMix64(seed: number)
    for edit in 0..<count {
      try store.write { list in
        let section = SectionID(rawValue: 1)
        let rows = try list.page(from: 1, limit: 20, in: section).map(\.id)
        // An edit that surely is recorded, and another.
        try list.insert(CustomerFields(note: "\(edit)"), at: .first)
        switch generator.below(6) {
        case 0: try list.undo()
        case 1: try list.redo()
        case 2:
          var rows = repeatElement(CustomerFields(), count: 3).makeIterator()
          try list.insert(at: .last) { rows.next() }
        case 3: try list.delete(Array(rows.prefix(3)))
        case 4: if let row = rows.last { try list.move([row], to: .first) }
        default: _ = try list.addSection(title: "\(number): \(edit)", at: 1)
        }
      }
    }
  }

  private func editByStatements(_ number: Int) throws {
    let connection = try Connection(path: path, busyTimeout: Self.timeout)
    for edit in 0..<count {
      switch edit % 4 {
      case 0:
        try connection.execute(
          "INSERT INTO customers (section, \"order\") SELECT 1, n FROM (SELECT 1 AS n UNION ALL SELECT 1)")
      case 1:
        try connection.execute(
          #"UPDATE customers SET note = note || 'x', "order" = 1 WHERE section = 1 AND "order" IN (2, 3)"#)
      case 2: try connection.execute(#"DELETE FROM customers WHERE section = 1 AND "order" = 1"#)
      default: try connection.execute("INSERT INTO sections (title) VALUES ('\(number): \(edit)')")
      }
    }
  }
}
