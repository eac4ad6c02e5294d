import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The table of fields and the extra columns.
@Suite(.onThreads) struct FieldTests {
  /// What the tables have besides the fields.
  @Test(arguments: [
    ("customers", ["id", "section", "order", "can_edit", "can_move", "extra"]),
    ("customer_record", ["id", "block", "deleted_by", "can_edit", "can_move", "extra", "uid"]),
    (
      "edit_record",
      [
        "id", "kind", "row", "count", "section", "order", "to_section", "to_order", "can_edit", "can_move",
        "extra", "title", "footer", "name", "to_name", "customer", "line_at", "author", "text", "value",
        "place",
        "choices",
      ]
    ),
  ])
  func `the fields of Swift are those of SQL`(table: String, others: [String]) throws {
    let columns = try CustomerStore.inMemory().read { list in
      try list.connection.fetchAll("SELECT name FROM pragma_table_info(?)", [.text(table)]) { $0.text(0) }
    }
    #expect(columns.filter { !others.contains($0) }.sorted() == CustomerField.stored.map(\.column).sorted())
    #expect(others.allSatisfy(columns.contains))
  }

  @Test func `each field has one descriptor, with a column and a kind of its own`() {
    #expect(Set(CustomerField.stored).count == FieldDescriptor.all.count)
    #expect(CustomerField.stored == CustomerField.standard + [.next, .addressParts])
    for field in CustomerField.stored { #expect(field.descriptor?.field == field) }
    for field in CustomerField.standard {
      #expect(CustomerField(column: field.column) == field && CustomerField(named: field.title) == field)
      #expect(CustomerField.texts.contains(field) == (field.kind != .flag))
    }
    #expect(CustomerField(column: "extra") == nil && CustomerField.extra("Fax").kind == .text)
    #expect((CustomerField.email.kind, CustomerField.note.kind) == (.text, .multilineText))
    #expect(CustomerField.isFavorite.kind == .flag)
    // Files rely on it.
    #expect(
      CustomerField.lists == [.otherContacts, .tags]
        && CustomerField.texts.suffix(2) == [.otherContacts, .tags])
  }

  /// Every stored property of the fields is one of a descriptor, or `extra`: none is forgotten.
  @Test func `all stored properties are fields`() {
    let properties = Mirror(reflecting: CustomerFields()).children.compactMap(\.label)
    #expect(properties.count == CustomerField.stored.count + 1 && properties.last == "extra")
  }

  @Test func `each field is read and written by itself`() {
    let fields = CustomerField.stored + [.extra("Fax")]
    for field in fields {
      var changed = CustomerFields()
      let value: FieldValue = field == .isFavorite ? true : "x"
      changed[field] = value
      #expect(changed[field] == value)
      #expect(changed.differences(from: CustomerFields()) == [field])
      #expect(CustomerFields().differences(from: changed) == [field])
      changed[field] = field.emptyValue
      #expect(changed == CustomerFields())
    }
    var all = CustomerFields()
    for (index, field) in CustomerField.texts.enumerated() { all[field] = .text("\(index)") }
    #expect(all.texts == CustomerField.texts.map { all[$0].text })
  }

  @Test func `a yes/no field accepts several spellings of yes and no, and nothing else`() throws {
    for (text, isSet) in [
      "yes": true, "TRUE": true, "1": true, "no": false, "False": false, "0": false, "": false,
    ] {
      #expect(try CustomerField.isFavorite.value(parsing: text) == .flag(isSet), "\(text)")
    }
    #expect(throws: FieldError(field: .isFavorite)) { try CustomerField.isFavorite.value(parsing: "maybe") }
    #expect(try CustomerField.phone.value(parsing: "maybe") == "maybe")
  }

  @Test func `a column is set, removed, or renamed, and the others stay as they are`() {
    var extra = ExtraColumns(#"{"b":1.50,"a":"x","n":null,"c":{"k":[1,2]}}"#)
    #expect(extra.names == ["b", "a", "c"])
    #expect((extra["b"], extra["a"], extra["n"], extra["d"]) == (.json("1.50"), "x", nil, nil))
    extra["a"] = "é\"\\"
    extra["d"] = true
    #expect(extra.json == #"{"b":1.50,"a":"é\"\\","n":null,"c":{"k":[1,2]},"d":true}"#)
    #expect(extra.rename("b", to: "B") && !extra.rename("B", to: "a") && !extra.rename("none", to: "e"))
    extra["a"] = ""
    extra["d"] = nil
    #expect(extra.json == #"{"B":1.50,"n":null,"c":{"k":[1,2]}}"#)
    #expect(ExtraColumns("{}").json == "{}" && ExtraColumns(extra.json) == extra)
  }

  @Test func `names of extra columns are compared byte by byte`() {
    var extra = ExtraColumns(#"{"é":"one"}"#)
    extra["e\u{301}"] = "two"
    #expect(extra.names.map { $0.utf8.count } == [2, 3] && extra["é"] == "one")
  }

  @Test func `anything but a plain object is kept as one column`() {
    for json in [
      #"{"a":1,"a":2}"#, String(repeating: #"{"a":"#, count: 70) + "1" + String(repeating: "}", count: 70),
    ] {
      var extra = ExtraColumns(json)
      #expect(extra.columns.map(\.name) == ["extra"] && extra["extra"] == .json(json))
      extra["b"] = "new"
      #expect(extra.json == #"{"extra":\#(json),"b":"new"}"#)
    }
  }

  @Test func `an extra column is a field of a customer in the file`() throws {
    let store = try CustomerStore.inMemory("Ann")
    try store.write { list in
      try list.update(1) {
        $0[.extra("Fax")] = "555"; $0[.extra("Tier")] = .json("2")
      }
      try list.update(1) { $0[.extra("Fax")] = "556" }
    }
    let fields = try store.read { list in try list.customer(1).fields }
    #expect(fields.extra == #"{"Fax":"556","Tier":2}"#)
  }
}
