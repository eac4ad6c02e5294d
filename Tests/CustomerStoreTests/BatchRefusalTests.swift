@_spi(Tools) @testable import CustomerStore
import CustomersTestSupport
import Testing

/// A batch that is refused says which operations are to blame and changes nothing.
@Suite(.onThreads) struct BatchRefusalTests {
  static let main = SectionID(rawValue: 1)
  static let other = SectionID(rawValue: 2)

  /// Row n of the main section has the id n, rows 2 and 3 are protected; the other section is empty.
  static func fill(_ list: inout CustomerList) throws {
    _ = try list.addSection(title: "other")
    for number in 1...5 { try list.insert(CustomerFields(firstName: "\(number)"), in: main) }
    try list.protect(CustomerID(rawValue: 2), canMove: false)
    try list.protect(CustomerID(rawValue: 3), canEdit: false, canMove: false)
  }

  @Test(arguments: contradictions + ranges + refusals)
  func `a refused batch changes nothing, and the transaction goes on`(refused: Case) throws {
    try CustomerStore.inMemory().write { list in
      try Self.fill(&list)
      let before = try list.connection.dump()
      var batch = BatchUpdates()
      refused.build(&batch)
      #expect(throws: refused.error) { try list.performBatchUpdates(batch) }
      let after = try list.connection.dump()
      #expect(after == before)
      try list.insert(CustomerFields(), at: .first)
      let violations = try list.check()
      #expect(violations == [])
    }
  }

  @Test func `a batch is rolled back if an update throws`() throws {
    try CustomerStore.inMemory().write { list in
      try Self.fill(&list)
      try list.protect(Self.customer(2), canEdit: false)
      let before = try list.connection.dump()
      #expect(throws: BatchError.refused(operation: 1, .editForbidden(Self.customer(2)))) {
        try list.performBatchUpdates { batch in
          batch.update(Self.row(1), [.note: "written"])
          batch.update(Self.row(2), [.note: "written"])
        }
      }
      let after = try list.connection.dump()
      #expect(after == before)
    }
  }

  @Test func `a protected row can be listed at the place it shifts to, but can't pass another row`() throws {
    try CustomerStore.inMemory().write { list in
      try Self.fill(&list)
      let result = try list.performBatchUpdates { batch in
        batch.move(Self.row(2), to: Self.to(1))
        batch.move(Self.row(1), to: .last(in: Self.main))
      }
      #expect(result.moves.map(\.to) == [Self.place(1), Self.place(5)])
      let ids = try list.ids(in: Self.main).map(\.rawValue)
      #expect(ids == [2, 3, 4, 5, 1])
    }
  }

  @Test func `several rows to the top and to the end keep the order of the calls`() throws {
    try CustomerStore.inMemory().write { list in
      try Self.fill(&list)
      let result = try list.performBatchUpdates { batch in
        batch.move(Self.row(5), to: .first(in: Self.main))
        batch.insert(CustomerFields(), at: .last(in: Self.main))
        batch.move(Self.row(4), to: .first(in: Self.main))
        batch.insert(CustomerFields(), at: .last(in: Self.main))
      }
      #expect(result.inserted.map(\.rawValue) == [6, 7])
      let ids = try list.ids(in: Self.main).map(\.rawValue)
      #expect(ids == [5, 4, 1, 2, 3, 6, 7])
    }
  }

  @Test func `a batch is one step, and an empty batch adds no step`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in try Self.fill(&list) }
    try store.write { list in try list.performBatchUpdates(BatchUpdates()) }
    try store.write { list in
      try list.performBatchUpdates { batch in
        batch.update(Self.row(1), [.note: "one", .isFavorite: true])
        batch.update(Self.row(1), [.note: "one two"])
        batch.move(Self.row(1), to: .first(in: Self.other))
      }
    }
    let (moved, steps) = try store.read { list in
      (try list.customer(Self.customer(1)), try list.history().count)
    }
    #expect(moved.fields.note == "one two" && moved.place == Self.place(1, in: Self.other) && steps == 2)
    try store.write { list in _ = try list.undo() }
    let back = try store.read { list in try list.customer(Self.customer(1)) }
    #expect(back.fields.note == "" && back.place == Self.place(1))
  }
}
