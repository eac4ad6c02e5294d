import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Rows, cursor, and screen, while other programs edit the list.
@Suite(.onThreads) struct FollowingTests {
  static let long = SampleList((1...500).map { "R\($0)" }.joined(separator: ", "))

  @Test func `a row shows the name and the note (S3.1, S5.3, S5.5, S5.6, S5.44)`() throws {
    var table = try TestTable("Ann Lee, Bob")
    try table.other { list in _ = try list.update(1) { $0.note = "met" } }
    #expect(table.rows.map(\.title) == ["Ann Lee", "Bob"] && table.rows.map(\.subtitle) == ["met", nil])
    table.send(.setEditing(true))
    #expect(table.rows.map(\.subtitle) == ["met", "enter notes in customer details"])
  }

  @Test func `a favorite has its mark (S5.43)`() throws {
    var table = try TestTable("Ann, Bob")
    try table.other { list in _ = try list.update(2) { $0.isFavorite = true } }
    #expect(table.rows.map(\.isFavorite) == [false, true])
  }

  @Test func `titles and footers are shown where they are (S3.5, S3.6)`() throws {
    var table = try TestTable("My Customers: Ann | Leads: Bob")
    try table.other { list in try list.renameSection(1, footer: "met in person") }
    #expect(table.screen == ["# My Customers", ">1 Ann", "  met in person", "# Leads", " 2 Bob"])
  }

  @Test func `nothing is read before the first event, and then a page (S3.26, S5.4, S5.7)`() throws {
    let state = TableState()
    #expect(state.lines.isEmpty && state.cursor == nil && state.layout.count == 0)
    let table = try TestTable(Self.long, height: 10)
    #expect(table.state.contents.ids.count == 70 && table.state.layout.rowCount == 500)
    #expect(table.screen == ["# Customers", ">1 R1"] + (2...9).map { " \($0) R\($0)" })
  }

  @Test func `the cursor goes anywhere in a long list, and the screen with it`() throws {
    var table = try TestTable(Self.long, height: 10)
    table.send(.go(.number(300)))
    #expect(table.row("R300")?.isCursor == true && table.screen.count == 10)
    table.send(.go(.pages(1)))
    #expect(table.row("R310")?.isCursor == true)
    table.send(.go(.last))
    #expect(table.screen.last == ">500 R500")
    table.send(.go(.by(.min)))
    #expect(table.screen.prefix(2) == ["# Customers", ">1 R1"])
    table.send(.go(.by(1)), .scroll(200))
    #expect(table.screen.first == " 200 R200" && table.state.current?.name == "R2")
    table.send(.go(.by(1)))
    #expect(table.row("R3")?.isCursor == true)
    table.send(.go(.number(501)))
    #expect(table.state.notice?.text == "Row 501 is out of range (1–500).")
    table.send(.go(.number(0)))
    #expect(table.state.notice?.text == "Row 0 is out of range (1–500).")
  }

  @Test func `the cursor stays on its customer, and the screen on its rows`() throws {
    var table = try TestTable(Self.long, height: 10)
    table.send(.go(.number(300)))
    let names = table.rows.map(\.title)
    try table.other { list in
      try list.insert(CustomerFields(name: "New"), at: .first)
      try list.delete([7])
      try list.insert(CustomerFields(name: "New"), at: .first)
    }
    #expect(table.rows.map(\.title) == names && table.state.current?.name == "R300")
    #expect(table.row("R300")?.number == 301)
    let first = names[0]
    try table.other { list in try list.move(list.customer(named: first).id, to: .last) }
    #expect(table.rows.dropFirst().map(\.title) == Array(names.dropFirst()))
    let last = table.rows.map(\.title)
    try table.other { list in try list.delete([list.customer(named: last[0]).id]) }
    #expect(table.rows.dropFirst().map(\.title) == Array(last.dropFirst()))
  }

  @Test func `the title above a row is shown with it`() throws {
    var table = try TestTable(SampleList((1...20).map { "R\($0)" }.joined(separator: ",")), height: 10)
    table.send(.go(.last), .go(.first))
    #expect(table.screen.first == "# Customers" && table.state.current?.name == "R1")
  }

  @Test func `the start of the sections above and below has the cursor, also past one without rows`() throws {
    var table = try TestTable("One: A, B | Two: | Three: C, D | Four: E, F")
    for (from, distance, name) in [
      ("F", -1, "C"), ("E", -1, "C"), ("D", -1, "A"), ("C", -1, "A"), ("B", -1, "A"), ("F", -2, "A"),
      ("F", -9, "A"),
      ("A", 1, "C"), ("D", 1, "E"), ("A", 2, "C"), ("B", 9, "E"),
    ] {
      table.send(
        .go(.number(try #require("ABCDEF".firstIndex(of: Character(from))).utf16Offset(in: "ABCDEF") + 1)))
      try #require(table.state.current?.name == from)
      table.send(.go(.sections(distance)))
      #expect(table.state.current?.name == name, "\(from) \(distance)")
    }
  }

  @Test func `a cursor whose customer goes is on the next row, else on the one before`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.go(.by(1)))
    try table.other { list in try list.delete([2]) }
    #expect(table.screen == ["# Customers", " 1 Ann", ">2 Cid"])
    try table.other { list in try list.delete([3]) }
    #expect(table.screen == ["# Customers", ">1 Ann"])
    try table.other { list in try list.delete([1]) }
    #expect(table.screen == ["# Customers"] && table.state.cursor == nil)
    try table.other { list in try list.insert(CustomerFields(name: "New")) }
    #expect(table.screen == ["# Customers", ">1 New"])
  }

  @Test func `rows that another program changed flash, those of this table do not`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    try table.other { list in
      _ = try list.update(1) { $0.note = "new" }
      try list.move(3, to: .first)
    }
    #expect(table.rows.filter(\.isFlashing).map(\.title) == ["Cid", "Ann"])
    table.send(.fade, .shift(1))
    table.session.poll()
    #expect(table.rows.allSatisfy { !$0.isFlashing })
  }

  @Test func `a row that disappears is no longer marked or cut`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.mark, .mark)
    try table.other { list in try list.delete([1]) }
    #expect(table.state.marked == [2])
    table.send(.cut)
    try table.other { list in try list.delete([2]) }
    #expect(table.state.cut.isEmpty)
  }

  @Test func `undo reverts own steps at once, and asks about others (S1.21)`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.shift(1))
    #expect(try table.list == "Customers: Bob, Ann, Cid")
    try table.other { list in try list.delete([3]) }
    table.send(.undo)
    #expect(table.state.question?.step.action == "edit by another")
    table.send(.dismiss)
    #expect(try table.list == "Customers: Bob, Ann")
    table.send(.undo, .confirm)
    #expect(try table.list == "Customers: Bob, Ann, Cid")
    table.send(.undo)
    #expect(try table.list == "Customers: Ann, Bob, Cid")
    table.send(.redo, .redo)
    #expect(try table.list == "Customers: Bob, Ann")
    #expect(table.rows.map(\.title) == ["Bob", "Ann"])
  }

  @Test func `undoing a step that is no longer the last one does nothing`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    try table.other { list in try list.delete([3]) }
    table.send(.undo)
    try table.store.write { list in try list.delete([2]) }
    table.send(.confirm)
    #expect(try table.list == "Customers: Ann")
    #expect(table.state.notice?.kind == .refusal)
  }

  @Test func `while the file is locked, the rows stay, and an edit waits or is given up`() throws {
    let file = try TemporaryStore(Self.long)
    var table = TestTable(file.store, height: 10)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN EXCLUSIVE")
    table.send(.go(.by(1)), .shift(1))
    #expect(table.state.waiting != nil && table.state.current?.name == "R2")
    table.session.poll()
    table.send(.go(.by(1)), .shift(1))
    #expect(table.state.notice?.kind == .refusal && table.state.current?.name == "R3")
    table.send(.escape)
    #expect(table.state.waiting == nil)
    table.send(.go(.by(-1)), .shift(1), .go(.number(400)))
    #expect(table.screen.count == 10)
    try other.execute("COMMIT")
    table.session.poll()
    #expect(table.state.waiting == nil)
    #expect(table.rows.prefix(3).map(\.title) == ["R1", "R3", "R2"])
    #expect(try file.store.read { list in try list.place(of: 2).order } == 3)
  }

  @Test func `a form that is saved while an earlier edit waits is saved after it`() throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var table = TestTable(file.store)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN IMMEDIATE")
    table.send(.shift(1), .open, .form(.text(.insert("e"))), .form(.save))
    #expect(table.form?.outcome != nil)
    try other.execute("COMMIT")
    table.session.poll()
    #expect(table.form == nil && table.state.waiting == nil)
    #expect(try table.list == "Customers: Bob, Anne, Cid")

    try other.execute("BEGIN IMMEDIATE")
    table.send(.toggleFavorite, .add(.last), .form(.text(.insert("New"))), .form(.save))
    table.session.poll()
    #expect(table.form?.outcome != nil)
    try other.execute("COMMIT")
    table.session.poll()
    #expect(table.form == nil && table.state.current?.name == "New")
    #expect(try table.list == "Customers: Bob, Anne, Cid, New")
    #expect(try file.store.read { list in try list.customer(1).fields.isFavorite })
  }

  @Test(arguments: [false, true])
  func `a form leaves what an earlier edit of the row does that waited with it`(isSavedLate: Bool) throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var table = TestTable(file.store)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN IMMEDIATE")
    table.send(.toggleFavorite, .open, .form(.text(.insert("e"))))
    if !isSavedLate { table.send(.form(.save)) }
    try other.execute("UPDATE customers SET note = 'theirs' WHERE id = 1")
    try other.execute("COMMIT")
    table.session.poll()
    if isSavedLate { table.send(.form(.save)) }
    let fields = try file.store.read { list in try list.customer(1).fields }
    #expect(table.form == nil && fields.firstName == "Anne" && fields.note == "theirs" && fields.isFavorite)
  }

  @Test func `a form that is open while an earlier edit is done or canceled keeps what was typed`() throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var table = TestTable(file.store)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN IMMEDIATE")
    table.send(.shift(1), .open, .form(.text(.insert("e"))))
    try other.execute("COMMIT")
    table.session.poll()
    #expect(table.form?.edited.firstName == "Anne" && table.state.notice?.text.hasPrefix("Moved") == true)
    table.send(.form(.cancel), .form(.confirm))

    try other.execute("BEGIN IMMEDIATE")
    table.send(.shift(-1), .open, .form(.text(.insert("e"))), .form(.save), .escape)
    #expect(table.form?.message == "Not saved." && table.form?.edited.firstName == "Anne")
    try other.execute("COMMIT")
    table.send(.form(.save))
    #expect(try table.list == "Customers: Bob, Anne, Cid")
  }

  @Test func `a form waits to save a customer that the earlier edit deletes: it is not added again`() throws {
    let file = try TemporaryStore("Ann, Bob")
    var table = TestTable(file.store)
    let other = try Connection(path: file.path)
    try other.execute("BEGIN IMMEDIATE")
    table.send(.askToDelete(nil), .confirm, .open, .form(.text(.insert("e"))), .form(.save))
    try other.execute("COMMIT")
    table.session.poll()
    #expect(table.form?.message == FormState.goneMessage && table.form?.edited.firstName == "Anne")
    #expect(try table.list == "Customers: Bob")
  }

  @Test(arguments: [5, 500])
  func `a sort by a command of one's own leaves the cursor on its customer and on the screen`(count: Int)
    throws
  {
    var table = try TestTable(
      SampleList((1...count).map { "R\($0)" }.joined(separator: ", ")), height: 10)
    table.send(.go(.number(2)))
    try table.store.write(action: "sort") { list in
      _ = try list.apply(.sort(SortOrder(by: [.name], isDescending: true), in: nil))
    }
    table.session.adopt([try #require(try table.store.read { try $0.history(limit: 1).first?.id })])
    #expect(table.rows.contains { $0.isCursor && $0.title == "R2" })
    #expect(table.state.current?.place.order != 2)
  }

  @Test func `after too many changes, the list is read again (S3.28)`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.go(.by(1)), .mark)
    try table.other { list in
      try list.delete([1, 2])
      for n in 0..<6_000 { try list.insert(CustomerFields(name: "N\(n)")) }
      try list.forgetHistory()
    }
    #expect(table.state.marked.isEmpty && table.state.layout.rowCount == 6_000)
    #expect(table.rows.first?.title == "N0" && table.state.current != nil)
  }

  @Test func `another list that replaces this one is shown as it is`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.shift(1), .shift(-1))
    var state = table.state
    let other = try CustomerStore.inMemory("Cid")
    let contents = try other.read { list in try state.read(list) }
    #expect(contents.version.edit < state.contents.version.edit)
    _ = state.update(.changed(nil, contents))
    #expect(state.current?.name == "Cid" && state.layout.rowCount == 1)
    // Its last step may have the number of one of ours.
    _ = state.update(.offered(HistoryStep(id: 2, time: ""), .undo))
    #expect(state.question != nil)
  }

  @Test func `after a restore, what was marked or made before is no longer the table's`() throws {
    let file = try TemporaryStore("A, B, C")
    let copy = file.path + "-copy"
    try file.store.backUp(to: copy)
    var table = TestTable(try CustomerStore(path: file.path))
    table.send(.go(.number(2)), .shift(1), .mark)
    #expect(table.rows.map(\.title) == ["A", "C", "B"])
    #expect(table.state.marked == [2])
    try file.store.restore(
      CustomerStore.checkBackup(at: copy, forListAt: file.path), keepingListAt: nil)
    try file.store.write(action: "sort") { list in try list.move(3, to: .first) }
    table.session.poll()
    #expect(table.rows.map(\.title) == ["C", "A", "B"])
    #expect(table.state.marked.isEmpty)
    table.send(.undo)
    #expect(table.state.question?.step.action == "sort")
    #expect(table.rows.map(\.title) == ["C", "A", "B"])
  }

  @Test func `an edit changes no one in a list that was restored a moment ago`() throws {
    for (number, edit) in [TableEvent.toggleFavorite, .log("said", next: nil), .form(.save)].enumerated() {
      let file = try TemporaryStore("A, B, C")
      let copy = file.path + "-copy"
      try file.store.backUp(to: copy)
      try file.store.write { list in _ = try list.insert(CustomerFields(name: "Old")) }
      var table = TestTable(try CustomerStore(path: file.path))
      table.send(.go(.number(4)))
      if number == 2 { table.send(.open, .form(.text(.insert("x")))) }
      try file.store.restore(CustomerStore.checkBackup(at: copy, forListAt: file.path), keepingListAt: nil)
      try file.store.write { list in _ = try list.insert(CustomerFields(name: "Important")) }
      let before = try file.store.read { list in try list.version() }
      table.send(edit)
      #expect(try file.store.read { list in try list.version() } == before)
      #expect(number < 2 || table.form != nil)
    }
  }

  @Test func `of several steps by other programs, the last one is named`() throws {
    let file = try TemporaryStore("A, B")
    var table = TestTable(try CustomerStore(path: file.path))
    for action in ["edit", "move"] {
      try file.store.write(action: action) { list in try list.move(2, to: .place(action == "edit" ? 1 : 2)) }
      table.session.poll()
      #expect(table.state.notice?.text.hasSuffix(action) == true)
    }
  }

  @Test func `Enter answers nothing that has just gone`() throws {
    let file = try TemporaryStore("A, B, C")
    var table = TestTable(try CustomerStore(path: file.path))
    for event in [TableEvent.askToDelete(nil), .pickUp(nil)] {
      table.send(.go(.number(1)), event)
      try file.store.write { list in try list.delete(list.page(from: 1, limit: 1, in: 1)[0].id) }
      table.session.poll()
      table.send(.open)
      #expect(table.form == nil && table.state.confirmation == nil)
    }
    table.send(.open)
    #expect(table.form != nil)
  }

  @Test func `after a restore, an open form edits no one, and adds what was typed`() throws {
    let file = try TemporaryStore("A, B")
    let copy = file.path + "-copy"
    try file.store.backUp(to: copy)
    try file.store.write { list in _ = try list.insert(CustomerFields(name: "Old")) }
    var table = TestTable(try CustomerStore(path: file.path))
    table.send(.go(.number(3)), .open, .form(.text(.insert("x"))))
    #expect(table.form?.hasChanges == true)
    try file.store.restore(CustomerStore.checkBackup(at: copy, forListAt: file.path), keepingListAt: nil)
    try file.store.write { list in _ = try list.insert(CustomerFields(name: "Important")) }
    table.session.poll()
    #expect(table.form?.isGone == true && table.form?.hasDelete == false)
    #expect(table.form?.message == "The list was restored or replaced; saving adds this customer to it.")
    table.send(.form(.save))
    #expect(Set(table.rows.map(\.title)) == ["A", "B", "Important", "Oldx"])
  }
}
