import CustomerFixtures
import CustomerStore
@testable import CustomerTable
import CustomersTestSupport
import Testing

/// The rows of a list model: what was read first never replaces what was read later.
@MainActor @Suite struct RowCacheTests {
  private let store: CustomerStore
  private let id = CustomerID(rawValue: 1)

  init() throws { store = try CustomerStore.inMemory("Ann") }

  @Test func `rows that an event has overtaken are read again`() throws {
    let (rows, version) = try read()
    let event = try rename("Bob")
    let cache = RowCache()
    _ = cache.take(event)
    #expect(!cache.add(rows, readAt: version, after: cache.reloads))
    #expect(cache[id] == nil)
    let (later, laterVersion) = try read()
    #expect(cache.add(later, readAt: laterVersion, after: cache.reloads))
    #expect(cache[id]?.name == "Bob")
  }

  @Test func `an event that comes late changes nothing`() throws {
    let first = try rename("Bob")
    let second = try rename("Cid")
    let (rows, version) = try read()
    let cache = RowCache()
    #expect(cache.add(rows, readAt: version, after: cache.reloads))
    for event in [first, second, first] { _ = cache.take(event) }
    #expect(cache[id]?.name == "Cid")
  }

  @Test func `an event that comes again lets no rows in that a later one has overtaken`() throws {
    let first = try rename("Bob")
    let (rows, version) = try read()
    let second = try rename("Cid")
    let cache = RowCache()
    for event in [first, second, first] { _ = cache.take(event) }
    #expect(!cache.add(rows, readAt: version, after: cache.reloads))
    #expect(cache[id] == nil)
  }

  @Test func `rows in the list before a reload are read again`() throws {
    let (rows, version) = try read()
    let cache = RowCache()
    let reloads = cache.reloads
    _ = cache.take(.reload(try store.read { try $0.snapshot() }))
    #expect(!cache.add(rows, readAt: version, after: reloads))
    #expect(cache.add(rows, readAt: version, after: cache.reloads))
  }

  @Test func `only the rows asked for last are wanted`() {
    let cache = RowCache()
    let ids = (1...400).map { CustomerID(rawValue: $0) }
    for id in ids { cache.want([id]) }
    #expect(cache.wanted == ids.suffix(100))
    cache.want([ids[350]])
    #expect(cache.wanted.count == 100 && cache.wanted.last == ids[350])
  }

  private func read() throws -> ([CustomerID: Customer], ListVersion) {
    try store.read { (try $0.customers([id]), try $0.version()) }
  }

  private func rename(_ name: String) throws -> ListEvent {
    let version = try store.read { try $0.version() }
    let id = id
    try store.write { list in _ = try list.apply(.update([id], [.firstName: .text(name)])) }
    return try #require(try store.read { try $0.events(after: version) }.first)
  }
}
