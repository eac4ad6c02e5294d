import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Declared columns, settings, and persons.
@Suite(.onThreads) struct EntryTests {
  private let temporary: TemporaryStore
  private var store: CustomerStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    try temporary.store.write { list in
      var fields = CustomerFields(name: "Ann Lee")
      fields.extraColumns["Due"] = "2026-12-24"
      try list.insert(fields)
    }
  }

  private func declared(_ name: String) throws -> DeclaredColumn? {
    try store.read { list in try list.declaredColumns().first { $0.name == name && !$0.isField } }
  }

  /// What the last step did, for people.
  private func report() throws -> [String] {
    try store.read { list in
      let step = try #require(try list.history(limit: 1).first)
      return StepPresenter(step: step, outcome: try list.outcome(of: step)).changes
    }
  }

  @Test func `every field is declared, in the order of the view`() throws {
    let columns = try store.read { list in try list.declaredColumns() }
    #expect(
      columns.map(\.name) == [
        "first_name", "last_name", "company", "email", "phone", "address", "note", "other_contacts", "tags",
        "is_favorite", "next",
      ])
    #expect(columns.map(\.id.rawValue) == Array(1...11))
    #expect(columns.filter { $0.kind != .text }.map(\.kind) == [.lines, .lines, .yesNo, .date])
  }

  @Test func `a declaration is an edit, which is described, undone, and redone`() throws {
    let column = try store.write { list in
      try list.declareColumn("Due", kind: .choice, choices: ["soon", "later"])
    }
    #expect(column.place == 12 && column.choices == ["soon", "later"] && !column.isField)
    #expect(try declared("Due") == column)
    #expect(try report() == [#"Added the kind of column "Due": choice (soon, later)."#])
    var other = column
    (other.kind, other.choices) = (.date, [])
    try store.write { list in try list.changeColumn(other) }
    #expect(try declared("Due") == other)
    try store.write { list in _ = try list.undo() }
    #expect(try declared("Due") == column)
    try store.write { list in _ = try list.undo() }
    #expect(try declared("Due") == nil)
    try store.write { list in
      _ = try list.redo()
      _ = try list.redo()
    }
    #expect(try declared("Due") == other)
    let customer = try store.read { list in try list.customer(1) }
    #expect(customer.fields.extraColumns["Due"] == "2026-12-24")
  }

  @Test func `steps about a declaration are undone alone, the last one first`() throws {
    let added = try store.write { list in
      try list.declareColumn("Due", kind: .choice, choices: ["soon", "later"])
    }
    var other = added
    (other.kind, other.choices) = (.date, [])
    try store.write { list in try list.changeColumn(other) }
    var last = added
    (last.kind, last.choices) = (.text, [])
    try store.write { list in try list.changeColumn(last) }
    #expect(throws: RevertError.entryChangedSince) { try store.write { _ = try $0.revert(3) } }
    #expect(try declared("Due") == last)
    try store.write { list in _ = try list.revert(4) }
    #expect(try declared("Due") == other)
    try store.write { list in _ = try list.revert(3) }
    #expect(try declared("Due") == added)
    try store.write { list in _ = try list.revert(2) }
    #expect(try declared("Due") == nil)
    #expect(throws: RevertError.entryChangedSince) { try store.write { _ = try $0.revert(3) } }
    #expect(try store.read { list in try list.history().map(\.id) } == [7, 6, 5, 4, 3, 2, 1])
  }

  @Test func `a declaration goes with its column`() throws {
    try store.write { list in
      try list.declareColumn("Due", kind: .date)
      try list.renameColumn("Due", to: "Follow up")
    }
    #expect(try declared("Follow up")?.kind == .date)
    try store.write { list in try list.dropColumn("Follow up") }
    #expect(try declared("Follow up") == nil)
    try store.write { list in _ = try list.undo() }
    #expect(try declared("Follow up")?.kind == .date)
    try store.write { list in _ = try list.undo() }
    #expect(try declared("Due") == nil)
  }

  @Test func `a column that is joined with a declared one is of its kind`() throws {
    try store.write { list in
      try list.declareColumn("Due", kind: .date)
      try list.declareColumn("Follow up", kind: .time)
      try list.renameColumn("Due", to: "Follow up")
    }
    #expect(try declared("Due") == nil)
    #expect(try declared("Follow up")?.kind == .time)
  }

  @Test func `what a report of a rename says of the declaration is only what else changed`() throws {
    try store.write { list in try list.declareColumn("Due", kind: .date) }
    try store.write { list in try list.renameColumn("Due", to: "Follow up") }
    #expect(try report() == [#"Renamed column "Due" → "Follow up"."#])
    try store.write { list in try list.set("sort", to: "name") }
    #expect(try report() == [#"Added setting "sort": "name"."#])
    try store.write { list in try list.set("sort", to: "email") }
    #expect(try report() == [#"Changed setting "sort": "name" → "email"."#])
    try store.write { list in try list.set("sort", to: nil) }
    #expect(try report() == [#"Deleted setting "sort"."#])
    let ann = try store.write { list in try list.addPerson(named: "Ann") }
    try store.write { list in try list.renamePerson(ann.id, to: "Anne") }
    #expect(try report() == [#"Renamed person "Ann" → "Anne"."#])
  }

  @Test func `wrong declarations are refused`() throws {
    let column = try store.write { list in try list.declareColumn("Due") }
    func refusal(_ edit: (inout CustomerList) throws -> Void) -> ListError? {
      #expect(throws: ListError.self) { try store.write { list in try edit(&list) } }
    }
    #expect(refusal { try $0.declareColumn("Due") } == .nameInUse("Due"))
    #expect(refusal { try $0.declareColumn("") } == .unnamed)
    #expect(refusal { try $0.undeclareColumn(DeclaredColumnID(rawValue: 3)) } == .fieldFixed("company"))
    let field = DeclaredColumn(id: DeclaredColumnID(rawValue: 3), name: "company", kind: .link, place: 3)
    #expect(refusal { try $0.changeColumn(field) } == .fieldFixed("company"))
    try store.write { list in try list.undeclareColumn(column.id) }
    #expect(refusal { try $0.changeColumn(column) } == .noSuchColumn("Due"))
    #expect(refusal { try $0.undeclareColumn(column.id) } != nil)
    let noPerson = PersonID(rawValue: 3)
    #expect(refusal { try $0.renamePerson(noPerson, to: "Ann") } == .noSuchPerson)
    #expect(refusal { try $0.removePerson(noPerson) } == .noSuchPerson)
  }

  @Test func `settings and persons are kept, undone, and in backups`() throws {
    let ann = try store.write { list in
      try list.set("sort", to: "name")
      return try list.addPerson(named: "Ann")
    }
    try store.write { list in
      try list.set("sort", to: "company")
      try list.renamePerson(ann.id, to: "Anne")
      try list.addPerson(named: "Bob")
    }
    #expect(try store.read { list in try list.settings() } == ["sort": "company"])
    #expect(try store.read { list in try list.persons().map(\.name) } == ["Anne", "Bob"])
    let backup = temporary.path + ".backup"
    try store.backUp(to: backup)
    let copy = try CustomerStore(path: backup)
    #expect(try copy.read { list in try list.settings() } == ["sort": "company"])
    #expect(try copy.read { list in try list.persons().first?.id } == ann.id)
    try store.write { list in _ = try list.undo() }
    #expect(try store.read { list in try list.settings() } == ["sort": "name"])
    #expect(try store.read { list in try list.persons() } == [ann])
    try store.write { list in
      try list.set("sort", to: nil)
      try list.removePerson(ann.id)
    }
    #expect(try store.read { list in try list.settings() } == [:])
    #expect(throws: ListError.noSuchPerson) {
      try store.write { list in try list.renamePerson(ann.id, to: "x") }
    }
  }

  @Test func `check finds a broken declaration, and repair keeps all that it can`() throws {
    try store.write { list in
      try list.declareColumn("Due", kind: .date)
      try list.set("sort", to: "name")
      try list.addPerson(named: "Ann")
      try list.removePerson(list.persons()[0].id)
    }
    #expect(try store.read { list in try list.check() } == [])
    try store.write { list in
      try list.connection.executeScript(
        """
        UPDATE entry_record SET deleted_by = 1 WHERE name = 'Due'; DELETE FROM entry_record WHERE uid = 4;
        INSERT INTO entry_record VALUES (-1, 'setting', 'sort', 'x', 0, '', NULL);
        """)
    }
    #expect(try store.read { list in try list.check() }.count == 3)
    let image = try store.read { list in try list.connection.localFile.image() }
    let rebuilding = try Rebuilding.list(of: DamagedDatabase(image: image), by: StepAuthor())
    #expect(rebuilding.report.losses == [])
    let repaired = CustomerList(connection: rebuilding.target)
    #expect(try repaired.check() == [])
    #expect(try repaired.declaredColumns().map(\.name)[3] == "email")
    #expect(try repaired.declaredColumns().last?.name == "Due")
    #expect(try repaired.settings() == ["sort": "name", "sort 1": "x"])
    #expect(try repaired.persons() == [])
  }
}
