@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The edits that form one step, and those that add none.
@Suite(.onThreads) struct HistoryTests {
  private let store: CustomerStore
  private let ids: [CustomerID]
  private let home = SectionID(rawValue: 1)

  /// A list A B C D, made by one step.
  init() throws {
    store = try CustomerStore.inMemory()
    ids = try store.write(action: "make") { list in
      try ["A", "B", "C", "D"].map { try list.insert(CustomerFields(firstName: $0)).id }
    }
  }

  private var names: String {
    get throws {
      try store.read { list in
        try list.connection.fetchAll(#"SELECT first_name FROM customers ORDER BY section, "order""#) { row in
          row.text(0)
        }
      }.joined()
    }
  }

  private func undo() throws -> HistoryStep? { try store.write { list in try list.undo() } }

  private func redo() throws -> HistoryStep? { try store.write { list in try list.redo() } }

  /// SQLite read the whole log for each step, and all steps that were undone before it.
  @Test func `an undo costs the same after many steps and many undos`() throws {
    func edit(times: Int) throws {
      for number in 0..<times { try store.write { try $0.update(ids[0]) { $0.note = "\(number % 2)" } } }
    }
    func cost() throws -> Int {
      try store.write { list in
        let connection = list.connection
        return try connection.instructions { _ = try list.undo() }
      }
    }
    try edit(times: 20)
    let first = try cost()
    try edit(times: 1000)
    let afterSteps = try cost()
    for _ in 0..<500 { _ = try undo() }
    let afterUndos = try cost()
    #expect(
      afterSteps < 2 * first && afterUndos < 2 * first, "\(first) \(afterSteps) \(afterUndos)")
  }

  @Test func `all edits of a transaction are one step, with its program, action, and edits`() throws {
    var before = try names
    for (action, result, edit) in edits {
      try store.write(action: action) { list in try edit(&list) }
      let step = try #require(try store.read { try $0.history(limit: 1) }.first)
      #expect(step.action == action)
      #expect(step.program == "CustomerStore")
      #expect((step.kind, step.state) == (.edit, .done))
      let changes = try store.read { try $0.changes(of: step.id) }
      #expect(changes.count == step.editCount)
      #expect(try names == result)

      let undone = try #require(try undo())
      #expect((undone.id, undone.action, undone.state) == (step.id, action, .undone))
      #expect(try names == before)
      let redone = try #require(try redo())
      #expect((redone.id, redone.state) == (step.id, .done))
      #expect(try names == result)
      before = result
    }
    for _ in 0...edits.count { #expect(try undo() != nil) }
    #expect(try undo() == nil)
    #expect(try names == "")
    let kinds = try store.read { try $0.history() }.map(\.kind)
    #expect(kinds.filter { $0 == .edit }.count == edits.count + 1)
  }

  private var edits: [(action: String, result: String, edit: (inout CustomerList) throws -> Void)] {
    [
      ("move two", "CDAB", { [ids] list in _ = try list.move([ids[0], ids[1]], to: .last) }),
      ("arrange", "DCBA", { [ids, home] list in _ = try list.arrange(ids.reversed(), in: home) }),
      (
        "import", "DCXYZBA",
        { list in
          var rows = ["X", "Y", "Z"][...]
          _ = try list.insert(at: .place(3)) { rows.popFirst().map { CustomerFields(firstName: $0) } }
        }
      ),
      ("delete", "DXYA", { [ids] list in try list.delete([ids[1], ids[2], CustomerID(rawValue: 7)]) }),
      (
        "several", "QAD",
        { [ids] list in
          try list.move([ids[0]], to: .first)
          try list.delete([CustomerID(rawValue: 5), CustomerID(rawValue: 6)])
          try list.insert(CustomerFields(firstName: "Q"), at: .first)
          try list.update(ids[0]) { $0.note = "n" }
        }
      ),
      (
        "section", "",
        { list in
          _ = try list.addSection(title: "New", at: 1)
          try list.deleteSection(SectionID(rawValue: 1), withCustomers: true)
        }
      ),
    ]
  }

  @Test func `a refused edit that is caught adds nothing to the step`() throws {
    try store.write(action: "mixed") { list in
      try list.move([ids[3]], to: .first)
      try list.protect(ids[1], canEdit: false)
      #expect(throws: ListError.editForbidden(ids[1])) { try list.delete([ids[0], ids[1]]) }
      #expect(throws: ListError.self) { try list.move([ids[0]], to: .place(9)) }
      #expect(throws: Damaged.self) {
        var left = 3
        try list.insert(at: .first) { () throws -> CustomerFields? in
          left -= 1
          if left == 0 { throw Damaged() }
          return CustomerFields()
        }
      }
      try list.move([ids[2]], to: .first)
    }
    let step = try #require(try store.read { try $0.history(limit: 1) }.first)
    let changes = try store.read { try $0.changes(of: step.id) }
    #expect(
      changes == [
        .move(ids[3], from: place(4), to: place(1)), .update(ids[1], at: nil),
        .move(ids[2], from: place(4), to: place(1)),
      ])
    #expect(try names == "CDAB")
    _ = try undo()
    #expect(try names == "ABCD")
    #expect(try store.read { try $0.customer(ids[1]).canEdit })
  }

  @Test func `a rollback or a dry run leaves the file unchanged, byte for byte`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      let store = try CustomerStore(path: path)
      try store.write { list in for _ in 0..<5 { try list.insert(CustomerFields()) } }
      let before = try bytes(of: path)
      #expect(throws: Damaged.self) {
        try store.write { list in
          try list.undo()
          try list.insert(CustomerFields())
          throw Damaged()
        }
      }
      #expect(try store.dryRun { list in try list.undo() }?.state == .undone)
      #expect(try bytes(of: path) == before)
    }
  }

  @Test func `undo and redo inside the transaction of an edit`() throws {
    try store.write(action: "turned") { list in
      try list.move([ids[3]], to: .first)
      let undone = try list.undo()
      #expect(undone?.action == "turned")
      let redone = try list.redo()
      #expect(redone?.id == undone?.id)
      try list.undo()
      try list.move([ids[1]], to: .first)
      #expect(try list.redo() == nil)
      try list.move([ids[2]], to: .first)
    }
    #expect(try names == "CBAD")
    let steps = try store.read { try $0.history() }
    #expect(steps.map(\.state) == [.done, .done, .done, .done, .dropped, .done])
    #expect(try undo()?.editCount == 2)
    #expect(try names == "ABCD")
    #expect(try undo()?.action == "make")
    #expect(try undo() == nil)
  }

  @Test func `a new edit makes redo impossible, and undo goes on with the older steps`() throws {
    for id in ids { try store.write(action: "up") { list in _ = try list.move([id], to: .first) } }
    #expect(try names == "DCBA")
    _ = (try undo(), try undo())
    #expect(try names == "BACD")
    try store.write(action: "new") { list in _ = try list.move([ids[3]], to: .first) }
    #expect(try redo() == nil)
    #expect(try undo()?.action == "new")
    #expect(try redo()?.action == "new")
    _ = try undo()
    #expect(try undo()?.action == "up")
    #expect(try names == "ABCD")
  }

  @Test func `an edit that changes nothing adds no step and keeps redo possible`() throws {
    try store.write { list in _ = try list.move([ids[3]], to: .first) }
    _ = try undo()
    let steps = try store.read { try $0.history() }
    try store.write { list in
      try list.update(ids[0]) { $0.firstName = "A" }
      _ = try list.move([ids[1]], to: .place(2))
      _ = try list.move([ids[0], ids[1]], to: .first)
      _ = try list.arrange(ids, in: home)
      _ = try list.insert(at: .first) { nil }
      try list.protect(ids[0], canEdit: true)
      try list.renameSection(home, title: "Customers")
      try list.moveSection(home, to: 1)
      try list.connection.executeScript(
        #"""
        UPDATE customers SET section = section, "order" = "order", note = note, can_move = '1';
        UPDATE customers SET section = 1, "order" = 2 WHERE id = 2;
        UPDATE sections SET title = title, "order" = "order", footer = '';
        DELETE FROM customers WHERE id = 77;
        """#)
    }
    #expect(try store.read { try $0.history() } == steps)
    #expect(try redo() != nil)
    #expect(try names == "DABC")
  }

  @Test func `a step is undone even if its rows are protected now, and so is the protection`() throws {
    try store.write { list in
      try list.update(ids[1]) { $0.note = "n" }
      try list.move([ids[1]], to: .first)
      try list.insert(CustomerFields(firstName: "E"))
    }
    try store.write { list in
      for id in try list.page(from: 1, limit: 9, in: home).map(\.id) {
        try list.protect(id, canEdit: false, canMove: false)
      }
    }
    // The protection is the later step; inside one transaction both go.
    try store.write { list in
      try list.undo()
      try list.undo()
    }
    #expect(try names == "ABCD")
    // An edit and the protection of its row as one step: undone in the opposite order.
    try store.write { list in
      try list.move([ids[0]], to: .last)
      try list.update(ids[0]) { $0.note = "m" }
      try list.protect(ids[0], canEdit: false, canMove: false)
    }
    _ = try undo()
    #expect(try names == "ABCD")
    _ = try redo()
    let customer = try store.read { try $0.customer(ids[0]) }
    #expect((customer.fields.note, customer.canEdit, customer.canMove) == ("m", false, false))
    #expect(try names == "BCDA")
  }

  /// More edits than are read at once, in steps of one, of some, and of more than are described.
  @Test func `many steps are described at once as one by one, with work for each`() throws {
    for number in 0..<2000 { try store.write { try $0.update(ids[number % 4]) { $0.note = "\(number)" } } }
    for count in [3, 40, 1, 2] {
      try store.write { list in
        for number in 0..<count {
          try list.update(ids[0]) { $0.phone = "\(count) \(number)" }
          try list.move([ids[number % 4]], to: .first)
        }
      }
    }
    let all = try store.read { try $0.history() }
    for steps in [Array(all.prefix(700)), all.suffix(600).reversed(), all.filter { $0.id % 30 == 0 }] {
      let (found, single) = try store.read { list in
        (try list.outcomes(of: steps, limit: 10), try steps.map { try list.outcome(of: $0, limit: 10) })
      }
      #expect(found == single)
    }
    func cost(_ count: Int) throws -> Int {
      try store.read { list in
        try list.connection.instructions { _ = try list.outcomes(of: Array(all.prefix(count))) }
      }
    }
    let (half, whole) = (try cost(1000), try cost(2000))
    #expect(whole < 3 * half, "\(half) \(whole)")
  }

  private func place(_ order: Int) -> CustomerPlace { CustomerPlace(section: home, order: order) }

  private struct Damaged: Error {}
}
