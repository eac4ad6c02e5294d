import CustomerStore
import Testing

@Suite struct HistoryTests {
  @Test func `undo takes back a move`() throws {
    let store = try CustomerStore.inMemory()
    let ids = try store.write { list in
      try ["A", "B", "C"].map { try list.insert(CustomerFields(firstName: $0)).id }
    }
    try store.write(action: "move") { list in try list.move([ids[2]], to: .first) }
    let undone = try store.write { list in try list.undo() }
    #expect(undone?.action == "move")
  }
}
