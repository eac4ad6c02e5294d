@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Reverting random steps: of the last one, as undo does; of an earlier one, as if it had not been made.
@Suite(.onThreads) struct RandomRevertTests {
  private static let seeds = 1...(isLong ? 400 : 8)

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
