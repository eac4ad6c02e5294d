@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Readers of damaged lists: all rows that the sections count, in order, or an error.
@Suite(.onThreads) struct CompletenessTests {
  /// Ways to read the whole list: the numbers of the rows by section.
  private static let readers:
    [(name: String, read: @Sendable (borrowing CustomerList) throws -> [CustomerPlace])] = [
      ("for each", { list in try list.places { try list.forEach($0) } }),
      (
        "section by section",
        { list in
          try list.places { body in
            for section in try list.sections() { try list.forEach(in: section.id, body) }
          }
        }
      ),
      ("sections with rows", { list in try list.sectionsWithRows().flatMap(\.rows).map(\.place) }),
      (
        "snapshot",
        { list in
          try list.snapshot().sections.flatMap { section in
            (0..<section.count).map { CustomerPlace(section: section.id, order: $0 + 1) }
          }
        }
      ),
      ("search", { list in try list.search("name").map(\.place) }),
      (
        "scan",
        { list in
          let outline = try list.outline()
          return try SearchScan(text: "name", first: 0, end: outline.count).run(list).hits
            .compactMap { outline.place(at: $0.row + 1) }
        }
      ),
      ("window", { list in try list.window(around: 1, size: 1_000).customers.map(\.place) }),
      (
        "one by one",
        { list in
          let outline = try list.outline()
          return try (1..<max(1, outline.count) + 1).flatMap {
            try list.customers(at: $0..<$0 + 1, of: outline)
          }
          .map(\.place)
        }
      ),
    ]

  @Test(
    arguments: sampled(Damage.all, oneIn: 9).map { ($0.testDescription, $0.sql) } + losses, readers.indices)
  func `a reader delivers what the sections count, or throws`(
    damage: (name: String, sql: String), reader: Int
  ) throws {
    let connection = try Connection.newList(.small)
    try connection.execute("INSERT INTO sections (title) VALUES ('2')")
    try connection.append(10, to: 1)
    try connection.append(2, to: 2)
    try connection.executeScript("UPDATE customer_record SET last_name = 'Name'")
    let list = CustomerList(connection: connection)
    let (name, read) = Self.readers[reader]
    let whole = try read(list)
    #expect(whole.count == 12, "\(name)")
    try connection.executeScript(
      "PRAGMA ignore_check_constraints = ON; \(damage.sql); PRAGMA ignore_check_constraints = OFF")
    guard let places = try? read(list) else { return }
    let rows = Dictionary(grouping: places, by: \.section).mapValues { $0.map(\.order) }
    for section in try list.sections() {
      let expected = Array(1..<section.count + 1)
      #expect(rows[section.id, default: []] == expected, "\(name)")
    }
    #expect(
      !Self.losses.contains { $0.0 == damage.name } || name == "section by section" || name == "snapshot",
      "\(name)")
  }

  /// The numbers are right, and the customers are not.
  @Test(arguments: readers.indices, ["customer = 3 WHERE customer = 4", "customer = 12 WHERE customer = 11"])
  func `a customer who is there twice is not taken for another one`(reader: Int, damage: String) throws {
    try expectNoAnswer(of: reader, after: "UPDATE place SET \(damage)")
  }

  @Test(arguments: readers.indices) func `a customer who is marked as deleted is missing`(reader: Int) throws
  {
    // A snapshot has no records.
    guard Self.readers[reader].name != "snapshot" else { return }
    try expectNoAnswer(of: reader, after: "UPDATE customer_record SET deleted_by = 1 WHERE id = 3")
  }

  private func expectNoAnswer(of reader: Int, after damage: String) throws {
    let (name, read) = Self.readers[reader]
    // A row that is looked up alone is not compared with the others.
    guard name != "one by one" else { return }
    let connection = try Connection.newList(.small)
    try connection.execute("INSERT INTO sections (title) VALUES ('2')")
    try connection.append(10, to: 1)
    try connection.append(2, to: 2)
    try connection.executeScript("UPDATE customer_record SET last_name = 'Name'")
    try connection.executeScript(
      "PRAGMA ignore_check_constraints = ON; \(damage); PRAGMA ignore_check_constraints = OFF")
    let list = CustomerList(connection: connection)
    #expect(throws: ListError.self, "\(name)") { _ = try read(list) }
  }

  /// What a page that is lost takes away.
  private static let losses: [(String, String)] = [
    ("a record", "DELETE FROM customer_record WHERE id = 6"),
    ("the last record", "DELETE FROM customer_record WHERE id = 12"),
    ("the records", "DELETE FROM customer_record"),
    ("the end of a block", "DELETE FROM place WHERE customer = 8"),
    ("the places of a block", "DELETE FROM place WHERE slot BETWEEN 64 * 4 AND 64 * 4 + 63"),
    ("the places", "DELETE FROM place"),
    ("a block", "DELETE FROM node WHERE id = 4"),
    ("the last block", "DELETE FROM node WHERE id = 5"),
    ("a chapter", "DELETE FROM node WHERE id = 2"),
    ("the tree", "DELETE FROM node"),
    ("a section", "DELETE FROM section_record WHERE id = 2"),
    ("the sections", "DELETE FROM section_record"),
  ]

  @Test func `the error has the number of rows that are missing`() throws {
    let connection = try Connection.newList(.small)
    try connection.append(10, to: 1)
    try connection.execute("DELETE FROM customer_record WHERE id IN (2, 6, 7)")
    try expectLack(.incomplete(missing: 3, of: 10), CustomerList(connection: connection))
    try connection.execute("DELETE FROM section_record")
    try expectLack(.incomplete(missing: 7, of: 7), CustomerList(connection: connection))
  }

  private func expectLack(_ lack: ListError, _ list: borrowing CustomerList) throws {
    #expect(throws: lack) { try list.forEach { _ in true } }
    #expect(throws: lack) { try list.search("nobody") }
  }

  @Test func `rows beside one that is missing can be read`() throws {
    let connection = try Connection.newList(.small)
    try connection.append(10, to: 1)
    try connection.execute("DELETE FROM customer_record WHERE id IN (2, 6, 7)")
    let list = CustomerList(connection: connection)
    let ids = try list.page(from: 3, limit: 3, in: SectionID(rawValue: 1)).map(\.id.rawValue)
    #expect(ids == [3, 4, 5])
  }

  /// One wrong number in the tree or in a section: a row that is named by its number is the same one, or none.
  @Test func `a number of a damaged list leads to no other customer`() throws {
    let connection = try Connection.newList(.small)
    try connection.execute("INSERT INTO sections (title) VALUES ('2'), ('3')")
    try connection.append(40, to: 1)
    try connection.append(3, to: 2)
    try connection.append(9, to: 3)
    let list = CustomerList(connection: connection)
    let whole = try list.outline()
    let rows = try list.customers(at: 1..<53, of: whole).map(\.id)
    for number in 1...52 {
      #expect(try list.customers(numbered: number..<number + 1, of: whole).map(\.id) == [rows[number - 1]])
    }
    let nodes = try connection.fetchAll("SELECT id FROM node") { $0.integer(0) }
    #expect(nodes.count > 20)
    let starts = nodes.flatMap { id in (-1...41).map { "node SET start = \($0) WHERE id = \(id)" } }
    let counts = (1...3).flatMap { id in (-1...53).map { "section_record SET count = \($0) WHERE id = \(id)" }
    }
    var refused = 0
    for damage in starts + counts {
      try connection.execute("SAVEPOINT damage")
      try connection.execute("UPDATE \(damage)")
      let outline = try list.outline()
      for number in 1...52 {
        do {
          let found = try list.customers(numbered: number..<number + 1, of: outline).map(\.id)
          #expect(found.isEmpty || found == [rows[number - 1]], "\(damage), \(number)")
        } catch is ListError { refused += 1 }
      }
      try connection.execute("ROLLBACK TO damage")
      try connection.execute("RELEASE damage")
    }
    #expect(refused > 10_000)
  }

  @Test func `whoever names a row by its number takes few steps more than who looks at it`() throws {
    let store = try CustomerStore.inMemory("")
    try store.write { list in
      for number in 1...8000 { _ = try list.insert(CustomerFields(name: "N\(number)")) }
    }
    try store.read { list in
      for order in [1, 4000, 8000] {
        let place = CustomerPlace(section: 1, order: order)
        let connection = list.connection
        var name: String?
        let seen = try connection.instructions { name = try list.row(at: place)?.name }
        let named = try connection.instructions { name = try list.row(at: place, isNamed: true)?.name }
        #expect(name == "N\(order)" && named < 10 * seen, "row \(order): \(seen) \(named)")
      }
    }
  }

  @Test func `a reference that another program declared is not damage`() throws {
    let connection = try Connection.newList(.small)
    try connection.append(3, to: 1)
    try connection.executeScript(
      """
      CREATE TABLE own (customer REFERENCES customer_record); INSERT INTO own VALUES (1);
      UPDATE history_limit SET steps = 1; PRAGMA foreign_keys = ON
      """)
    var list = CustomerList(connection: connection)
    try list.delete(CustomerID(rawValue: 1))
    var found: (any Error)?
    do {
      for _ in 0..<40 {
        try list.insert(CustomerFields(), at: .last)
        // The next edit is another step.
        try connection.execute("UPDATE history_step SET is_open = 0, at = ''")
      }
      try list.edit("INSERT INTO trim_history SELECT 'edit', max(id) FROM history_step", []) { _ in nil }
    } catch { found = error }
    #expect(found as? StoreError == .failed("FOREIGN KEY constraint failed"))
  }
}

extension CustomerList {
  fileprivate func places(_ read: (_ body: (Customer) throws -> Bool) throws -> Void) throws
    -> [CustomerPlace]
  {
    var places: [CustomerPlace] = []
    try read { customer in
      places.append(customer.place)
      return true
    }
    return places
  }
}
