@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Reverting random steps: of the last one, as undo does; of an earlier one, as if it had not been made.
@Suite struct RandomRevertTests {
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
}
