@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Reverting random steps: of the last one, as undo does; of an earlier one, as if it had not been made.
@Suite(.onThreads) struct RandomRevertTests {
  private static let seeds = sampled(1...(isLong ? 400 : 12), oneIn: 4)

  private func contents(_ store: CustomerStore) throws -> String {
    try store.read { list in try list.connection.contents() }
  }

  @Test(arguments: seeds)
  func `the last step is reverted as undo does it`(seed: Int) throws {
    let store = try CustomerStore.inMemory()
    var editor = RandomEditor(seed: seed)
    try store.write { list in try list.connection.setCapacity(editor.capacity) }
    for round in 0..<20 {
      let before = try contents(store)
      try store.write { list in try editor.step(&list) }
      let step = try store.read { list in try list.history(limit: 1).first }
      let after = try contents(store)
      guard let step, step.kind == .edit, before != after else { continue }
      try store.write { list in try list.revert(step.id) }
      try #require(try contents(store) == before, "round \(round)")
      try store.write { list in try list.undo() }
      try #require(try contents(store) == after, "round \(round)")
    }
  }

  /// Rows that were moved as a block go back among those that are left, whichever of these has gone since.
  @Test(arguments: sampled(1..<31, oneIn: 5))
  func `moved rows are back between their neighbors`(mask: Int) throws {
    let names = ["A", "B", "C", "D", "E"]
    let moved = (0..<5).filter { mask >> $0 & 1 == 1 }
    for destination in [Destination.first, .last] {
      for gone in 0..<5 where !moved.contains(gone) {
        let store = try CustomerStore.inMemory("A, B, C, D, E")
        let ids = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.id) }
        let known = try store.read { try $0.history(limit: 9).count }
        try store.write { list in _ = try list.move(moved.map { ids[$0] }, to: destination, in: 1) }
        let steps = try store.read { try $0.history(limit: 9) }
        // They may be there already.
        guard let step = steps.first, steps.count > known else { continue }
        try store.write { list in _ = try list.delete(ids[gone]) }
        try store.write { list in try list.revert(step.id) }
        let found = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.name) }
        #expect(found == names.enumerated().filter { $0.offset != gone }.map(\.element), "\(moved) \(gone)")
      }
    }
  }

  @Test func `a sort is reverted beside rows that came and went since`() throws {
    let store = try CustomerStore.inMemory("A, B, C, D, E")
    try store.write { list in
      let order = try list.sortOrder(by: "name", isDescending: true)
      _ = try list.apply(.sort(order, in: nil))
    }
    let sort = try #require(try store.read { try $0.history(limit: 1).first })
    try store.write { list in
      _ = try list.insert(CustomerFields(firstName: "N"))
      _ = try list.delete(3)
    }
    try store.write { list in try list.revert(sort.id) }
    let found = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.name) }
    #expect(found == ["A", "B", "D", "E", "N"])
  }

  @Test func `what was added to the end since stays after the rows that come back`() throws {
    for edit in [ListEdit.move([4], to: .first), .delete([4]), .delete([3, 4])] {
      let store = try CustomerStore.inMemory("A, B, C, D")
      try store.write { list in _ = try list.apply(edit) }
      let step = try #require(try store.read { try $0.history(limit: 1).first })
      try store.write { list in _ = try list.insert(CustomerFields(firstName: "N")) }
      try store.write { list in try list.revert(step.id) }
      let found = try store.read { list in try list.page(from: 1, limit: 9, in: 1).map(\.name) }
      #expect(found == ["A", "B", "C", "D", "N"], "\(edit)")
    }
  }

  /// The fields of one customer, as a string each.
  private typealias Model = [CustomerField: String]

  @Test(arguments: seeds)
  func `an earlier step is reverted field by field, unless a later one changed the same field`(
    seed: Int
  ) throws {
    var random = SplitMix64(seed: seed)
    let fields = [.note, .otherContacts, .tags] + ["a", "b", "é", "c d"].map(CustomerField.extra)
    let store = try CustomerStore.inMemory("Ann, Bob")
    var model: [CustomerID: Model] = [1: [:], 2: [:]]
    // What each step replaced.
    var steps: [(id: Int64, old: [CustomerID: Model])] = []
    for _ in 0..<10 {
      var old: [CustomerID: Model] = [:]
      try store.write { list in
        for id in [1, 2] as [CustomerID] where random.below(3) > 0 {
          for field in fields where random.below(3) == 0 {
            let (before, text) = (model[id]?[field] ?? "", ["", "x", "y"][random.below(3)])
            try list.update(id) { $0[field] = .text(text) }
            model[id]?[field] = text
            if before != text { old[id, default: [:]][field] = before }
          }
        }
      }
      guard !old.isEmpty, let last = try store.read({ try $0.history(limit: 1).first?.id }) else { continue }
      steps.append((last, old))
    }
    let chosen = random.below(steps.count)
    let later = steps[(chosen + 1)...]
    let conflicts = steps[chosen].old.filter { id, fields in
      later.contains { $0.old[id]?.keys.contains { fields[$0] != nil } ?? false }
    }.keys.sorted()
    do {
      try store.write { list in try list.revert(steps[chosen].id) }
      try #require(conflicts.isEmpty, "seed \(seed)")
      for (id, fields) in steps[chosen].old { model[id]?.merge(fields) { $1 } }
    } catch RevertError.changedSince(let customers) {
      try #require(customers == conflicts, "seed \(seed)")
    }
    for (id, texts) in model {
      let found = try store.read { list in try list.customer(id).fields }
      for field in fields { try #require(found[field].text == texts[field] ?? "", "seed \(seed): \(field)") }
    }
  }
}
