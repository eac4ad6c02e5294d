@testable import CustomerStore
import TestSupport
import Testing

/// A batch that is refused says which operations are to blame and changes nothing.
@Suite struct BatchRefusalTests {
  private static let main = SectionID(rawValue: 1)
  private static let other = SectionID(rawValue: 2)

  /// Row n of the main section has the id n, rows 2 and 3 are protected; the other section is empty.
  private static func fill(_ list: inout CustomerList) throws {
    _ = try list.addSection(title: "other")
    for number in 1...5 { try list.insert(CustomerFields(firstName: "\(number)"), in: main) }
    try list.protect(CustomerID(rawValue: 2), canMove: false)
    try list.protect(CustomerID(rawValue: 3), canEdit: false, canMove: false)
  }

  private static func row(_ order: Int) -> BatchUpdates.Source { .place(order, in: main) }
  private static func to(_ order: Int) -> BatchUpdates.Target { .place(order, in: main) }
  private static func customer(_ id: Int64) -> CustomerID { CustomerID(rawValue: id) }
  private static func place(_ order: Int, in section: SectionID = main) -> Place {
    Place(section: section, order: order)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var error: BatchError
    var build: @Sendable (inout BatchUpdates) -> Void
    var testDescription: String { "\(error)" }
  }

  static let contradictions = [
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.delete(row(1)); $0.delete(row(1))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 2)) {
      $0.move(row(1), to: to(2)); $0.delete(row(5)); $0.move(.customer(customer(1)), to: to(3))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.delete(row(1)); $0.move(row(1), to: to(2))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.move(row(1), to: to(2)); $0.delete(row(1))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.delete(row(1)); $0.update(row(1)) { _ in }
    },
    Case(error: .sameRow(customer(1), first: 0, second: 2)) {
      $0.update(row(1)) { _ in }; $0.update(row(1)) { _ in }; $0.delete(row(1))
    },
    Case(error: .samePlace(place(2), first: 0, second: 1)) {
      $0.insert(CustomerFields(), at: to(2)); $0.move(row(1), to: to(2))
    },
    Case(error: .samePlace(place(1), first: 1, second: 2)) {
      $0.delete(row(5)); $0.insert(CustomerFields(), at: to(1))
      $0.insert(CustomerFields(), at: .first(in: main))
    },
    Case(error: .samePlace(place(6), first: 0, second: 1)) {
      $0.insert(CustomerFields(), at: .last(in: main)); $0.move(row(1), to: to(6))
    },
  ]

  static let ranges = [
    Case(error: .noSuchRow(operation: 1, asked: place(6), allowed: 1..<6)) {
      $0.delete(row(1)); $0.delete(row(6))
    },
    Case(error: .noSuchRow(operation: 0, asked: place(0), allowed: 1..<6)) { $0.move(row(0), to: to(1)) },
    Case(error: .noSuchRow(operation: 0, asked: place(1, in: other), allowed: 1..<1)) {
      $0.update(.place(1, in: other)) { _ in }
    },
    Case(error: .noSuchPlace(operation: 0, asked: place(7), allowed: 1..<7)) {
      $0.insert(CustomerFields(), at: to(7))
    },
    Case(error: .noSuchPlace(operation: 1, asked: place(5), allowed: 1..<5)) {
      $0.delete(row(1)); $0.move(row(4), to: to(5))
    },
    Case(error: .noSuchPlace(operation: 0, asked: place(2, in: other), allowed: 1..<2)) {
      $0.move(row(1), to: .place(2, in: other))
    },
    Case(error: .noSuchPlace(operation: 0, asked: place(.min), allowed: 1..<7)) {
      $0.insert(CustomerFields(), at: to(.min))
    },
  ]

  static let refusals = [
    Case(error: .refused(operation: 1, .editForbidden(customer(3)))) {
      $0.insert(CustomerFields(), at: to(1)); $0.delete(row(3))
    },
    Case(error: .refused(operation: 1, .editForbidden(customer(3)))) {
      $0.delete(row(1)); $0.update(row(3)) { $0.note = "no" }
    },
    Case(error: .refused(operation: 0, .moveForbidden(customer(2)))) { $0.move(row(2), to: to(1)) },
    Case(error: .refused(operation: 0, .moveForbidden(customer(2)))) {
      $0.move(row(2), to: .first(in: other))
    },
    Case(error: .refused(operation: 0, .moveForbidden(customer(3)))) {
      $0.move(row(3), to: to(2)); $0.move(row(2), to: to(3))
    },
    Case(error: .refused(operation: 0, .noSuchCustomer(customer(99)))) { $0.delete(.customer(customer(99))) },
    Case(error: .refused(operation: 0, .noSuchSection(SectionID(rawValue: 9)))) {
      $0.insert(CustomerFields(), at: .last(in: SectionID(rawValue: 9)))
    },
  ]

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

  @Test func `what an update throws takes the batch back`() throws {
    struct Unreadable: Error {}
    try CustomerStore.inMemory().write { list in
      try Self.fill(&list)
      let before = try list.connection.dump()
      #expect(throws: Unreadable.self) {
        try list.performBatchUpdates { batch in
          batch.update(Self.row(1)) { $0.note = "written" }
          batch.update(Self.row(2)) { _ in throw Unreadable() }
        }
      }
      let after = try list.connection.dump()
      #expect(after == before)
    }
  }

  @Test func `a protected row may be named where it slides to, and slides past nothing`() throws {
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

  @Test func `several rows to the top and to the end stand in the order of the calls`() throws {
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

  @Test func `a batch is one step, and one of no operations is none`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in try Self.fill(&list) }
    try store.write { list in try list.performBatchUpdates(BatchUpdates()) }
    try store.write { list in
      try list.performBatchUpdates { batch in
        batch.update(Self.row(1)) { $0.note = "one" }
        batch.update(Self.row(1)) { $0.note += " two" }
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
