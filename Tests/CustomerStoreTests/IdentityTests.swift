@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// What other programs find in the file besides the fields: its identity, and the columns with one value per line.
@Suite(.onThreads) struct IdentityTests {
  private func identity(_ path: String) throws -> [String] {
    try Connection(path: path).fetchOne("SELECT list_id, history_id FROM list_identity") { $0.texts(2) } ?? []
  }

  @Test func `a backup has the identity of the list; a restore and a repair begin a new history`() throws {
    try withTemporaryFolder { folder in
      let (path, copy) = (folder + "/list.sqlite", folder + "/copy.sqlite")
      let store = try CustomerStore(path: path)
      try store.write { list in try list.insert(CustomerFields(note: "1")) }
      let first = try identity(path)
      try store.backUp(to: copy)
      #expect(try identity(copy) == first)
      try store.restore(CustomerStore.checkBackup(at: copy, forListAt: path), keepingListAt: nil)
      let second = try identity(path)
      #expect(second[0] == first[0] && second[1] != first[1])
      #expect(try identity(copy) == first)
      try store.write { list in try list.forgetHistory() }
      let third = try identity(path)
      #expect(third[0] == first[0] && third[1] != second[1])
      try store.write { list in try list.connection.execute("UPDATE node SET start = 7") }
      try store.repair()
      let fourth = try identity(path)
      #expect(fourth[0] == first[0] && fourth[1] != third[1])
    }
  }

  @Test func `lists in memory are different lists`() throws {
    let ids = try (0..<2).map { _ in
      try CustomerStore.inMemory().read { list in
        try list.connection.fetchOne("SELECT list_id FROM list_identity") { $0.text(0) }
      }
    }
    #expect(ids[0] != ids[1])
  }

  @Test func `a merge keeps the lines of all customers, each once`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      for (contacts, tags) in [("phone: 1", "old\nvip"), ("email: b@y\nphone: 1", "vip\nnew")] {
        try list.connection.execute(
          "INSERT INTO customers (first_name, other_contacts, tags) VALUES ('Ann', ?, ?)",
          [.text(contacts), .text(tags)])
      }
    }
    let columns = "SELECT other_contacts, tags FROM customers"
    let before = try store.read { list in try list.connection.fetchAll(columns) { $0.texts(2) } }
    try store.write { list in _ = try list.merge([1, 2]) }
    let after = try store.read { list in try list.connection.fetchAll(columns) { $0.texts(2) } }
    #expect(after == [["phone: 1\nemail: b@y", "old\nvip\nnew"]])
    try store.write { list in _ = try list.undo() }
    #expect(try store.read { list in try list.connection.fetchAll(columns) { $0.texts(2) } } == before)
  }
}
