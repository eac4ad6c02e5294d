import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Testing

/// The form of a row in the table.
@Suite(.onThreads) struct TableFormTests {
  @Test
  func `opening a row opens the form of that customer, and saving shows the new data (S5.9, S5.14, S5.15)`()
    throws
  {
    var table = try TestTable("Ann, Bob")
    table.send(.click(.row(2)))
    #expect(table.form?.mode == .edit(2) && table.form?.fields[0].text?.text == "Bob")
    #expect(table.form?.options.title == "Bob" && table.form?.options.places == 1...2)
    table.send(.form(.text(.insert("by"))), .form(.save))
    #expect(table.form == nil)
    #expect(table.screen == ["# Customers", " 1 Ann", ">2 Bobby"])
    #expect(try table.list == "Customers: Ann, Bobby")
  }

  @Test func `saving an unchanged form writes nothing (S5.17)`() throws {
    var table = try TestTable("Ann")
    let edit = try table.store.read { try $0.lastEdit() }
    table.send(.open, .form(.save))
    #expect(table.form == nil)
    #expect(try table.store.read { try $0.lastEdit() } == edit)
  }

  @Test func `every message closes the form, whatever follows from it (S4.20)`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.open, .form(.text(.insert("x"))), .form(.cancel), .form(.confirm))
    #expect(table.form == nil)
    #expect(try table.list == "Customers: Ann, Bob")
    table.send(.open, .form(.delete), .form(.confirm))
    #expect(table.form == nil)
    #expect(try table.list == "Customers: Bob")
  }

  @Test func `a customer that another program has just changed is not deleted from the form`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.open, .form(.delete))
    // Not heard of before the answer.
    try table.store.write { list in _ = try list.update(1) { $0.note = "theirs" } }
    table.send(.form(.confirm))
    #expect(try table.list == "Customers: Ann, Bob")
    #expect(table.form?.message?.contains("has been changed since") == true)
    table.send(.form(.delete), .form(.confirm))
    #expect(try table.list == "Customers: Bob")
  }

  /// The owner's data are the list: it is read and written only where the form says so.
  @Test func `the form is a copy: typing changes no list, and what others write no typed field (S4.10)`()
    throws
  {
    var table = try TestTable("Ann Lee")
    let edit = try table.store.read { try $0.lastEdit() }
    table.send(.open, .form(.text(.insert("x"))))
    #expect(table.form?.fields[0].text?.text == "Annx" && table.form?.original.firstName == "Ann")
    #expect(table.row("Ann Lee") != nil)
    try table.other { list in _ = try list.update(1) { ($0.firstName, $0.lastName) = ("Eve", "Ray") } }
    // The one difference: a field without any typing shows what is in the list now.
    #expect(table.form?.fields.prefix(2).map(\.text?.text) == ["Annx", "Ray"])
    table.send(.form(.cancel), .form(.confirm))
    #expect(try table.list == "Customers: Eve Ray")
    #expect(try table.store.read { try $0.lastEdit() } == edit + 1)
    var values = CustomerFields(firstName: "Ann")
    var form = FormState(.edit(1), values)
    values.firstName = "Bob"
    form.update(.text(.insert("a")))
    #expect(form.edited.firstName == "Anna" && form.original.firstName == "Ann" && values.firstName == "Bob")
  }

  @Test func `no key in the form acts on the list`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.open)
    for event in DeletingTests.anythingElse where !event.isEscape { table.send(event) }
    table.send(.askToDelete(nil), .confirm, .drop, .put(above: true), .setEditing(true))
    #expect(table.form != nil && !table.state.isEditing)
    #expect(try table.list == "Customers: Ann, Bob")
  }

  @Test func `customers are added above and below the cursor and at the end, each as one step`() throws {
    var table = try TestTable("Ann, Bob | Leads: Cid")
    for (addition, name) in [(TableAddition.above, "A"), (.below, "B"), (.last, "C")] {
      table.send(.go(.number(2)), .add(addition), .form(.text(.insert(name))), .form(.save))
      #expect(table.state.current?.name == name)
    }
    #expect(try table.list == "Customers: Ann, A, B, Bob, C | Leads: Cid")
    table.send(.undo)
    #expect(try table.list == "Customers: Ann, A, B, Bob | Leads: Cid")
  }

  @Test func `the place in a form moves the row in the same step`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(
      .open, .form(.text(.insert("a"))), .form(.focus(.field(11))), .form(.text(.replace("3"))), .form(.save))
    #expect(try table.list == "Customers: Bob, Cid, Anna")
    table.send(.undo)
    #expect(try table.list == "Customers: Ann, Bob, Cid")
  }

  @Test func `another program's changes to other fields stay, and to the same field are shown`() throws {
    var table = try TestTable("Ann")
    table.send(.open, .form(.text(.insert("a"))))
    try table.other { list in _ = try list.update(1) { $0.note = "theirs" } }
    // Not heard of before the save.
    try table.store.write { list in _ = try list.update(1) { $0.firstName = "Annie" } }
    table.send(.form(.save))
    #expect(table.form?.fields[0].theirs == .text("Annie"))
    #expect(try table.list == "Customers: Annie")
    table.send(.form(.save))
    #expect(table.form == nil)
    let saved = try table.store.read { list in try list.customer(1).fields }
    #expect(saved.firstName == "Anna" && saved.note == "theirs")
  }

  @Test func `a customer that another program deleted is added again at its place`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.go(.by(1)), .open, .form(.text(.insert("by"))))
    try table.other { list in try list.delete([2]) }
    #expect(table.form?.isGone == true)
    table.send(.form(.save))
    #expect(try table.list == "Customers: Ann, Bobby, Cid")
    #expect(table.state.current?.name == "Bobby")
  }

  @Test func `a protected customer's form is not opened`() throws {
    var table = try TestTable("Ann")
    try table.other { list in try list.protect(1, canEdit: false) }
    table.send(.open)
    #expect(table.form == nil && table.state.notice?.kind == .refusal)
  }
}

extension TableEvent {
  /// Whether it closes a form.
  var isEscape: Bool { if case .escape = self { true } else { false } }
}
