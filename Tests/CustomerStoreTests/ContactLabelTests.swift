import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The labels of main e-mail addresses, phone numbers, and postal addresses, and the parts of an address.
@Suite(.onThreads) struct ContactLabelTests {
  /// Lines of other contacts before and after a change of the main address, which is `a`.
  @Test(arguments: [
    // Stored once, whoever wrote it.
    ("email work: a", "note", "n", "a", "email work:"), ("email work:", "note", "n", "a", "email work:"),
    ("email: b\nemail work: a", "note", "n", "a", "email: b\nemail work:"),
    // It stays with the main one.
    ("email work:", "email", "c", "c", "email work:"), ("email work: a", "email", "c", "c", "email work:"),
    ("fax: 1\nemail work: a\nemail: b", "email", "c", "c", "fax: 1\nemail work:\nemail: b"),
    // One that has a label already keeps it.
    ("email work:\nemail home: b", "email", "b", "b", "email home:"),
    ("email work: a\nemail home: b", "email", "b", "b", "email home:"),
    ("email work:\nemail: b", "email", "b", "b", ""),
    // A label of nothing is none.
    ("email work:\nphone: 1", "email", "", "", "phone: 1"), ("email work: a", "email", "", "", ""),
    // Two labels of one address, which only other programs write.
    ("email work:\nemail home: a", "note", "n", "a", "email work:\nemail home: a"),
    ("email work:\nemail work: a", "note", "n", "a", "email work:"),
    ("anything\nemail work:x", "note", "n", "a", "anything\nemail work:x"),
  ])
  func `a label is stored once, and stays with the main address`(
    lines: String, column: String, value: String, main: String, expected: String
  ) throws {
    let store = try CustomerStore.inMemory("")
    let id = try store.write { list in
      let id = try list.insert(CustomerFields(firstName: "Ann", email: "a")).id
      try list.connection.execute("UPDATE customers SET other_contacts = ?", [.text(lines)])
      return id
    }
    try store.write { list in
      let field = try #require(CustomerField(column: column))
      try list.update(id) { $0[field] = .text(value) }
    }
    let fields = try store.read { list in try list.customer(id).fields }
    #expect(fields.email == main && fields.otherContacts == expected)
    #expect(!fields.contacts.contains { $0.value.isEmpty })
  }

  @Test func `another program that changes an address keeps its label`() throws {
    let store = try CustomerStore.inMemory("")
    let fields = try store.write { list in
      let id = try list.insert(CustomerFields(firstName: "Ann", email: "a", otherContacts: "email work:")).id
      try list.connection.execute("UPDATE customers SET email = 'b'")
      return try list.customer(id).fields
    }
    #expect(fields.contacts == [ContactLine(.email, label: "work", "b")])
  }

  @Test func `a protected customer is protected, whatever the lines are`() throws {
    let store = try CustomerStore.inMemory("")
    let id = try store.write { list in
      let id = try list.insert(CustomerFields(firstName: "Ann", email: "a", otherContacts: "email work: a"))
        .id
      try list.protect(id, canEdit: false)
      try list.protect(id, canMove: false)
      return id
    }
    #expect(try store.read { list in try list.customer(id).fields.otherContacts } == "email work: a")
  }

  @Test(arguments: [1, 40]) func `the parts of an address go with it`(count: Int) throws {
    let store = try CustomerStore.inMemory("")
    let ids = try store.write { list in
      try (0..<count).map { _ in
        var fields = CustomerFields(firstName: "Ann", address: "Weg 1")
        fields.addressParts = #"{"street":"Weg 1"}"#
        return try list.insert(fields).id
      }
    }
    func parts() throws -> Set<String> {
      Set(try store.read { list in try ids.map { try list.customer($0).fields.addressParts } })
    }
    let last = try store.write { list in
      _ = try list.apply(.update(ids, [.note: "n"]))
      return try list.lastEdit()
    }
    #expect(try parts() == [#"{"street":"Weg 1"}"#])
    try store.write { list in _ = try list.apply(.update(ids, [.address: "Weg 2"])) }
    #expect(try parts() == [""])
    try store.write { list in _ = try list.undo() }
    #expect(try parts() == [#"{"street":"Weg 1"}"#])
    #expect(try store.read { list in try list.lastEdit() } == last + 2 * Int64(count))
    try store.write { list in
      _ = try list.apply(.update(ids, [.address: "Weg 3", .addressParts: #"{"street":"Weg 3"}"#]))
    }
    #expect(try parts() == [#"{"street":"Weg 3"}"#])
  }
}
