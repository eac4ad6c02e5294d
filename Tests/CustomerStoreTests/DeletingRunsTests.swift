@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Many rows are deleted all at once, as if one by one.
@Suite(.onThreads) struct DeletingRunsTests {
  /// 300 rows in two sections; with some of them moved, the ids don't follow each other everywhere.
  private func store(moving moves: Int) throws -> CustomerStore {
    let store = try CustomerStore.inMemory()
    var random = SystemRandomNumberGenerator()
    try store.write { list in
      let second = try list.addSection(title: "2").id
      for section in [SectionID(rawValue: 1), second] {
        try list.insert(contentsOf: (0..<150).map { CustomerFields(firstName: "\($0)") }, in: section)
      }
      for _ in 0..<moves {
        let id = CustomerID(rawValue: Int64.random(in: 1...300, using: &random))
        try list.move([id], to: .place(Int.random(in: 1...140, using: &random)), in: second)
      }
    }
    return store
  }

  private func ids(_ list: borrowing CustomerList) throws -> [[CustomerID]] {
    try list.sections().map { try list.ids(in: $0.id) }
  }

  @Test(arguments: [0, 5, 60, 1000])
  func `the remaining rows keep their order, and undo restores all`(moves: Int) throws {
    let store = try store(moving: moves)
    let before = try store.read { try ids($0) }
    let all = before.flatMap { $0 }
    for count in [99, 100, 250, 300] {
      let gone = count == 300 ? all : Array(all.shuffled().prefix(count / 4) + all.prefix(count))
      let unique = Set(gone)
      try store.write { list in try list.delete(Array(unique)) }
      try store.read { list in
        let left = try ids(list)
        #expect(left == before.map { $0.filter { !unique.contains($0) } })
        let violations = try list.check()
        #expect(violations == [])
      }
      try store.write { list in _ = try list.undo() }
      #expect(try store.read { try ids($0) } == before)
      try store.write { list in _ = try list.redo() }
      try store.write { list in _ = try list.undo() }
      #expect(try store.read { try ids($0) } == before)
    }
  }

  @Test func `a protected row prevents the deletion, and the deletion is one edit`() throws {
    let store = try store(moving: 0)
    let all = try store.read { try ids($0) }.flatMap { $0 }
    try store.write { list in try list.protect(all[200], canEdit: false) }
    let before = try store.read { try $0.connection.dump() }
    #expect(throws: ListError.editForbidden(all[200])) { try store.write { list in try list.delete(all) } }
    #expect(throws: ListError.noSuchCustomer(CustomerID(rawValue: 999))) {
      try store.write { list in try list.delete(all + [CustomerID(rawValue: 999)]) }
    }
    #expect(try store.read { try $0.connection.dump() } == before)
    try store.write { list in
      try list.protect(all[200], canEdit: true)
      try list.delete(all)
    }
    let step = try #require(try store.read { try $0.history(limit: 1) }.first)
    #expect(step.editCount == 2)
  }
}
