@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Undo after a program wrote to the internal tables or repaired them: refused, or correct.
@Suite(.onThreads) struct HistoryDamageTests {
  @Test(arguments: sampled(Damage.all, oneIn: 32), [false, true])
  func `undo never loses a row, and changes nothing when it refuses`(damage: Damage, repaired: Bool) throws {
    let connection = try Connection.newList(.small)
    try connection.execute("INSERT INTO sections (title) VALUES ('2')")
    try connection.append(10, to: 1)
    try connection.append(2, to: 2)
    try connection.localFile.harden()
    try connection.executeScript("PRAGMA foreign_keys = OFF; BEGIN")
    for (number, step) in Self.steps.enumerated() {
      // A repair replaces it.
      var list = CustomerList(connection: connection)
      try connection.executeScript("SAVEPOINT attempt; PRAGMA ignore_check_constraints = ON")
      list.recorder.begin(by: StepAuthor(CustomerStore.Options(), action: ""))
      try step(&list)
      try list.endStep()
      // The places are as the damage expects them, but for the rows of the step.
      if (try? connection.executeScript(damage.sql)) != nil {
        if repaired { _ = try list.repair() }
        try expectSafeUndo(&list, repaired: repaired, "step \(number)")
      }
      try connection.executeScript(
        "ROLLBACK TO attempt; RELEASE attempt; PRAGMA ignore_check_constraints = OFF")
    }
  }

  private func expectSafeUndo(_ list: inout CustomerList, repaired: Bool, _ what: Comment) throws {
    let (before, lost) = (try list.connection.dump(), try lost(list))
    do {
      _ = try list.undo()
      let lostNow = try self.lost(list)
      #expect(lostNow <= lost, what)
      // A list that was repaired stays whole, whatever is undone then.
      let broken = repaired ? try list.check() : []
      #expect(broken == [], what)
    } catch let error as ListError {
      if case .historyDiffers(let step, _) = error {
        #expect(step > 0, what)
      } else {
        #expect(error == .damaged, what)
      }
      let after = try list.connection.dump()
      #expect(after == before, what)
    }
  }

  private static let one = SectionID(rawValue: 1)
  private static let two = SectionID(rawValue: 2)

  /// A step of each kind.
  private static let steps: [@Sendable (inout CustomerList) throws -> Void] = [
    { list in try list.insert(CustomerFields(), at: .place(6), in: one) },
    { list in try list.delete([CustomerID(rawValue: 6)]) },
    { list in try list.move([CustomerID(rawValue: 6)], to: .place(2), in: one) },
    { list in try list.move([CustomerID(rawValue: 12)], to: .place(6), in: one) },
    { list in try list.update(CustomerID(rawValue: 6)) { $0.note = "6" } },
    { list in
      var rows = repeatElement(CustomerFields(), count: 6).makeIterator()
      try list.insert(at: .place(6), in: one) { rows.next() }
    },
    { list in
      var rows = repeatElement(CustomerFields(), count: 6).makeIterator()
      try list.insert(at: .place(6), in: one) { rows.next() }
      try list.undo()
      try list.redo()
    },
    { list in try list.arrange((1...10).reversed().map(CustomerID.init), in: one) },
    { list in _ = try list.addSection(title: "new", at: 1) },
    { list in try list.deleteSection(two, withCustomers: true) },
    { list in try list.moveSection(two, to: 1) },
    { list in try list.renameSection(two, title: "new") },
  ]

  /// Returns the number of customers in the list that the view does not show.
  private func lost(_ list: borrowing CustomerList) throws -> Int {
    try list.connection.count(
      "(SELECT id FROM customer_record WHERE deleted_by IS NULL EXCEPT SELECT id FROM customers)")
  }

  @Test func `a row that was moved by force is not moved back`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      try list.connection.setCapacity(.small)
      for _ in 0..<10 { try list.insert(CustomerFields()) }
    }
    try store.write { list in _ = try list.move([CustomerID(rawValue: 6)], to: .place(7)) }
    try store.write { list in
      try list.connection.execute("UPDATE place SET customer = 13 - customer WHERE customer IN (6, 7)")
    }
    #expect(try store.read { try $0.check() } == [])
    let before = try store.read { try $0.connection.dump() }
    #expect(throws: ListError.historyDiffers(step: 2, customer: 6)) {
      try store.write { list in try list.undo() }
    }
    #expect(try store.read { try $0.connection.dump() } == before)
  }

  @Test(arguments: [1, 2, 3])
  func `a step that lost an edit is not undone in part`(lost: Int) throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in for _ in 0..<5 { try list.insert(CustomerFields()) } }
    try store.write { list in
      for id in [1, 3, 5] as [CustomerID] { try list.update(id) { $0.note = "changed" } }
    }
    try store.write { list in try list.update(2) { $0.note = "later" } }
    try store.write { list in
      try list.connection.execute(
        "DELETE FROM edit_record WHERE id = (SELECT first_edit FROM history_step WHERE id = 2) + ?",
        [.integer(lost - 1)])
    }
    #expect(try store.read { try $0.check() }.map(\.message) == ["the numbers of the history are broken"])
    try store.write { list in _ = try list.undo() }
    let before = try store.read { try $0.connection.dump() }
    #expect(throws: ListError.damaged) { try store.write { list in try list.undo() } }
    #expect(throws: ListError.damaged) { try store.write { list in try list.revert(2) } }
    #expect(try store.read { try $0.connection.dump() } == before)
  }

  @Test(arguments: [1, 2, 5]) func `a sort that lost rows of the log is not undone in part`(lost: Int) throws
  {
    let store = try CustomerStore.inMemory("E, D, C, B, A | Away: Y, X")
    try store.write { list in _ = try list.apply(.sort(list.sortOrder(by: "name"), in: nil)) }
    for _ in 0..<2 {
      // The redo has a log of its own.
      #expect(try store.write { list in try list.undo() } != nil)
      #expect(try store.write { list in try list.redo() } != nil)
    }
    try store.write { list in
      try list.connection.executeScript(
        """
        DELETE FROM history_row WHERE (edit, customer) IN (SELECT edit, customer FROM history_row ORDER BY edit DESC LIMIT \(lost))
        """)
    }
    let before = try store.read { list in try list.connection.dump() }
    #expect(throws: ListError.damaged) { try store.write { list in try list.undo() } }
    #expect(try store.read { list in try list.connection.dump() } == before)
  }

  @Test(arguments: [false, true])
  func `rows put into a section by force stay, though its insert can't be undone`(isRedo: Bool) throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in for _ in 0..<3 { try list.insert(CustomerFields()) } }
    try store.write { list in _ = try list.addSection(title: "New", at: 1) }
    if isRedo {
      try store.write { list in try list.deleteSection(SectionID(rawValue: 2)) }
      try store.write { list in _ = try list.undo() }
    }
    try store.write { list in
      try list.connection.executeScript(
        """
        UPDATE node SET parent = -2 WHERE parent = -1;
        UPDATE section_record SET count = CASE id WHEN 2 THEN 3 ELSE 0 END;
        """)
    }
    #expect(try store.read { try $0.check() } == [])
    let before = try store.read { try $0.connection.dump() }
    #expect(throws: ListError.historyDiffers(step: isRedo ? 3 : 2, customer: nil)) {
      try store.write { list in isRedo ? try list.redo() : try list.undo() }
    }
    #expect(try store.read { try $0.connection.dump() } == before)
  }

  /// Steps of 150 rows, what is done by force then, and the row that is found.
  private static let forced:
    [(step: @Sendable (inout CustomerList) throws -> Void, sql: String, id: CustomerID)] = [
      (
        { list in try list.delete((11...140).map { CustomerID(rawValue: $0) }) },
        "UPDATE customer_record SET deleted_by = NULL WHERE id = 77", 77
      ),
      (
        { list in try list.delete((11...140).map { CustomerID(rawValue: $0) }) },
        "INSERT INTO logged_insert VALUES (77, 1, 1); UPDATE customer_record SET deleted_by = NULL WHERE id = 77",
        77
      ),
      (
        { list in try list.delete([3, 4, 5]) },
        "INSERT INTO logged_insert VALUES (4, 1, 1); UPDATE customer_record SET deleted_by = NULL WHERE id = 4",
        4
      ),
      (
        { list in try list.arrange((1...150).reversed().map { CustomerID(rawValue: $0) }, in: one) },
        "INSERT INTO logged_move VALUES (9, 1, 1)", 150
      ),
      (
        { list in
          for id in [5, 6] as [CustomerID] { try list.update(id) { $0[.extra("City")] = .text("Bonn") } }
          _ = try list.renameColumn("City", to: "Town")
        }, "INSERT INTO logged_delete VALUES (6); UPDATE customer_record SET deleted_by = 1 WHERE id = 6", 6
      ),
      ({ list in try list.update(6) { $0.note = "6" } }, "INSERT INTO logged_delete VALUES (6)", 6),
    ]

  @Test(arguments: forced.indices) func `the row that another program moved is named`(index: Int) throws {
    let (step, sql, id) = Self.forced[index]
    let store = try CustomerStore.inMemory()
    try store.write { list in
      var rows = repeatElement(CustomerFields(), count: 150).makeIterator()
      try list.insert { rows.next() }
    }
    try store.write(step)
    // By force: the log does not have it.
    try store.write { list in
      try list.connection.executeScript(
        """
        \(sql); DELETE FROM history_step WHERE id > 2;
        DELETE FROM edit_record WHERE id > (SELECT id FROM last_edit);
        """)
    }
    let before = try store.read { try $0.connection.dump() }
    #expect(throws: ListError.historyDiffers(step: 2, customer: id)) {
      try store.write { list in _ = try list.undo() }
    }
    #expect(try store.read { try $0.connection.dump() } == before)
    #expect(throws: (any Error).self) { try store.write { list in _ = try list.revert(2) } }
    #expect(try store.read { try $0.connection.dump() } == before)
  }
}
