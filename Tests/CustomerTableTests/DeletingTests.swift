import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Testing

/// The button that deletes: two steps, and by id.
@Suite(.onThreads) struct DeletingTests {
  @Test func `asking shows Delete in one row and deletes nothing (S1.1, S1.8, S2.1, S3.2)`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.go(.by(1)), .askToDelete(nil))
    #expect(table.screen == ["# Customers", " 1 Ann", ">2 Bob [Delete]", " 3 Cid"])
    #expect(try table.list == "Customers: Ann, Bob, Cid")
  }

  @Test
  func `in edit mode the control shows the button, and only the button deletes (S1.12, S2.3, S2.6, S2.15)`()
    throws
  {
    var table = try TestTable("Ann, Bob")
    table.send(.setEditing(true), .askToDelete(1))
    #expect(table.screen == ["# Customers", ">-1 Ann [Delete]", " -2 Bob =", " + (add new)"])
    table.send(.confirm)
    #expect(try table.list == "Customers: Bob")
    #expect(table.screen == ["# Customers", ">-1 Bob =", " + (add new)"])
  }

  @Test func `a policy without editing closes both ways (S1.2, S1.6, S2.12, S5.20, S5.22)`() throws {
    var policy = EditingPolicy()
    policy.allowsEditing = false
    var table = try TestTable("Ann", policy: policy)
    table.send(.askToDelete(nil), .confirm)
    #expect(table.screen == ["# Customers", ">1 Ann"])
    table.send(.setEditing(true), .askToDelete(1), .confirm)
    #expect(table.screen == ["# Customers", ">1 Ann =", " + (add new)"])
    #expect(try table.list == "Customers: Ann")
  }

  @Test
  func `a policy can allow or forbid edits of single rows (S1.7, S1.14, S3.16, S3.17, S3.18, S3.19, S3.20)`()
    throws
  {
    var policy = EditingPolicy()
    policy.edit = { $0.name == "Bob" ? .no : .asTable }
    var table = try TestTable("Ann, Bob", policy: policy)
    table.send(.setEditing(true))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " 2 Bob =", " + (add new)"])
    policy.allowsEditing = false
    policy.edit = { $0.name == "Bob" ? .yes : .asTable }
    table = try TestTable("Ann, Bob", policy: policy)
    table.send(.setEditing(true))
    #expect(table.screen == ["# Customers", ">1 Ann =", " -2 Bob =", " + (add new)"])
  }

  @Test func `rows can be edited unless the policy or the list forbids it (S1.5, S3.15)`() throws {
    let table = try TestTable("Ann")
    #expect(table.rows.allSatisfy { table.state.policy.canEdit($0.customer) })
    try table.store.write { list in try list.protect(1, canEdit: false) }
    let protected = try table.store.read { list in try list.customer(1) }
    #expect(!table.state.policy.canEdit(protected))
  }

  @Test func `a policy without editing stays so in a list that can only be read`() throws {
    var policy = EditingPolicy()
    (policy.edit, policy.move) = ({ _ in .yes }, { _ in .yes })
    var table = try TestTable("Ann", policy: policy)
    table.send(.setEditing(true))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " + (add new)"])
    table.send(.openReadOnly, .setEditing(true), .askToDelete(1), .confirm)
    #expect(table.screen == ["# Customers", ">1 Ann"])
    #expect(table.rows.allSatisfy { !table.state.policy.canEdit($0.customer) })
    #expect(table.rows.allSatisfy { !table.state.policy.canMove($0.customer) })
    #expect(try table.list == "Customers: Ann")
  }

  @Test func `the text of the button can be in any language (S2.8)`() throws {
    var policy = EditingPolicy()
    policy.deleteTitle = { _ in "Löschen" }
    var table = try TestTable("Ann, Bob", policy: policy)
    table.send(.askToDelete(2))
    #expect(table.screen == ["# Customers", ">1 Ann", " 2 Bob [Löschen]"])
    table.send(.confirm)
    #expect(try table.list == "Customers: Ann")
  }

  @Test func `a title is asked for each row (S1.9)`() throws {
    var policy = EditingPolicy()
    policy.deleteTitle = { "Trash (\($0.name))" }
    var table = try TestTable("Ann, Bob", policy: policy)
    table.send(.askToDelete(2))
    #expect(table.screen == ["# Customers", ">1 Ann", " 2 Bob [Trash (Bob)]"])
  }

  @Test func `asking again takes the button away (S2.2, S2.14, S2.21)`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.setEditing(true), .askToDelete(1), .askToDelete(1))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " -2 Bob =", " + (add new)"])
    #expect(try table.list == "Customers: Ann, Bob")
  }

  static let anythingElse: [TableEvent] = [
    .go(.by(1)), .click(.row(2)), .open, .add(.last), .dismiss, .escape, .askToDelete(2), .shift(1),
    .move(to: 2), .pickUp(2), .cut, .mark, .markRange, .invertMarks, .search, .filter, .undo, .redo,
  ]

  @Test(arguments: anythingElse.indices)
  func `anything else takes the button away and does only that (S2.4, S2.5, S2.16, S2.20)`(index: Int) throws
  {
    var table = try TestTable("Ann, Bob")
    table.send(.askToDelete(1), Self.anythingElse[index])
    #expect(table.screen == ["# Customers", ">1 Ann", " 2 Bob"])
    #expect(table.form == nil && table.state.search == nil && table.state.question == nil)
    #expect(try table.list == "Customers: Ann, Bob")
    table.send(.go(.by(1)))
    #expect(table.screen == ["# Customers", " 1 Ann", ">2 Bob"])
  }

  /// Into editing and out of it, with and without a button; no step is mixed up with that of the button.
  @Test func `the transitions of edit mode are as without a button (S2.7)`() throws {
    let plain = ["# Customers", ">1 Ann", " 2 Bob"]
    let editing = ["# Customers", ">-1 Ann =", " -2 Bob =", " + (add new)"]
    var table = try TestTable("Ann, Bob")
    for _ in 0..<2 {
      for (isEditing, screen) in [(true, editing), (false, plain)] {
        table.send(.setEditing(isEditing))
        #expect(table.screen == screen && table.state.confirmation == nil)
        #expect(table.rows.allSatisfy { !$0.isDimmed && $0.deleteTitle == nil })
        // A button before the next transition, taken away or left to it.
        table.send(.askToDelete(2), .dismiss)
        #expect(table.screen == screen && table.state.isEditing == isEditing)
        table.send(.askToDelete(2))
        #expect(table.row("Bob")?.deleteTitle == "Delete")
      }
    }
    #expect(try table.list == "Customers: Ann, Bob")
  }

  @Test func `scrolling and other programs leave the button (S2.9)`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.askToDelete(1), .scroll(1), .resize(10), .fade)
    #expect(table.row("Ann")?.deleteTitle == "Delete")
    table.send(.dismiss, .askToDelete(1))
    #expect(table.row("Ann")?.deleteTitle == "Delete")
  }

  @Test func `the rows without the button are dimmed (S2.19)`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.askToDelete(1))
    #expect(table.rows.map(\.isDimmed) == [false, true])
    table.send(.dismiss)
    #expect(table.rows.map(\.isDimmed) == [false, false])
  }

  @Test func `first the button goes, then the list changes, then the row goes (S2.11)`() throws {
    let table = try TestTable("Ann, Bob")
    var state = table.state
    _ = state.update(.setEditing(true))
    _ = state.update(.askToDelete(1))
    let effects = state.update(.confirm)
    // The transition has begun: nothing is committed, and the row is still there.
    #expect(state.confirmation == nil && state.notice?.kind != .done)
    #expect(state.contents.customerCount == 2 && state.lines.count == 4)
    #expect(try table.list == "Customers: Ann, Bob")
    guard case .write(let write)? = effects.first else {
      Issue.record("no write but \(effects)")
      return
    }
    let (result, contents) = try table.store.write { [state] list in
      (try write.run(&list), try state.read(list))
    }
    #expect(try table.list == "Customers: Bob")
    #expect(state.contents.customerCount == 2 && state.isEditing)
    // The transition ends with the answer.
    _ = state.update(.wrote(write, result, contents))
    #expect(state.contents.customerCount == 1 && state.lines.count == 3 && state.isEditing)
    #expect(state.notice?.text == "Deleted \"Ann\", row 1." && state.confirmation == nil)
  }

  @Test func `a deletion is made once, after the button is gone (S2.17)`() throws {
    var table = try TestTable("Ann, Bob")
    var state = table.state
    _ = state.update(.askToDelete(1))
    let effects = state.update(.confirm)
    #expect(state.confirmation == nil && effects.count == 1)
    #expect(state.update(.confirm).isEmpty)
    table.send(.askToDelete(1), .confirm, .confirm)
    #expect(try table.list == "Customers: Bob")
  }

  @Test func `the row is deleted where it is then (S2.13, S3.3)`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.askToDelete(1))
    try table.other { list in
      try list.move(1, to: .last)
      try list.insert(CustomerFields(name: "New"), at: .first)
    }
    #expect(table.row("Ann")?.deleteTitle == "Delete")
    table.send(.confirm)
    #expect(try table.list == "Customers: New, Bob, Cid")
  }

  @Test func `of two equal customers the right one is deleted (S3.4, S3.29)`() throws {
    var table = try TestTable("Ann, Ann")
    table.send(.askToDelete(2), .confirm)
    #expect(table.rows.map(\.customer.id) == [1])
    #expect(try table.store.read { try $0.count() } == table.rows.count)
  }

  @Test func `a button whose customer was changed or deleted goes away`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.askToDelete(1))
    try table.other { list in _ = try list.update(1) { $0.note = "new" } }
    #expect(table.state.confirmation == nil && table.row("Ann")?.isFlashing == true)
    table.send(.askToDelete(1))
    try table.other { list in try list.protect(1, canEdit: false) }
    #expect(table.state.confirmation == nil)
    table.send(.askToDelete(2))
    try table.other { list in try list.delete([2]) }
    #expect(table.state.confirmation == nil)
    #expect(table.state.notice?.text == "\"Bob\" is already deleted.")
  }

  @Test func `all marked rows are deleted in one step`() throws {
    var table = try TestTable("Ann, Bob, Cid | Leads: Dora")
    table.send(.mark, .go(.by(1)), .mark, .askToDelete(nil))
    #expect(table.state.notice?.text == "Delete 2 customers?")
    table.send(.confirm)
    #expect(try table.list == "Customers: Bob | Leads: Dora")
    #expect(table.state.marked.isEmpty)
    table.send(.undo)
    #expect(try table.list == "Customers: Ann, Bob, Cid | Leads: Dora")
  }
}
