import CustomerFixtures
@_spi(Tools) @testable import CustomerStore
import CustomersTestSupport
import Testing

/// The changes that edits report.
@Suite(.onThreads) struct OutcomeTests {
  private static let new = NewCustomer(CustomerFields(name: "New"))
  private static let locked = NewCustomer(CustomerFields(name: "Locked"), canEdit: false, canMove: false)

  private static func batch(_ build: (inout BatchUpdates) -> Void) -> ListEdit {
    var updates = BatchUpdates()
    build(&updates)
    return .batch(updates)
  }

  /// One of each kind, and more of those that have several shapes.
  private static let edits: [ListEdit] =
    (1...5).map { .insert([new], at: .place($0)) } + [
      .insert([new, locked], at: .after(2)), .insert([locked], in: 2),
      .insert(Array(repeating: new, count: EditOutcome.runLength), at: .first),
      .insert(Array(repeating: new, count: EditOutcome.runLength + 1), at: .place(3)),
      .update([2], [.phone: "555", .isFavorite: true, .extra("Fax"): "1"]),
      .save(2, from: CustomerFields(name: "B"), to: CustomerFields(firstName: "Bob", note: "x")),
      .delete([2]), .delete([5, 1, 3]), .moveBy([1, 2], 1), .swap(1, 4), .swap(1, 6),
      .move([3, 1], to: .last), .move([4, 6], to: .first, in: 1), .move([1, 2], to: .place(2), in: 2),
      .protect([1, 5], canEdit: false), .protect([2], canMove: false),
      .sort(SortOrder(by: [.name], isDescending: true)),
      .sort(SortOrder(by: [.name], isDescending: true), in: 2),
      .arrange([2, 1, 4, 3], in: 1),
      .section(.add(title: "Third", at: 1)), .section(.rename(2, title: "Less", footer: "f")),
      .section(.move(2, to: 1)), .section(.delete(2, withCustomers: true)),
      batch {
        $0.delete(.place(1, in: 1)); $0.update(.customer(4), [.note: "x"]);
        $0.insert(new.fields, at: .first(in: 2))
        $0.move(.customer(3), to: .place(3, in: 2))
      },
      batch {
        $0.move(.customer(1), to: .last(in: 1)); $0.update(.customer(1), [.note: "x"])
      },
    ]
    + (1...4).flatMap { from in
      (1...4).filter { $0 != from }.map { .move([CustomerID(rawValue: Int64(from))], to: .place($0)) }
    }

  private static func store() throws -> CustomerStore {
    try CustomerStore.inMemory("A, B, C, D | More: X, Y")
  }

  @Test(arguments: edits.indices)
  func `an edit, its dry run and its redo have one outcome, and undo the opposite`(index: Int) throws {
    let edit = Self.edits[index]
    let store = try Self.store()
    let dry = try store.dryRun { list in try list.apply(edit) }
    let made = try store.write { list in try list.apply(edit) }
    let undone = try #require(try store.write { list in try list.undo(expecting: nil) }).outcome
    let redone = try #require(try store.write { list in try list.redo(expecting: nil) }).outcome
    #expect(!made.isEmpty)
    #expect(dry == made, "\(edit)")
    #expect(redone == made, "\(edit)")
    #expect(undone.before == made.after && undone.after == made.before)
    // Rows by id: a row that came in is one that leaves.
    func places(_ rows: [EditOutcome.Row], _ from: KeyPath<EditOutcome.Row, CustomerPlace?>) -> [CustomerID:
      CustomerPlace?]
    {
      Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0[keyPath: from]) })
    }
    #expect(places(undone.rows, \.from) == places(made.rows, \.to), "\(edit)")
    #expect(places(undone.rows, \.to) == places(made.rows, \.from), "\(edit)")
    #expect(undone.sections.map(\.before) == made.sections.map(\.after))
  }

  @Test(arguments: edits.indices)
  func `an outcome names the places and fields that the list had before and has after`(index: Int) throws {
    let store = try Self.store()
    func rows() throws -> [CustomerID: Customer] {
      var rows: [CustomerID: Customer] = [:]
      try store.read { list in
        try list.forEach { customer in
          rows[customer.id] = customer
          return true
        }
      }
      return rows
    }
    let before = try rows()
    let outcome = try store.write { list in try list.apply(Self.edits[index]) }
    let after = try rows()
    for row in outcome.rows {
      #expect(row.from == before[row.id]?.place && row.to == after[row.id]?.place)
      #expect(row.customer == after[row.id] ?? before[row.id])
      if let old = before[row.id], let new = after[row.id] {
        #expect(Set(row.fields) == Set(new.fields.differences(from: old.fields)))
        #expect(row.hasOtherRights == ((old.canEdit, old.canMove) != (new.canEdit, new.canMove)))
      }
    }
    let runs = outcome.runs.flatMap { run in
      (0..<run.count).map { CustomerID(rawValue: run.first.rawValue + Int64($0)) }
    }
    let named = Set(outcome.rows.map(\.id)).union(runs)
    // Rows that are not named are unchanged, except for shifts.
    #expect(Set(before.keys).symmetricDifference(after.keys).isSubset(of: named))
    for (id, new) in after where !named.contains(id) {
      #expect(new.fields == before[id]?.fields && new.canEdit == before[id]?.canEdit)
    }
  }

  @Test func `a move alone, in a batch, as an arrangement and by undo has one outcome`() throws {
    let store = try Self.store()
    let alone = try store.dryRun { list in try list.apply(.move([1], to: .place(3))) }
    let batched = try store.dryRun { list in
      try list.apply(Self.batch { $0.move(.customer(1), to: .place(3, in: 1)) })
    }
    #expect(batched == alone)
    let undone = try store.dryRun { list in
      try list.move(1, to: .last)
      try list.move(1, to: .place(3))
      return try list.apply(.moveBy([1], 0))
    }
    #expect(undone.isEmpty)
    // The same picture before, made by the opposite edit.
    let other = try CustomerStore.inMemory("B, C, A, D | More: X, Y")
    try other.write { list in _ = try list.move(list.customer(named: "A").id, to: .first) }
    let back = try #require(try other.write { list in try list.undo(expecting: nil) }).outcome
    #expect(back.rows.map(\.from) == alone.rows.map(\.from) && back.rows.map(\.to) == alone.rows.map(\.to))
    #expect(back.rows.map(\.isMoved) == [true] && back.before == alone.before && back.after == alone.after)
  }

  @Test func `places refer to the list before and after the whole step`() throws {
    let store = try Self.store()
    try store.write { list in
      try list.move(1, to: .last)
      try list.delete(2)
      _ = try list.update(4) { $0.note = "x" }
      try list.move(1, to: .first)
      try list.insert(CustomerFields(name: "New"), at: .place(2))
    }
    let outcome = try #require(
      try store.write { list in
        _ = try list.undo()
        return try list.redo(expecting: nil)
      }
    ).outcome
    let places = outcome.rows.map { [$0.from?.order, $0.to?.order] }
    #expect(outcome.rows.map(\.customer.name) == ["B", "New", "D"])
    #expect(places == [[2, nil], [nil, 2], [4, 4]])
    #expect(outcome.rows.last?.fields == [.note])
  }

  @Test func `an edit that changes nothing names its rows and is empty`() throws {
    for edit in [
      ListEdit.move([2], to: .place(2)), .update([2], [.lastName: ""]), .protect([2], canEdit: true),
      .moveBy([2], 0), .section(.move(2, to: 2)),
    ] {
      let outcome = try Self.store().write { list in try list.apply(edit) }
      #expect(outcome.isEmpty, "\(edit)")
    }
  }

  @Test func `a refused edit changes nothing, even if the transaction goes on`() throws {
    let store = try Self.store()
    try store.write { list in try list.protect(6, canEdit: false, canMove: false) }
    let form = CustomerFields(firstName: "Y", note: "x")
    let refusals: [(ListEdit, ListError)] = [
      (.delete([2, 6]), .editForbidden(6)), (.move([1, 6], to: .last), .moveForbidden(6)),
      (.delete([1, 99]), .noSuchCustomer(99)), (.update([6], [.note: "x"]), .editForbidden(6)),
      (.save(6, from: CustomerFields(name: "Y"), to: form), .editForbidden(6)),
      (.section(.delete(2)), .sectionNotEmpty(2, count: 2)),
      (.section(.delete(2, withCustomers: true)), .editForbidden(6)),
      (.insert([Self.new], at: .place(9)), .placeOutOfRange(asked: 9, allowed: 1..<6)),
      (.protect([1, 99], canEdit: false), .noSuchCustomer(99)), (.swap(1, 6), .moveForbidden(6)),
    ]
    let before = try store.read { list in try list.connection.dump() }
    let step = try store.write { list in
      for (edit, error) in refusals { #expect(throws: error, "\(edit)") { try list.apply(edit) } }
      return try list.currentStep()
    }
    #expect(step == nil)
    #expect(try store.read { list in try list.connection.dump() } == before)
  }

  @Test func `a long step is only counted`() throws {
    let store = try Self.store()
    try store.write { list in
      for _ in 0..<3 { for id: CustomerID in [1, 2, 3] { _ = try list.move(id, to: .last) } }
    }
    let outcome = try #require(try store.write { list in try list.undo(expecting: nil, limit: 8) }).outcome
    #expect(outcome.rows.isEmpty && outcome.omitted == 9 && !outcome.isEmpty)
  }
}
