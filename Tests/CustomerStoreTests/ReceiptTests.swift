@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The authors of steps and the receipts of transactions.
@Suite(.onThreads) struct ReceiptTests {
  @Test func `a step records its program, user, and machine`() throws {
    try withTemporaryFolder { folder in
      var options = CustomerStore.Options()
      (options.program, options.user, options.host) = ("shop", "ann", "desk")
      let store = try CustomerStore(path: folder + "/list.sqlite", options: options)
      try store.write(action: "add") { list in _ = try list.insert(CustomerFields()) }
      try store.write(action: "undo") { list in _ = try list.undo() }
      let steps = try store.read { try $0.history() }
      #expect(steps.map(\.kind) == [.undo, .edit])
      for step in steps {
        #expect([step.program, step.user, step.host, step.action] == ["shop", "ann", "desk", "add"])
      }
      let events = try store.read { try $0.events(after: $0.version(after: 0)) }
      guard case .step(let step) = try #require(events.first) else { throw StoreError.missing }
      #expect([step.program, step.user, step.host, step.action] == ["shop", "ann", "desk", "add"])
      // The author is cleared afterward, and another client's step has none.
      try Connection(path: folder + "/list.sqlite").executeScript("INSERT INTO customers (note) VALUES ('x')")
      let last = try #require(try store.read { try $0.history(limit: 1) }.first)
      #expect([last.program, last.user, last.host, last.action] == ["", "", "", ""])
    }
  }

  @Test func `the outcome of a transaction can be looked up even after the history is erased`() throws {
    let store = try CustomerStore.inMemory()
    let (done, failed, refused, forgot, later) = (
      TransactionToken(), TransactionToken(), TransactionToken(), TransactionToken(), TransactionToken()
    )
    try store.write(token: done) { list in _ = try list.insert(CustomerFields()) }
    #expect(throws: ListError.self) {
      try store.write(token: failed) { list in
        try list.insert(CustomerFields())
        try list.delete([CustomerID(rawValue: 77)])
      }
    }
    try store.write(token: refused) { list in
      #expect(throws: ListError.self) { try list.move([CustomerID(rawValue: 1)], to: .place(9)) }
    }
    try store.write(token: forgot) { list in try list.forgetHistory() }
    try store.write(token: later) { list in _ = try list.insert(CustomerFields()) }
    try store.read { list in
      let found = try [done, failed, refused, forgot, later].map { try list.outcome(of: $0) }
      #expect(found == [.committed, .notCommitted, .notCommitted, .committed, .committed])
    }
  }

  /// A file that keeps all its receipts knows what was never committed.
  @Test func `in a new file an old token was not committed`() throws {
    let store = try CustomerStore.inMemory()
    let old = TransactionToken(rawValue: "0190" + String(repeating: "0", count: 28))
    try store.write { list in _ = try list.insert(CustomerFields()) }
    #expect(try store.read { try $0.outcome(of: old) } == .notCommitted)
  }

  @Test func `a receipt keeps neither the program and its action nor the user and the machine`() throws {
    var options = CustomerStore.Options()
    (options.program, options.user, options.host) = ("shop", "ann", "desk")
    let store = try CustomerStore.inMemory(options: options)
    try store.write(action: "add") { list in _ = try list.insert(CustomerFields()) }
    try store.write(action: "undo") { list in _ = try list.undo() }
    try store.write(action: "forget") { list in try list.forgetHistory() }
    try store.read { list in
      let kept = try list.connection.fetchAll(
        "SELECT coalesce(program, user, host, action, '') FROM receipt"
      ) { $0.text(0) }
      #expect(kept.count > 2 && kept.allSatisfy(\.isEmpty), "\(kept)")
    }
  }

  @Test func `a repair leaves a receipt`() throws {
    let store = try CustomerStore.inMemory()
    let token = TransactionToken()
    try store.write(token: token) { list in
      for _ in 0..<3 { try list.insert(CustomerFields()) }
      try list.connection.execute("UPDATE node SET start = 7")
    }
    let before = try store.read { try $0.connection.count("receipt") }
    try store.repair()
    #expect(try store.read { try $0.connection.count("receipt") } == before + 1)
    #expect(try store.read { try $0.outcome(of: token) } == .committed)
  }

  @Test func `the last 10,000 receipts are kept, and a token from before them is unknown`() throws {
    let store = try CustomerStore.inMemory()
    let (old, absent) = (TransactionToken(), TransactionToken())
    try store.write(token: old) { list in _ = try list.insert(CustomerFields()) }
    try store.write { list in
      for number in 1...10_500 {
        try list.connection.execute(
          "INSERT INTO begin_transaction VALUES (?, '', '', '', '')", [.text("\(number)")])
      }
      let kept = try list.connection.count("receipt")
      #expect((10_000...10_260).contains(kept))
      let found = try [old, absent, TransactionToken()].map { try list.outcome(of: $0) }
      #expect(found[0] == .unknown)
      #expect(found[1] == .unknown)
      let last = try list.outcome(of: TransactionToken(rawValue: "10500"))
      #expect(last == .committed)
    }
  }

  @Test func `a new token is unique and starts with its time`() throws {
    let tokens = (0..<100).map { _ in TransactionToken() }
    #expect(Set(tokens).count == 100)
    for token in tokens {
      #expect(token.rawValue.count == 32)
      #expect(try #require(token.milliseconds) > 1_700_000_000_000)
    }
  }
}
