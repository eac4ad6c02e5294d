import CustomerFixtures
import CustomerStore
@testable import CustomerTable
import CustomersTestSupport
import Testing

/// The rows of a list model: what was read first never replaces what was read later.
@Suite(.onThreads) struct RowCacheTests {
  private let store: CustomerStore
  private let id = CustomerID(rawValue: 1)

  init() throws { store = try CustomerStore.inMemory("Ann") }

  @Test func `rows that an event has overtaken are read again`() throws {
    let (rows, version) = try read()
    let event = try rename("Bob")
    var cache = RowCache()
    cache.take([event])
    expect(false, cache.add(rows, readAt: version, after: cache.reloads))
    #expect(cache[id] == nil)
    let (later, laterVersion) = try read()
    expect(true, cache.add(later, readAt: laterVersion, after: cache.reloads))
    #expect(cache[id]?.name == "Bob")
  }

  @Test func `an event that comes late changes nothing`() throws {
    let first = try rename("Bob")
    let second = try rename("Cid")
    let (rows, version) = try read()
    var cache = RowCache()
    expect(true, cache.add(rows, readAt: version, after: cache.reloads))
    for event in [first, second, first] { cache.take([event]) }
    #expect(cache[id]?.name == "Cid")
  }

  @Test func `an event that comes again lets no rows in that a later one has overtaken`() throws {
    let first = try rename("Bob")
    let (rows, version) = try read()
    let second = try rename("Cid")
    var cache = RowCache()
    for event in [first, second, first] { cache.take([event]) }
    expect(false, cache.add(rows, readAt: version, after: cache.reloads))
    #expect(cache[id] == nil)
  }

  @Test func `rows in the list before a reload are read again`() throws {
    let (rows, version) = try read()
    var cache = RowCache()
    let reloads = cache.reloads
    cache.take([.reload(try store.read { try $0.snapshot() })])
    expect(false, cache.add(rows, readAt: version, after: reloads))
    expect(true, cache.add(rows, readAt: version, after: cache.reloads))
  }

  /// Two arguments, because a macro can't call a mutating function.
  private func expect(_ expected: Bool, _ isAdded: Bool) { #expect(isAdded == expected) }

  private func read() throws -> ([CustomerID: Customer], ListVersion) {
    try store.read { (try $0.customers([id]), try $0.version()) }
  }

  private func rename(_ name: String) throws -> ListEvent {
    let version = try store.read { try $0.version() }
    let id = id
    let written = try store.write(since: version) { list in
      _ = try list.apply(.update([id], [.firstName: .text(name)]))
    }
    return try #require(written.own.first)
  }
}
