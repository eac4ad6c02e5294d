import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Testing

/// Moving rows by steps, by number, in the hand, by cut and put.
@Suite(.onThreads) struct MovingTests {
  @Test func `a notice says from where to where, or that nothing moved`() throws {
    var table = try TestTable("Ann, Bob, Cid | Leads: Dora")
    table.send(.go(.last), .go(.by(-1)), .shift(-1))
    #expect(table.state.notice?.text == "Moved \"Cid\" 3 → 2.")
    table.send(.cut, .go(.last), .put(above: true))
    #expect(table.state.notice?.text == "Moved \"Cid\" Customers/2 → Leads/1.")
    table.send(.undo)
    #expect(table.state.notice?.text == "Undid move: \"Cid\" is Customers/2 again.")
    table.send(.redo)
    #expect(table.state.notice?.text == "Redid move: moved \"Cid\" Customers/2 → Leads/1.")
    table.send(.go(.first), .mark, .mark, .shift(1), .shift(-1))
    #expect(table.state.notice?.text == "2 rows are already in place.")
    table.send(.move(to: 2))
    #expect(table.state.notice?.text == #"Moved 2 customers to Leads/2: "Ann", "Bob"."#)
  }

  @Test func `rows in hand are shown where they would be, and a drop is one step (S5.25)`() throws {
    var table = try TestTable("Ann, Bob, Cid")
    table.send(.setEditing(true), .pickUp(3), .drag(over: .row(2)))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " ^-2 Cid =", " -3 Bob =", " + (add new)"])
    #expect(try table.list == "Customers: Ann, Bob, Cid")
    table.send(.drag(over: .row(1)), .drop)
    #expect(try table.list == "Customers: Cid, Ann, Bob")
    table.send(.undo)
    #expect(try table.list == "Customers: Ann, Bob, Cid")
  }

  @Test
  func `over the row that adds the place is the last one, else that of the row below (S1.28, S1.29, S5.37)`()
    throws
  {
    var table = try TestTable("Ann, Bob, Cid | Leads: Dora")
    table.send(.setEditing(true), .pickUp(1), .drag(over: .end(of: 1)), .drop)
    #expect(try table.list == "Customers: Bob, Cid, Ann | Leads: Dora")
    table.send(.pickUp(2), .drag(over: .row(3)), .drop)
    #expect(try table.list == "Customers: Cid, Bob, Ann | Leads: Dora")
    table.send(.pickUp(1), .drag(over: .row(4)), .drop)
    #expect(try table.list == "Customers: Cid, Bob | Leads: Ann, Dora")
    table.send(.pickUp(3), .drag(over: .end(of: 2)), .drop)
    #expect(try table.list == "Customers: Bob | Leads: Ann, Dora, Cid")
  }

  @Test func `escape puts rows in hand back`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.pickUp(1), .go(.last), .escape)
    #expect(table.screen == ["# Customers", ">1 Ann", " 2 Bob"])
    #expect(try table.list == "Customers: Ann, Bob")
  }

  @Test(arguments: [
    (TableMotion.by(1), "Customers: Bob, Ann, Cid | Leads: Dora"),
    (.by(3), "Customers: Bob, Cid | Leads: Ann, Dora"), (.by(.max), "Customers: Bob, Cid | Leads: Dora, Ann"),
    (.by(.min), "Customers: Ann, Bob, Cid | Leads: Dora"), (.last, "Customers: Bob, Cid | Leads: Dora, Ann"),
    (.first, "Customers: Ann, Bob, Cid | Leads: Dora"),
    (.number(3), "Customers: Bob, Cid, Ann | Leads: Dora"),
    (.number(4), "Customers: Bob, Cid | Leads: Dora, Ann"),
    (.number(.min), "Customers: Ann, Bob, Cid | Leads: Dora"),
    (.sections(1), "Customers: Bob, Cid | Leads: Ann, Dora"),
    (.pages(1), "Customers: Bob, Cid | Leads: Dora, Ann"),
    (.halfPages(-1), "Customers: Ann, Bob, Cid | Leads: Dora"),
  ])
  func `a row in hand goes where the keys say`(motion: TableMotion, list: String) throws {
    var table = try TestTable("Ann, Bob, Cid | Leads: Dora")
    table.send(.pickUp(nil), .go(motion), .drop)
    #expect(try table.list == list)
    #expect(table.state.current?.name == "Ann")
  }

  @Test func `rows shift by steps and stop at the ends of their section`() throws {
    var table = try TestTable("Ann, Bob, Cid | Leads: Dora")
    table.send(.shift(1))
    #expect(try table.list == "Customers: Bob, Ann, Cid | Leads: Dora")
    table.send(.shift(.max))
    #expect(try table.list == "Customers: Bob, Cid, Ann | Leads: Dora")
    table.send(.shift(1))
    #expect(table.state.notice?.text == "\"Ann\" is at the end of its section.")
    table.send(.shift(.min))
    #expect(try table.list == "Customers: Ann, Bob, Cid | Leads: Dora")
    #expect(table.screen == ["# Customers", ">1 Ann", " 2 Bob", " 3 Cid", "# Leads", " 4 Dora"])
  }

  @Test func `marked rows move as a block, by steps, by number and in the hand`() throws {
    var table = try TestTable("Ann, Bob, Cid, Dora, Eve")
    table.send(.mark, .go(.by(1)), .mark, .shift(1))
    #expect(try table.list == "Customers: Bob, Ann, Cid, Dora, Eve")
    table.send(.move(to: 4))
    #expect(try table.list == "Customers: Bob, Dora, Eve, Ann, Cid")
    table.send(.move(to: 5))
    #expect(table.state.notice?.text == "Row 5 is out of range (1–4).")
    table.send(.pickUp(nil), .go(.first))
    #expect(table.screen.dropFirst().first == " *^1 Ann")
    table.send(.drop)
    #expect(try table.list == "Customers: Ann, Cid, Bob, Dora, Eve")
  }

  @Test func `cut rows stay until they are put above or below another one`() throws {
    var table = try TestTable("Ann, Bob | Leads: Cid")
    table.send(.cut)
    #expect(table.row("Ann")?.isCut == true)
    #expect(try table.list == "Customers: Ann, Bob | Leads: Cid")
    table.send(.put(above: true))
    #expect(table.state.notice?.text == "Choose a row that was not cut.")
    // Another row that moves is not the one that was cut.
    table.send(.go(.by(1)), .shift(-1))
    #expect(try table.list == "Customers: Bob, Ann | Leads: Cid")
    table.send(.go(.last), .put(above: false))
    #expect(try table.list == "Customers: Bob | Leads: Cid, Ann")
    table.send(.put(above: true))
    #expect(try table.list == "Customers: Bob | Leads: Cid, Ann")
  }

  @Test func `a range is marked from its start to the cursor`() throws {
    var table = try TestTable("Ann, Bob, Cid, Dora")
    table.send(.go(.by(1)), .markRange, .go(.by(2)), .go(.by(-1)))
    #expect(table.rows.filter(\.isMarked).map(\.title) == ["Bob", "Cid"])
    table.send(.go(.by(-2)))
    #expect(table.rows.filter(\.isMarked).map(\.title) == ["Ann", "Bob"])
    table.send(.markRange, .invertMarks)
    #expect(table.rows.filter(\.isMarked).map(\.title) == ["Cid", "Dora"])
  }

  @Test func `all rows or a range are marked however far from the screen they are`() throws {
    var table = try TestTable(FollowingTests.long, height: 10)
    table.send(.invertMarks)
    #expect(table.state.marked.count == 500 && table.state.subject.count == 500)
    #expect(table.state.notice?.text == "500 customers are marked.")
    table.send(.invertMarks)
    #expect(table.state.marked.isEmpty && table.state.notice?.text == "0 customers are marked.")
    table.send(.go(.number(2)), .mark, .invertMarks)
    #expect(table.state.subject.count == 499 && !table.state.marked.contains(2))
    table.send(.escape, .go(.first), .markRange, .go(.last))
    #expect(table.state.subject.count == 500 && table.state.current?.name == "R500")
    table.send(.go(.number(3)))
    #expect(table.state.marked == [1, 2, 3])
    table.send(.escape, .search, .searchText(.insert("R4")), .filter, .invertMarks)
    #expect(table.state.marked.count == 111 && table.state.subject.count == 111)
    table.send(.escape, .escape, .search, .searchText(.insert("R4")), .filter)
    table.send(.go(.first), .markRange, .go(.last), .go(.by(-1)))
    #expect(table.state.marked.count == 110 && table.state.subject.last?.name == "R498")
  }

  @Test func `rows that are more than can be marked are refused, and none is marked`() throws {
    var table = try TestTable("Ann, Bob")
    table.session.send(.search)
    table.session.send(.searchText(.insert("b")))
    let scan = try #require(table.state.search?.typed.next)
    let hits = (1...120_000).map { (id: CustomerID(rawValue: $0), row: Int($0)) }
    table.session.send(
      .scanned(scan, SearchScan.Result(hits: hits, next: 2, version: table.state.contents.version)))
    table.send(.filter, .invertMarks)
    #expect(table.state.marked.isEmpty)
    #expect(table.state.notice?.text == "At most 100000 rows can be marked; nothing was marked.")
  }

  @Test func `a drop of a row that another program has just moved changes nothing`() throws {
    var table = try TestTable("Ann, Bob, Cid, Dora")
    table.send(.pickUp(1), .go(.by(1)))
    try table.store.write { list in try list.move(1, to: .last) }
    table.send(.drop)
    #expect(try table.list == "Customers: Bob, Cid, Dora, Ann")
    #expect(table.state.notice?.kind == .refusal && table.state.drag == nil)
    #expect(table.screen == ["# Customers", " 1 Bob", " 2 Cid", " 3 Dora", ">4 Ann"])
  }

  @Test func `rows in hand stay with their neighbor, whatever another program does`() throws {
    var table = try TestTable("Ann, Bob, Cid, Dora")
    table.send(.pickUp(1), .drag(over: .row(2)))
    try table.other { list in try list.insert(CustomerFields(name: "New"), at: .first) }
    #expect(table.screen == ["# Customers", " 1 New", " 2 Bob", ">^3 Ann", " 4 Cid", " 5 Dora"])
    try table.other { list in try list.delete([3]) }
    #expect(table.screen == ["# Customers", " 1 New", " 2 Bob", ">^3 Ann", " 4 Dora"])
    try table.other { list in try list.move(1, to: .last) }
    #expect(table.screen == ["# Customers", " 1 New", " 2 Bob", ">^3 Ann", " 4 Dora"])
    table.send(.drop)
    #expect(try table.list == "Customers: New, Bob, Ann, Dora")
    table.send(.pickUp(1))
    try table.other { list in try list.delete([1]) }
    #expect(table.state.drag == nil && table.state.notice?.text == "\"Ann\" is already deleted.")
  }
}
