import CustomerStore
import CustomersTestSupport
import Testing

/// Writes that change more than SQLite's cache holds.
@Suite(.onThreads) struct LargeWriteTests {
  /// Inserts 8 MB of customers and reads the list from another connection before that is committed.
  private func countSeenMeanwhile(_ options: CustomerStore.Options) throws -> Int {
    try withTemporaryFolder { folder in
      let store = try CustomerStore(path: folder + "/list.sqlite", options: options)
      var others = CustomerStore.Options()
      others.busyTimeout = .zero
      let other = try CustomerStore(path: folder + "/list.sqlite", options: others)
      let note = String(repeating: "x", count: 4000)
      return try store.write { list in
        var left = 2000
        try list.insertCustomers(at: .last, in: list.sections()[0].id) {
          left -= 1
          return left < 0 ? nil : NewCustomer(CustomerFields(note: note), canEdit: true, canMove: true)
        }
        return try other.read { try $0.count() }
      }
    }
  }

  @Test func `other programs can read until a large write is committed`() throws {
    #expect(try countSeenMeanwhile(CustomerStore.Options()) == 0)
  }

  @Test func `other programs wait if a write has little memory`() throws {
    var options = CustomerStore.Options()
    options.memoryForChanges = 1_000_000
    #expect(throws: StoreError.locked) { try countSeenMeanwhile(options) }
  }
}
