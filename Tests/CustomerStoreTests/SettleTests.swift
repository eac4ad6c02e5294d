import CustomerStore
import CustomersTestSupport
import Testing

/// Settling a transaction: if it is not committed yet, it never will be.
@Suite(.onThreads) struct SettleTests {
  private func insert(_ token: TransactionToken, into store: CustomerStore) throws {
    try store.write(token: token) { list in
      try list.refuseIfSettled(token)
      _ = try list.insert(CustomerFields(firstName: "Ann"))
    }
  }

  @Test func `a committed transaction is reported as committed each time`() throws {
    let store = try CustomerStore.inMemory()
    let token = TransactionToken()
    try insert(token, into: store)
    for _ in 0..<3 { #expect(try store.settle(token) == .committed) }
    #expect(try store.read { list in try list.count() } == 1)
  }

  @Test func `a transaction reported as not committed is refused later`() throws {
    try withTemporaryFolder { folder in
      let (late, asking) = (
        try CustomerStore(path: folder + "/list"), try CustomerStore(path: folder + "/list")
      )
      let token = TransactionToken()
      for _ in 0..<3 { #expect(try asking.settle(token) == .notCommitted) }
      #expect(throws: CancellationError.self) { try insert(token, into: late) }
      #expect(try asking.settle(token) == .notCommitted)
      // Other transactions are not affected, and the lookup adds no history step.
      try insert(TransactionToken(), into: late)
      #expect(try late.read { list in try list.count() } == 1)
      #expect(try late.read { list in try list.history().count } == 1)
      #expect(try late.read { list in try list.check() }.isEmpty)
    }
  }

  @Test func `the version changes with every edit, and a backup has the same`() throws {
    try withTemporaryFolder { folder in
      let store = try CustomerStore(path: folder + "/list")
      var known = [try store.read { list in try list.version() }]
      for _ in 0..<2 {
        try store.write { list in _ = try list.insert(CustomerFields()) }
        known.append(try store.read { list in try list.version() })
      }
      try store.write { list in _ = try list.undo() }
      known.append(try store.read { list in try list.version() })
      #expect(Set(known).count == 4)
      try store.backUp(to: folder + "/copy")
      let copy = try CustomerStore(path: folder + "/copy")
      #expect(try copy.read { list in try list.version() } == known.last)
      #expect(try store.read { list in try list.version() } == known.last)
    }
  }
}
