import CustomerStore
import TestSupport
import Testing

/// Asking for a transaction that may still be on its way: what is not there then never comes.
@Suite struct SettleTests {
  private func insert(_ token: TransactionToken, into store: CustomerStore) throws {
    try store.write(token: token) { list in
      try list.refuseIfSettled(token)
      _ = try list.insert(CustomerFields(firstName: "Ann"))
    }
  }

  @Test func `a transaction that was committed is, however often it is asked for`() throws {
    let store = try CustomerStore.inMemory()
    let token = TransactionToken()
    try insert(token, into: store)
    for _ in 0..<3 { #expect(try store.settle(token) == .committed) }
    #expect(try store.read { list in try list.count() } == 1)
  }

  @Test func `a transaction that was not committed when it was asked for is refused`() throws {
    try withTemporaryFolder { folder in
      let (late, asking) = (
        try CustomerStore(path: folder + "/list"), try CustomerStore(path: folder + "/list")
      )
      let token = TransactionToken()
      for _ in 0..<3 { #expect(try asking.settle(token) == .notCommitted) }
      #expect(throws: CancellationError.self) { try insert(token, into: late) }
      #expect(try asking.settle(token) == .notCommitted)
      // Others are not concerned, and it is no step of the history.
      try insert(TransactionToken(), into: late)
      #expect(try late.read { list in try list.count() } == 1)
      #expect(try late.read { list in try list.history().count } == 1)
      #expect(try late.read { list in try list.check() }.isEmpty)
    }
  }

  @Test func `the revision differs after any edit, and is that of a backup`() throws {
    try withTemporaryFolder { folder in
      let store = try CustomerStore(path: folder + "/list")
      var known = [try store.read { list in try list.revision() }]
      for _ in 0..<2 {
        try store.write { list in _ = try list.insert(CustomerFields()) }
        known.append(try store.read { list in try list.revision() })
      }
      try store.write { list in _ = try list.undo() }
      known.append(try store.read { list in try list.revision() })
      #expect(Set(known).count == 4)
      try store.backUp(to: folder + "/copy")
      let copy = try CustomerStore(path: folder + "/copy")
      #expect(try copy.read { list in try list.revision() } == known.last)
      #expect(try store.read { list in try list.revision() } == known.last)
    }
  }
}
