import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// `check` finds whatever is broken, `repair` puts it right, and edits do not make it worse.
@Suite(.onThreads) struct CheckAndRepairTests {
  @Test(arguments: sampled(Damage.all, oneIn: 6))
  func `check reports the damage and repair fixes it`(damage: Damage) throws {
    try brokenList(damage) { list in
      let found = try list.check()
      #expect(
        found.contains { violation in
          violation.message == damage.message
            && (damage.customer == nil || violation.customer?.rawValue == damage.customer)
            && (damage.section == nil || violation.section?.rawValue == damage.section)
        }, "\(found)")

      let repairs = try list.repair()
      let (left, broken) = (try list.check(), try list.connection.brokenInvariants())
      #expect(left == [])
      #expect(broken == [])
      // A part of a section that is nowhere gets it back.
      let others = try [2, 55].flatMap { try list.connection.ids(in: $0) }
      let rows = try list.connection.ids(in: 1)
      #expect(rows == damage.order)
      #expect(others == [11, 12])
      for repair in repairs {
        let place = try list.place(of: repair.customer)
        #expect(place == repair.to)
        #expect(repair.from != repair.to)
      }
      // A second one has nothing to do, and the list is whole enough to go on with.
      let again = try list.repair()
      #expect(again == [])
      try list.insert(CustomerFields(), at: .first)
      let end = try list.check()
      #expect(end == [])
    }
  }

  /// `check` asks the rules about rows only if a walk through them finds something.
  @Test(arguments: sampled(0..<12, oneIn: 4))
  func `a check finds what each rule finds, whatever number is wrong`(seed: Int) throws {
    var editor = RandomEditor(seed: seed)
    let connection = try Connection.newList(editor.capacity)
    var list = CustomerList(connection: connection)
    for _ in 0..<60 { try editor.step(&list) }
    #expect(try list.check() == [])
    let columns = [
      ("place", "slot"), ("place", "customer"), ("node", "parent"), ("node", "id"), ("node", "start"),
      ("section_record", "id"), ("section_record", "count"), ("customer_record", "id"),
      ("customer_record", "block"), ("customer_record", "deleted_by"),
    ]
    var damaged = 0
    for _ in 0..<400 {
      try connection.execute("SAVEPOINT attempt")
      for _ in 0...editor.generator.below(2) {
        let (table, column) = columns[editor.generator.below(columns.count)]
        let key = table == "node" ? "parent, id" : "rowid"
        let (row, other) = (editor.generator.below(1_000), editor.generator.below(1_000))
        func some(_ columns: String, _ number: Int) -> String {
          "(SELECT \(columns) FROM \(table) LIMIT 1 OFFSET \(number) % max(1, (SELECT count(*) FROM \(table))))"
        }
        let values = [
          some(column, other), "\(column) + 1", "\(column) - 1", "-\(column)", "0", "NULL", "'x'",
          "\(column) + 0.5",
        ]
        let value = values[editor.generator.below(values.count)]
        // Some numbers can't be in a column at all.
        try? connection.execute(
          "UPDATE OR REPLACE \(table) SET \(column) = \(value) WHERE (\(key)) = \(some(key, row))")
      }
      var messages: Set<String> = []
      for rule in IntegrityRule.ofRows {
        if try connection.fetchOne(rule.sql, [], { _ in true }) ?? false { messages.insert(rule.message) }
      }
      let found = try Set(list.check().map(\.message))
      #expect(messages.isSubset(of: found))
      damaged += messages.isEmpty ? 0 : 1
      try connection.executeScript("ROLLBACK TO attempt; RELEASE attempt")
    }
    #expect(damaged > 200)
  }

  @Test func `repair returns the rows whose place changed`() throws {
    let damage = try #require(Damage.all.first { $0.testDescription == "a place before the block" })
    try brokenList(damage) { list in
      let section = SectionID(rawValue: 1)
      let repairs = try list.repair()
      let expected = [(7, 61, 5), (5, 5, 6), (6, 6, 7)].map { id, from, to in
        ListRepair(
          customer: CustomerID(rawValue: id), from: CustomerPlace(section: section, order: from),
          to: CustomerPlace(section: section, order: to))
      }
      #expect(repairs == expected)
    }
  }

  @Test func `repair of an intact list changes and reports nothing`() throws {
    for capacity in Capacity.allCases {
      var editor = RandomEditor(seed: 4)
      try CustomerStore.inMemory().write { list in
        try list.connection.setCapacity(capacity)
        for _ in 0..<75 { try editor.step(&list) }
        let before = try list.connection.listNumbers()
        let records = try list.connection.dump().filter { $0.hasPrefix("section_record") }
        let repairs = try list.repair()
        let after = try list.connection.listNumbers()
        let recordsAfter = try list.connection.dump().filter { $0.hasPrefix("section_record") }
        let violations = try list.check()
        #expect(repairs == [])
        #expect(after == before)
        #expect(recordsAfter == records)
        #expect(violations == [])
      }
    }
  }

  @Test func `what is deleted must name its own deletion in the history`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in for _ in 0..<3 { try list.insert(CustomerFields()) } }
    try store.write { list in
      let section = try list.addSection(title: "New").id
      try list.delete([2])
      try list.deleteSection(section)
    }
    // The insert of another customer, its own insert, and the other deletion.
    for edit in [1, 2, 6] {
      let image = try store.read { try $0.connection.localFile.image() }
      let connection = try Connection(path: ":memory:")
      try Connection(image: image).localFile.copy(to: connection) {}
      try connection.executeScript(
        """
        UPDATE customer_record SET deleted_by = \(edit) WHERE id = 2;
        UPDATE section_record SET deleted_by = 5 WHERE id = 2;
        """)
      let found = try CustomerList(connection: connection).check()
      #expect(found.map(\.customer) == [2, nil] && found.map(\.section) == [nil, 2], "\(edit): \(found)")
      let source = try DamagedDatabase(image: connection.localFile.image())
      let repaired = try CustomerList(connection: Rebuilding.list(of: source, by: StepAuthor()).target)
      #expect(try repaired.check() == [])
      #expect(try repaired.count() == 3 && repaired.sections().count == 2)
    }
    #expect(try store.read { try $0.check() } == [])
  }

  @Test(arguments: Damage.all.filter(\.breaksBlock))
  func `an edit in a damaged block is refused and changes nothing`(damage: Damage) throws {
    let customer = CustomerID(rawValue: 5)
    try brokenList(damage) { list in
      let before = try list.connection.dump()
      #expect(throws: ListError.damaged, "delete") { try list.delete([customer]) }
      #expect(throws: ListError.damaged, "move away") { try list.move([customer], to: .first) }
      #expect(throws: ListError.damaged, "move into") {
        try list.move([CustomerID(rawValue: 12)], to: .place(6), in: SectionID(rawValue: 1))
      }
      #expect(throws: ListError.damaged, "insert") {
        try list.insert(CustomerFields(), at: .place(6), in: SectionID(rawValue: 1))
      }
      let after = try list.connection.dump()
      #expect(after == before)
    }
  }

  @Test(arguments: sampled(Damage.all, oneIn: 12, salt: 1))
  func `no edit of a damaged list loses a customer`(damage: Damage) throws {
    try brokenList(damage) { list in
      let before = try list.connection.dump()
      let lost = try list.customersWithoutPlace()
      let places = [(1, 1), (1, 5), (1, 6), (1, 10), (1, 11), (2, 1), (2, 3)]
      for (id, (section, order)) in (0...12).flatMap({ id in places.map { (id, $0) } }) {
        let section = SectionID(rawValue: Int64(section))
        let edit: Comment = "\(id) to \(order) of \(section)"
        try list.connection.execute("SAVEPOINT attempt")
        do {
          if id == 0 {
            try list.insert(CustomerFields(), at: .place(order), in: section)
          } else {
            try list.move([CustomerID(rawValue: Int64(id))], to: .place(order), in: section)
          }
          let lostNow = try list.customersWithoutPlace()
          #expect(lostNow == lost, edit)
        } catch is ListError {
          let after = try list.connection.dump()
          #expect(after == before, edit)
        }
        try list.connection.execute("ROLLBACK TO attempt")
        try list.connection.execute("RELEASE attempt")
      }
    }
  }

  @Test(arguments: sampled(Damage.all, oneIn: 12, salt: 2))
  func `no statement on a damaged list loses a customer, whatever its clause`(damage: Damage) throws {
    let clauses = ["", " OR IGNORE", " OR REPLACE", " OR FAIL", " OR ABORT", " OR ROLLBACK"]
    let statements = [(1, 1), (1, 5), (1, 6), (1, 10), (1, 11), (2, 1)].flatMap { section, order in
      [#"INSERT{or} INTO customers (section, "order") VALUES (\#(section), \#(order))"#]
        + [1, 6, 8, 10, 12].map {
          #"UPDATE{or} customers SET section = \#(section), "order" = \#(order) WHERE id = \#($0)"#
        }
    }
    try brokenList(damage) { list in
      let connection = list.connection
      let lost = try list.customersWithoutPlace()
      for (number, statement) in statements.enumerated() {
        // In the short form one of the clauses each, in turn.
        for (index, clause) in clauses.enumerated() where isLong || index == (number + number / 6) % 6 {
          let sql = statement.replacing("{or}", with: clause)
          try connection.execute("SAVEPOINT attempt")
          try? connection.executeScript(sql)
          let lostNow = try list.customersWithoutPlace()
          #expect(lostNow == lost, "\(sql)")
          // OR ROLLBACK may have ended the transaction, if a constraint and not a trigger refused.
          if connection.isInTransaction {
            try connection.executeScript("ROLLBACK TO attempt; RELEASE attempt")
          }
        }
      }
      for id in 1...12 {
        try connection.execute("SAVEPOINT attempt")
        try? connection.executeScript("DELETE FROM customers WHERE id = \(id)")
        let lostNow = try list.customersWithoutPlace()
        #expect(lostNow <= lost, "delete \(id)")
        try connection.executeScript("ROLLBACK TO attempt; RELEASE attempt")
      }
    }
  }

  /// Lends the list that `Damage` describes, broken.
  private func brokenList(_ damage: Damage, _ body: (inout CustomerList) throws -> Void) throws {
    let connection = try Connection.newList(.small)
    try connection.execute("INSERT INTO sections (title) VALUES ('2')")
    try connection.append(10, to: 1)
    try connection.append(2, to: 2)
    let blocks = try connection.fetchAll("SELECT block || ':' || customer FROM place") { $0.text(0) }
    try #require(blocks.joined(separator: " ") == "3:1 3:2 3:3 3:4 4:5 4:6 4:7 4:8 5:9 5:10 8:11 8:12")
    try connection.executeScript(
      """
      PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
      \(damage.sql);
      PRAGMA ignore_check_constraints = OFF;
      """)
    try connection.localFile.harden()
    var list = CustomerList(connection: connection)
    try body(&list)
  }
}

extension CustomerList {
  /// Replaces the list by what a repair makes of it.
  mutating func repair() throws -> [ListRepair] {
    let rebuilding = try Rebuilding.list(
      of: DamagedDatabase(image: connection.localFile.image()),
      by: StepAuthor(CustomerStore.Options(), action: "repair"))
    self = CustomerList(connection: rebuilding.target)
    return rebuilding.report.moves
  }

  fileprivate func customersWithoutPlace() throws -> Int {
    try connection.count(
      "(SELECT id FROM customer_record WHERE deleted_by IS NULL EXCEPT SELECT customer FROM place)")
  }
}
