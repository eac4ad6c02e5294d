import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Testing

/// Edit mode, and the rows that add.
@Suite(.onThreads) struct EditModeTests {
  @Test
  func `edit mode shows controls and handles, and ends cleanly (S1.11, S1.16, S5.19)`()
    throws
  {
    var table = try TestTable("Ann, Bob")
    let before = table.screen
    table.send(.setEditing(true))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " -2 Bob =", " + (add new)"])
    table.send(.setEditing(false))
    #expect(table.screen == before)
  }

  @Test func `handles depend on moving alone (S5.24)`() throws {
    var policy = EditingPolicy()
    policy.allowsMoving = false
    var table = try TestTable("Ann, Bob", policy: policy)
    table.send(.setEditing(true))
    #expect(table.screen == ["# Customers", ">-1 Ann", " -2 Bob", " + (add new)"])
    table.send(.pickUp(1))
    #expect(table.state.drag == nil)
    (policy.allowsMoving, policy.allowsEditing, policy.allowsAdding) = (true, false, false)
    table = try TestTable("Ann, Bob", policy: policy)
    table.send(.setEditing(true))
    #expect(table.screen == ["# Customers", ">1 Ann =", " 2 Bob ="])
    table.send(.pickUp(1), .go(.last), .drop)
    #expect(try table.list == "Customers: Bob, Ann")
  }

  @Test func `a protected row has no control or handle, and can't be picked up (S1.13)`() throws {
    var table = try TestTable("Ann, Bob")
    try table.other { list in try list.protect(1, canEdit: false, canMove: false) }
    table.send(.setEditing(true), .pickUp(1))
    #expect(table.screen == ["# Customers", ">1 Ann", " -2 Bob =", " + (add new)"])
    #expect(table.state.drag == nil)
    #expect(table.state.notice?.text == "\"Ann\" is protected against moving.")
  }

  @Test func `out of edit mode every row can be deleted, the last one too (S1.15, S1.36, S5.32)`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.go(.last), .askToDelete(nil))
    #expect(table.screen == ["# Customers", " 1 Ann", " 2 Bob", ">3 Cid [Delete]"])
    table.send(.confirm, .askToDelete(nil), .confirm, .askToDelete(nil), .confirm)
    #expect(table.screen == ["# Customers"])
  }

  @Test func `the Edit button takes a Delete button away, then begins edit mode (S1.17)`() throws {
    var table = try TestTable("Ann")
    table.send(.askToDelete(1), .setEditing(true))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " + (add new)"])
  }

  @Test
  func
    `each section has one row that adds, at its end, without handle (S1.24, S1.25, S1.27, S5.30, S5.31, S5.35, S5.36)`()
    throws
  {
    var table = try TestTable("Ann | Leads: Bob")
    table.send(.setEditing(true))
    #expect(
      table.screen == [
        "# Customers", ">-1 Ann =", " + (add new)", "# Leads", " -2 Bob =", " + (add new)",
      ])
    #expect(table.state.layout.rowCount == 2 && table.state.layout.count == 6)
  }

  @Test
  func
    `edit mode begun or ended twice is begun or ended once, and stores nothing (S1.30, S1.31, S1.32, S5.33, S5.38, S5.39, S5.40)`()
    throws
  {
    var table = try TestTable("Ann")
    #expect(!table.state.isEditing)
    let edit = try table.store.read { try $0.lastEdit() }
    table.send(.setEditing(true), .setEditing(true))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " + (add new)"])
    table.send(.setEditing(false), .setEditing(false))
    #expect(table.screen == ["# Customers", ">1 Ann"])
    #expect(try table.store.read { try $0.lastEdit() } == edit)
  }

  @Test func `the add row opens a form, and the customer appears above it (S1.26, S5.34, S5.41)`() throws {
    var table = try TestTable("Ann")
    table.send(.setEditing(true), .go(.by(1)))
    #expect(table.screen == ["# Customers", " -1 Ann =", ">+ (add new)"])
    table.send(.open, .form(.text(.insert("New"))), .form(.save))
    #expect(table.screen == ["# Customers", " -1 Ann =", ">-2 New =", " + (add new)"])
    table.send(.setEditing(false))
    #expect(try table.list == "Customers: Ann, New")
  }

  @Test func `an empty list has the row that adds alone, and it works (S5.42)`() throws {
    var table = try TestTable("")
    #expect(table.screen == ["# Customers"])
    table.send(.go(.by(1)), .askToDelete(nil), .shift(1), .pickUp(nil), .open, .setEditing(true))
    #expect(table.screen == ["# Customers", ">+ (add new)"])
    table.send(.open, .form(.text(.insert("Ann"))), .form(.save))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " + (add new)"])
  }

  @Test func `escape cancels one thing at a time`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.setEditing(true), .mark, .escape)
    #expect(table.state.marked.isEmpty && table.state.isEditing)
    table.send(.escape)
    #expect(!table.state.isEditing)
  }
}
