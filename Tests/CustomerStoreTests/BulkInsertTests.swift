import CustomerStore
import CustomersTestSupport
import Testing

/// Inserts of more rows than one chapter has.
@Suite(.onThreads) struct BulkInsertTests {
  private func names(_ store: CustomerStore) throws -> [String] {
    try store.read { list in
      var names: [String] = []
      try list.forEach { customer in
        names.append(customer.fields.firstName)
        return true
      }
      return names
    }
  }

  private func insert(_ numbers: Range<Int>, at place: Int, into list: inout CustomerList) throws {
    var rest = numbers[...]
    let count = try list.insert(at: .place(place)) {
      rest.popFirst().map { CustomerFields(firstName: "\($0)") }
    }
    #expect(count == numbers.count)
  }

  @Test func `each customer has its own values, whatever those before and after it have`() throws {
    var full = CustomerFields(
      firstName: "A", lastName: "B", company: "C", email: "D", phone: "E", address: "F", note: "G",
      isFavorite: true)
    full.extra = #"{"H":1}"#
    let one = CustomerFields(lastName: "B")
    let customers = [
      NewCustomer(full, canEdit: false), NewCustomer(one), NewCustomer(one, canMove: false),
      NewCustomer(full),
      NewCustomer(CustomerFields()), NewCustomer(full, canEdit: false, canMove: false), NewCustomer(one),
    ]
    let store = try CustomerStore.inMemory()
    try store.write { list in
      var rest = customers[...]
      try list.insertCustomers { rest.popFirst() }
    }
    var found: [NewCustomer] = []
    try store.read { list in
      try list.forEach { customer in
        found.append(NewCustomer(customer.fields, canEdit: customer.canEdit, canMove: customer.canMove))
        return true
      }
    }
    #expect(found == customers)
  }

  @Test(arguments: [1, 5, 191, 192, 193, 4607, 4608, 4609, 9300])
  func `any number of rows go where they are put, as one step of the history`(count: Int) throws {
    let store = try CustomerStore.inMemory()
    try store.write { try insert(0..<10, at: 1, into: &$0) }
    try store.write { try insert(10..<10 + count, at: 4, into: &$0) }
    let expected = (0..<3).map(String.init) + (10..<10 + count).map(String.init) + (3..<10).map(String.init)
    #expect(try names(store) == expected)
    #expect(try store.read { try $0.check() } == [])
    try store.write { _ = try $0.undo() }
    #expect(try names(store) == (0..<10).map(String.init))
    try store.write { _ = try $0.redo() }
    #expect(try names(store) == expected)
    #expect(try store.read { try $0.check() } == [])
  }

  @Test(arguments: [0, 100, 4607, 4608, 5000])
  func `a failed insert has no effect, even if the transaction goes on`(good: Int) throws {
    struct Trouble: Error {}
    let store = try CustomerStore.inMemory()
    try store.write { list in
      try insert(0..<3, at: 1, into: &list)
      var given = 0
      #expect(throws: Trouble.self) {
        try list.insert(at: .first) {
          given += 1
          if given > good { throw Trouble() }
          return CustomerFields(firstName: "x")
        }
      }
      try insert(3..<5, at: 4, into: &list)
    }
    #expect(try names(store) == ["0", "1", "2", "3", "4"])
    #expect(try store.read { try $0.check() } == [])
    #expect(try store.read { try $0.largestID() } == 5)
  }
}
