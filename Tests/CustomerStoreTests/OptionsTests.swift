import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// What an app can ask of a store and of its values.
@Suite(.onThreads) struct OptionsTests {
  @Test func `a trace has every statement, how long it took, and no one's data`() throws {
    let statements = Mutex<[(sql: String, duration: Duration)]>([])
    var options = CustomerStore.Options()
    options.trace = { sql, duration in statements.withLock { $0.append((sql, duration)) } }
    try withTemporaryFolder { folder in
      for store in [
        try CustomerStore(path: folder + "/list.sqlite", options: options),
        try CustomerStore.inMemory(options: options),
      ] {
        statements.withLock { $0 = [] }
        try store.write(action: "add") { list in
          _ = try list.insert(CustomerFields(firstName: "Zoë", lastName: "Secret", note: "confidential"))
        }
        _ = try store.read { try $0.customers(matching: RowFilter(search: TextSearch("confidential"))) }
        let traced = statements.withLock { $0 }
        #expect(traced.contains { $0.sql.contains("INSERT") } && traced.contains { $0.sql == "COMMIT" })
        #expect(traced.allSatisfy { $0.duration >= .zero })
        #expect(!traced.contains { $0.sql.contains("Secret") || $0.sql.contains("confidential") })
      }
    }
  }

  @Test func `a call that waits can do so in its own way`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      var options = CustomerStore.Options()
      options.whileWaiting = { _ in
        Issue.record("the call has its own")
        return false
      }
      let (store, other) = (try CustomerStore(path: path, options: options), try CustomerStore(path: path))
      let pauses = Mutex(0)
      let giveUp: CustomerStore.Options.WhileWaiting = { _ in
        pauses.withLock { $0 += 1 }
        return false
      }
      try other.write { list in
        _ = try list.insert(CustomerFields(name: "Ann"))
        #expect(throws: StoreError.locked) { try store.write(whileWaiting: giveUp) { _ in } }
      }
      #expect(pauses.withLock { $0 } >= 1)
    }
  }

  @Test func `sections come with their rows, and a value can be put together from others`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob | Leads: Cid | Empty:")
    let day = 3
    try store.write { list in
      let dora = try list.insert(CustomerFields(name: "Dora"))
      try list.apply(.update([dora.id], [.note: "call on day \(day)"]))
    }
    let sections = try store.read { try $0.sectionsWithRows() }
    #expect(sections.map(\.section.title) == ["Customers", "Leads", "Empty"])
    #expect(sections.map { $0.rows.map(\.name) } == [["Ann", "Bob", "Dora"], ["Cid"], []])
    #expect(sections[0].rows[2].fields.note == "call on day 3")
    #expect(try sections.map(\.section) == store.read { try $0.sections() })
  }
}
