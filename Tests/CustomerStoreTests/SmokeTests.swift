import CustomerStore
import Testing

@Test func `a row goes where it is put`() throws {
  let store = try CustomerStore.inMemory()
  try store.write { list in
    for name in ["A", "B", "C", "D"] { try list.insert(CustomerFields(firstName: name)) }
    let first = try list.sections()[0].id
    let d = try list.last(in: first)!
    let moves = try list.move([d.id], to: .place(2))
    #expect(moves[0].to.order == 2)
    try list.insert(at: .place(2)) { nil }
    #expect(try list.check().isEmpty)
  }
}
