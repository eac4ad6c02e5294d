@testable import CustomerStore
import CustomersTestSupport
import Testing

/// Renaming and dropping a column that customers have beside the fields.
@Suite(.onThreads) struct ColumnTests {
  private static let extras = [
    #"{"City":"Bonn","Fax":"1"}"#, "{}", #"{"Fax":"2","City":"Köln","More":[1,{"a":true}],"Is":true}"#,
    #"{"Fax":"\"City\":"}"#,
  ]

  private func list(_ body: (inout CustomerList) throws -> Void) throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      for extra in Self.extras {
        var fields = CustomerFields()
        fields.extra = extra
        try list.insert(fields)
      }
    }
    try store.write { list in try body(&list) }
  }

  private func extras(_ list: borrowing CustomerList) throws -> [String] {
    var found: [String] = []
    try list.forEach {
      found.append($0.fields.extra)
      return true
    }
    return found
  }

  @Test func `a column is renamed in place, as one edit that can be undone`() throws {
    try list { list in
      let first = try list.version()
      let count = try list.renameColumn("City", to: "Town")
      #expect(count == 2)
      let renamed = try extras(list)
      #expect(
        renamed == [
          #"{"Town":"Bonn","Fax":"1"}"#, "{}", #"{"Fax":"2","Town":"Köln","More":[1,{"a":true}],"Is":true}"#,
          #"{"Fax":"\"City\":"}"#,
        ])
      let last = try list.version()
      #expect(last.edit == first.edit + 1)
      let changes = try list.changes(after: first)?.changes
      #expect(changes == [.column(from: "City", to: "Town")])
      try list.endStep()
      try list.undo()
      let undone = try extras(list)
      #expect(undone == Self.extras)
      try list.redo()
      let redone = try extras(list)
      #expect(redone == renamed)
    }
  }

  @Test func `a column is dropped, and undo restores its values`() throws {
    try list { list in
      try list.dropColumn("Fax")
      let dropped = try extras(list)
      #expect(
        dropped == [#"{"City":"Bonn"}"#, "{}", #"{"City":"Köln","More":[1,{"a":true}],"Is":true}"#, "{}"])
      try list.endStep()
      try list.undo()
      let undone = try extras(list)
      #expect(undone == Self.extras)
    }
  }

  @Test func `two columns are joined if no customer has both`() throws {
    try list { list in
      try list.update(3) { $0.extra = #"{"More":1}"# }
      try list.endStep()
      let before = try extras(list)
      let count = try list.renameColumn("More", to: "Fax")
      #expect(count == 1)
      let joined = try extras(list)
      #expect(joined == [before[0], "{}", #"{"Fax":1}"#, before[3]])
      try list.endStep()
      try list.undo()
      let undone = try extras(list)
      #expect(undone == before)
      try list.redo()
      let redone = try extras(list)
      #expect(redone == joined)
    }
  }

  @Test func `its own name changes nothing, also of a column that no customer has`() throws {
    try list { list in
      try list.declareColumn("Empty", kind: .date)
      let last = try list.lastEdit()
      let counts = try [list.renameColumn("Empty", to: "Empty"), list.renameColumn("Fax", to: "Fax")]
      #expect(counts[0] == 0 && counts[1] > 0)
      let (declared, now) = (try list.declaredExtraColumns().map(\.name), try list.lastEdit())
      #expect(declared == ["Empty"] && now == last)
      #expect(throws: ListError.noSuchColumn("Street")) { try list.renameColumn("Street", to: "Street") }
    }
  }

  @Test func `a missing column, or one that a customer has beside the new one, is refused`() throws {
    try list { list in
      #expect(throws: ListError.noSuchColumn("Street")) { try list.renameColumn("Street", to: "Road") }
      #expect(throws: ListError.noSuchColumn("city")) { try list.dropColumn("city") }
      #expect(throws: ListError.columnsOverlap("City", "Fax", in: [1, 3])) {
        try list.renameColumn("City", to: "Fax")
      }
      let unchanged = try extras(list)
      #expect(unchanged == Self.extras)
    }
  }
}
