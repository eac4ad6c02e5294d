import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Edits based on an earlier state of the list.
@Suite(.onThreads) struct GuardTests {
  /// The edits by another program beside it, to sections of four and of two rows.
  private static let edits: [ListEdit] =
    (1...4).flatMap { id -> [ListEdit] in
      let id = CustomerID(rawValue: Int64(id))
      return (1...4).map { .move([id], to: .place($0)) }
        + [.move([id], to: .place(2), in: 2), .delete([id]), .update([id], [.note: "theirs"])]
    } + (1...5).map { .insert([NewCustomer(CustomerFields(name: "New"))], at: .place($0), in: 1) }
    + [.move([5], to: .first, in: 1)]

  /// The edits whose rows depend on the list.
  private static let others: [ListEdit] = [.swap(1, 3), .arrange([4, 1, 2, 3], in: 1)]

  private static func outline(_ list: borrowing CustomerList) throws -> [SectionID: [CustomerID]] {
    Dictionary(uniqueKeysWithValues: try list.sections().map { ($0.id, try list.ids(in: $0.id)) })
  }

  /// The rows that an edit names, but for those that an arrangement only lets slide.
  private static func named(_ edit: ListEdit) -> Set<CustomerID> {
    switch edit {
    case .move(let ids, _, _, _), .delete(let ids, _): Set(ids)
    case .swap(let one, let other): [one, other]
    case .arrange: [4]
    default: []
    }
  }

  /// Whether a row is in its section, among the same rows that no one named.
  private static func keepsNeighbors(
    _ id: CustomerID, _ before: [SectionID: [CustomerID]], _ after: [SectionID: [CustomerID]],
    _ named: Set<CustomerID>
  ) -> Bool {
    guard let section = before.first(where: { $0.value.contains(id) })?.key,
      let old = before[section], let new = after[section], new.contains(id)
    else { return false }
    let staying = Set(old).intersection(new).subtracting(named).union([id])
    return old.filter(staying.contains) == new.filter(staying.contains)
  }

  @Test func `a row is moved unless another program moved it past a row that stayed`() throws {
    let store = try CustomerStore.inMemory("A, B, C, D | More: X, Y")
    var refused = 0
    for first in Self.edits + Self.others {
      let seconds = Self.others.contains(first) ? [] : sampled(Self.edits, oneIn: 5)
      for second in [nil] + seconds.map(Optional.some) {
        try store.write { list in
          try list.connection.execute("SAVEPOINT attempt")
          defer { try? list.connection.executeScript("ROLLBACK TO attempt; RELEASE attempt") }
          let seen = try list.version()
          let before = try Self.outline(list)
          var named: Set<CustomerID> = []
          for edit in [first, second].compactMap(\.self) {
            // The second may be about a row that the first deleted.
            guard let outcome = try? list.apply(edit), !outcome.rows.allSatisfy({ $0.from == $0.to }) else {
              continue
            }
            named.formUnion(Self.named(edit).intersection(outcome.rows.filter { $0.from != $0.to }.map(\.id)))
          }
          let after = try Self.outline(list)
          let now = try list.version()
          for id: CustomerID in [1, 2, 3, 4] where after.values.joined().contains(id) {
            let isAllowed = Self.keepsNeighbors(id, before, after, named)
            let texts = "\(id) after \(first) and \(String(describing: second))"
            if isAllowed {
              #expect(throws: Never.self, "\(texts)") { try list.refuseChangedOrder(of: [id], since: seen) }
            } else {
              refused += 1
              #expect(throws: ListError.orderChanged(id), "\(texts)") {
                try list.refuseChangedOrder(of: [id], since: seen)
              }
            }
            try list.refuseChangedOrder(of: [id], since: now)
          }
        }
      }
    }
    #expect(refused > 10)
  }

  @Test func `a guarded move succeeds if rows were inserted above, and fails if the row was moved`() throws {
    let store = try CustomerStore.inMemory("A, B, C")
    let seen = try store.read { list in try list.version() }
    try store.write { list in
      try list.insert(CustomerFields(name: "New"), at: .first)
      try list.move(3, to: .place(2), asSeenAt: seen)
    }
    try #expect(store.difference(from: "New, C, A, B") == nil)
    #expect(throws: ListError.orderChanged(3)) {
      try store.write { list in try list.move(3, to: .last, asSeenAt: seen) }
    }
    try store.write { list in _ = try list.undo() }
    try store.write { list in _ = try list.move(3, to: .last, asSeenAt: seen) }
    try #expect(store.difference(from: "A, B, C") == nil)
  }

  @Test func `a customer is deleted as seen unless its content was changed`() throws {
    for edit in Self.edits {
      let store = try CustomerStore.inMemory("A, B, C, D | More: X, Y")
      let seen = try store.read { list in try list.version() }
      try store.write { list in _ = try list.apply(edit) }
      let isChanged = if case .update([2], _) = edit { true } else { false }
      let isGone = if case .delete([2], _) = edit { true } else { false }
      let error: ListError? = isGone ? .noSuchCustomer(2) : isChanged ? .contentChanged(2) : nil
      if let error {
        #expect(throws: error) { try store.write { list in try list.delete(2, asSeenAt: seen) } }
      } else {
        try store.write { list in try list.delete(2, asSeenAt: seen) }
      }
    }
  }

  @Test func `a guard with a forgotten edit is refused`() throws {
    let store = try CustomerStore.inMemory("A, B")
    let seen = try store.read { list in try list.version() }
    func expectRefusals(_ error: ListError) {
      for edit in [ListEdit.delete([1], asSeenAt: seen), .move([1], to: .first, asSeenAt: seen)] {
        #expect(throws: error) { try store.write { list in try list.apply(edit) } }
      }
    }
    try store.write { list in try list.limitHistory(steps: 2, bytes: 64_000_000) }
    for _ in 0..<4 { try store.write { list in _ = try list.insert(CustomerFields()) } }
    expectRefusals(.tooLongAgo(edit: seen.edit))
    try store.write { list in try list.forgetHistory() }
    expectRefusals(.tooLongAgo(edit: seen.edit))
  }

  @Test func `only the step that was offered is undone and redone`() throws {
    let store = try CustomerStore.inMemory("A, B")
    #expect(try store.read { list in try list.undoable() == nil && list.redoable() == nil })
    try store.write(action: "delete") { list in try list.delete(1) }
    let offered = try #require(try store.read { list in try list.undoable() })
    #expect(offered.action == "delete")
    try store.write(action: "add") { list in _ = try list.insert(CustomerFields(name: "Important")) }
    let found = try #require(try store.read { list in try list.undoable() })
    #expect(throws: ListError.otherStep(expected: offered.id, found: found.id)) {
      try store.write { list in try list.undo(expecting: offered) }
    }
    try store.write { list in _ = try list.undo(expecting: found) }
    #expect(
      try store.read { list in try list.undoable()?.id == offered.id && list.redoable()?.id == found.id })
    #expect(throws: ListError.otherStep(expected: 99, found: found.id)) {
      try store.write { list in try list.redo(expecting: HistoryStep(id: 99, time: "")) }
    }
    try store.write { list in _ = try list.redo(expecting: found) }
    #expect(throws: ListError.otherStep(expected: found.id, found: nil)) {
      try store.write { list in try list.redo(expecting: found) }
    }
    try #expect(store.difference(from: "B, Important") == nil)
  }
}
