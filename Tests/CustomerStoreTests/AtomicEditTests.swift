import CustomerFixtures
@_spi(Tools) @testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// A public edit that fails in the middle has done nothing, even if the caller goes on with the transaction.
@Suite(.onThreads) struct AtomicEditTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// Whether it is several edits in the history.
    var isSeveral = true
    var body: @Sendable (inout CustomerList) throws -> Void
    var testDescription: String { name }
  }

  private static func edit(_ name: String, _ edit: ListEdit, isSeveral: Bool = true) -> Case {
    Case(name: name, isSeveral: isSeveral) { list in try list.apply(edit) }
  }

  private static let batch: BatchUpdates = {
    var batch = BatchUpdates()
    batch.delete(.customer(1))
    batch.update(.customer(2), [.note: "x"])
    batch.move(.customer(3), to: .first(in: 2))
    batch.insert(CustomerFields(name: "New"), at: .last(in: 1))
    return batch
  }()

  private static let cases = [
    edit("update", .update([1, 2, 3], [.note: "x"])), edit("merge", .merge([1, 2, 3])),
    edit("protect", .protect([1, 2, 3], canEdit: false)), edit("delete", .delete([1, 2, 3])),
    edit("move", .move([1, 2, 3], to: .last, in: 2)), edit("move by", .moveBy([1, 2], 1)),
    edit("swap", .swap(1, 4)), edit("sort", .sort(SortOrder(by: [.name], isDescending: true))),
    edit("arrange", .arrange([4, 3, 2, 1], in: 1), isSeveral: false),
    edit("insert", .insert(["E", "F"].map { NewCustomer(CustomerFields(name: $0)) }), isSeveral: false),
    edit("section delete", .section(.delete(2, withCustomers: true))), edit("batch", .batch(batch)),
    edit("log", .log([1, 2, 3], "x", next: "2026-12-24", to: .last, in: 2)), edit("done", .done([1, 2, 5])),
    edit("column", .column(.rename("City", to: "Town")), isSeveral: false),
    Case(name: "merge()") { list in try list.merge([1, 2, 3]) },
    Case(name: "delete()") { list in try list.delete([1, 2, 3]) },
    Case(name: "move()") { list in try list.move([1, 2, 3], to: .last, in: 2) },
    Case(name: "swap()") { list in try list.swap(1, 4) },
    Case(name: "deleteSection()") { list in try list.deleteSection(2, withCustomers: true) },
    Case(name: "sort()") { list in try list.sort(by: SortOrder(by: [.name], isDescending: true)) },
    Case(name: "performBatchUpdates()") { list in try list.performBatchUpdates(batch) },
    Case(name: "insert(contentsOf:)", isSeveral: false) { list in
      try list.insert(contentsOf: ["E", "F"].map { CustomerFields(name: $0) })
    },
    Case(name: "write(plan)", isSeveral: false) { list in
      guard var plan = try MovePlan(list, moves: 100) else { return }
      try plan.apply(.move([1], to: .last), of: list)
      try plan.apply(.move([2], to: .first, in: 2), of: list)
      try list.write(plan)
    },
  ]

  private static func state(_ list: borrowing CustomerList) throws -> [String] {
    var rows: [String] = []
    try list.forEach {
      rows.append("\($0)")
      return true
    }
    return try list.sections().map { "\($0)" } + rows + ["\(try list.lastEdit())"]
  }

  @Test(arguments: sampled(cases, oneIn: 4))
  func `an edit that fails in the middle has done nothing`(_ test: Case) throws {
    for failing in 0... {
      let store = try CustomerStore.inMemory("One: A, B, C, D | Two: X, Y")
      try store.write { list in try list.update(1) { $0.extra = #"{"City":"Bonn"}"# } }
      let failed = try store.write { list in
        let before = try Self.state(list)
        // The edit fails when it has written this many lines of the history.
        try list.connection.executeScript(
          """
          CREATE TEMP TRIGGER failing_first BEFORE INSERT ON history_step
          WHEN (SELECT id FROM last_edit) = \(try list.lastEdit() + Int64(failing))
          BEGIN SELECT RAISE(ABORT, 'failed'); END;
          CREATE TEMP TRIGGER failing BEFORE UPDATE OF edits ON history_step
          WHEN (SELECT id FROM last_edit) = \(try list.lastEdit() + Int64(failing))
          BEGIN SELECT RAISE(ABORT, 'failed'); END;
          """)
        var failed = false
        do { try test.body(&list) } catch { failed = true }
        try list.connection.executeScript("DROP TRIGGER temp.failing; DROP TRIGGER temp.failing_first")
        if failed {
          let after = try Self.state(list)
          #expect(after == before, "after \(failing) edits")
          // The step has its author, though the first attempt to open it was rolled back.
          try list.insert(CustomerFields(name: "Z"))
        }
        return failed
      }
      guard failed else {
        #expect(failing > (test.isSeveral ? 1 : 0), "\(failing)")
        return
      }
      let step = try store.read { list in try list.history(limit: 1)[0] }
      #expect(step.editCount == 1)
      let violations = try store.read { list in try list.check() }
      #expect(violations.isEmpty)
    }
  }

  @Test func `an edit that is refused for its second row has done nothing`() throws {
    let store = try CustomerStore.inMemory("A, B, C")
    try store.write { list in
      let before = try Self.state(list)
      #expect(throws: ListError.duplicateID(1)) { try list.merge([1, 1]) }
      #expect(throws: ListError.duplicateID(2)) { try list.apply(.merge([1, 2, 2])) }
      #expect(throws: ListError.duplicateID(2)) { try list.merge([1, 2, 3, 2]) }
      let after = try Self.state(list)
      #expect(after == before)
    }
  }
}
