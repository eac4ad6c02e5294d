@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Loading a list into a database on another machine, whose COMMIT may get no answer.
@Suite(.onThreads) struct LoadingTests {
  @Test func `a loaded list is the same, with its history`() throws {
    let (store, remote) = (try CustomerStore.inMemory(.sections), try RemoteCopy())
    #expect(try store.load(into: remote.connect) == 8)
    #expect(try CustomerStore(path: remote.path).names() == store.names())
    #expect(throws: LoadError.isOccupied) { try store.load(into: remote.connect) }
  }

  @Test func `a commit without an answer is reported as what became of it`() throws {
    let store = try CustomerStore.inMemory(.sections)
    for (loss, outcome) in [(RemoteCopy.Loss.ofAnswer, TransactionOutcome.committed), (.ofRequest, .unknown)]
    {
      let remote = try RemoteCopy()
      remote.loss = loss
      let error = #expect(throws: CommitError.self) { try store.load(into: remote.connect) }
      #expect(error?.outcome == outcome)
      // Looking for the copy must not make a list of its own.
      #expect(try (remote.tableCount() > 0) == (outcome == .committed))
      if outcome == .committed { #expect(try CustomerStore(path: remote.path).names() == store.names()) }
    }
  }

  @Test func `another list that is there afterwards is not the copy`() throws {
    let (store, remote) = (try CustomerStore.inMemory(.sections), try RemoteCopy())
    (remote.loss, remote.other) = (.ofRequest, try CustomerStore.inMemory("Zoe"))
    let error = #expect(throws: CommitError.self) { try store.load(into: remote.connect) }
    #expect(error?.outcome == .unknown)
    #expect(try CustomerStore(path: remote.path).names() == ["Zoe"])
  }
}

extension CustomerStore {
  fileprivate func names() throws -> [String] {
    try read { list in
      var names: [String] = []
      try list.forEach { customer in
        names.append(customer.name)
        return true
      }
      return names
    }
  }
}
