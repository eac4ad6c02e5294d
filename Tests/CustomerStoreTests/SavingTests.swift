import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Testing

/// Saving a form while others edit.
@Suite(.onThreads) struct SavingTests {
  @Test(arguments: [CustomerField.phone, .isFavorite, .extra("Fax")])
  func `a field is saved, kept or in conflict, depending on its three values`(field: CustomerField) throws {
    let values: [FieldValue] = field == .isFavorite ? [false, true] : ["", "a", "b"]
    for base in values {
      for mine in values {
        for theirs in values {
          let store = try CustomerStore.inMemory("Ann")
          func fields(_ value: FieldValue, _ note: FieldValue) -> CustomerFields {
            var fields = CustomerFields(name: "Ann")
            fields[field] = value
            fields[.note] = note
            return fields
          }
          try store.write { list in _ = try list.update(1) { $0 = fields(theirs, "theirs") } }
          let isConflict = mine != base && theirs != base && mine != theirs
          let expected = fields(isConflict || mine == base ? theirs : mine, "theirs")
          do {
            let saved = try store.write { list in
              try list.update(1, from: fields(base, ""), to: fields(mine, ""))
            }
            #expect(!isConflict && saved.fields == expected, "\(base), \(mine), \(theirs)")
          } catch let conflict as FieldConflict {
            #expect(isConflict && conflict.fields == [field])
            #expect(conflict.mine == fields(mine, "") && conflict.theirs == fields(theirs, "theirs"))
          }
          #expect(try store.read { list in try list.customer(1).fields } == expected)
        }
      }
    }
  }

  @Test func `after a conflict, the caller can overwrite`() throws {
    let store = try CustomerStore.inMemory("Ann")
    let base = CustomerFields(name: "Ann")
    var mine = base
    mine.phone = "mine"
    try store.write { list in _ = try list.update(1) { $0.phone = "theirs" } }
    do {
      try store.write { list in _ = try list.update(1, from: base, to: mine) }
      Issue.record("no conflict")
    } catch let conflict as FieldConflict {
      try store.write { list in _ = try list.update(1, from: conflict.theirs, to: conflict.mine) }
    }
    #expect(try store.read { list in try list.customer(1).fields } == mine)
  }

  @Test func `a renamed column keeps its place`() throws {
    let store = try CustomerStore.inMemory("Ann")
    try store.write { list in _ = try list.update(1) { $0.extra = #"{"a":1,"b":2}"# } }
    let base = try store.read { list in try list.customer(1).fields }
    var mine = base
    mine.extraColumns.rename("a", to: "A")
    try store.write { list in _ = try list.update(1, from: base, to: mine) }
    #expect(try store.read { list in try list.customer(1).fields.extra } == #"{"A":1,"b":2}"#)
  }
}
