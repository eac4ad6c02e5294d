import CustomerFixtures
@testable import CustomerStore
import CustomerTable
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Search as typed, and only hits.
@Suite(.onThreads) struct SearchTests {
  @Test func `the cursor goes to the next hit while typing, and back on escape`() throws {
    var table = try TestTable("Ann, Bob, Anna, Cid, Hanna")
    table.send(.go(.by(1)), .search, .searchText(.insert("a")), .searchText(.insert("nn")))
    #expect(table.state.current?.name == "Anna")
    #expect(table.state.search?.ids == [1, 3, 5] && table.state.search?.isComplete == true)
    #expect(table.screen.count == 6)
    table.send(.escape)
    #expect(table.state.current?.name == "Bob" && table.state.search == nil)
  }

  @Test func `after the last match comes the first, and before the first the last`() throws {
    var table = try TestTable("Ann, Bob, Anna, Cid, Hanna")
    table.send(.search, .searchText(.insert("ann")), .acceptSearch)
    var names: [String] = []
    for event in [TableEvent.nextHit, .nextHit, .nextHit, .previousHit] {
      table.send(event)
      names.append(table.state.current?.name ?? "")
    }
    #expect(names == ["Anna", "Hanna", "Ann", "Hanna"])
  }

  @Test func `only hits are shown with the numbers of the list, can be edited, and are not moved`() throws {
    var table = try TestTable("Ann, Bob, Anna | Leads: Cid, Hanna")
    table.send(.go(.by(1)), .search, .searchText(.insert("ann")), .filter)
    #expect(table.screen == [" 1 Ann", ">3 Anna", " 5 Hanna"])
    for event in [TableEvent.shift(1), .pickUp(nil), .move(to: 1), .cut, .add(.above)] {
      table.send(event)
      #expect(table.state.notice?.kind == .refusal)
    }
    table.send(.go(.by(-1)), .askToDelete(nil), .confirm)
    #expect(try table.list == "Customers: Bob, Anna | Leads: Cid, Hanna")
    #expect(table.screen == [">2 Anna", " 4 Hanna"])
    table.send(.filter)
    #expect(table.screen == ["# Customers", " 1 Bob", ">2 Anna", "# Leads", " 3 Cid", " 4 Hanna"])
  }

  @Test func `a search without a match leaves the cursor in place`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.nextHit, .filter, .search, .searchText(.insert("zz")), .acceptSearch, .nextHit)
    #expect(table.state.current?.name == "Ann" && table.state.notice?.text == "Nothing found.")
    table.send(.filter)
    #expect(table.screen.isEmpty)
    table.send(.askToDelete(nil), .open, .escape)
    #expect(table.screen == ["# Customers", ">1 Ann", " 2 Bob"])
  }

  @Test func `a term finds customers by a field, and other text is words`() throws {
    var table = try TestTable("Ann, Bob | Leads: Cid, Hanna")
    table.send(.search, .searchText(.insert("section=leads name~an or name=bob")))
    #expect(table.state.search?.ids == [2, 4])
    table.send(.filter)
    #expect(table.screen == [">2 Bob", " 4 Hanna"])
    table.send(.escape, .search, .searchText(.insert("nothing=bob")))
    #expect(table.state.search?.ids == [])
    try table.other { list in try list.update(1) { $0.note = "nothing=bob" } }
    while table.session.hasWork { table.session.work() }
    #expect(table.state.search?.ids == [1])
  }

  @Test func `matches follow the additions and deletions of another program`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.search, .searchText(.insert("ann")), .acceptSearch, .filter)
    try table.other { list in
      try list.insert(CustomerFields(name: "Anna"), at: .first)
      try list.delete([1])
    }
    while table.session.hasWork { table.session.work() }
    #expect(table.screen == [">1 Anna"])
  }

  @Test func `a long list is read in slices, between keys`() throws {
    var table = try TestTable(SampleList((1...12_000).map { "R\($0)" }.joined(separator: ", ")))
    table.session.send(.search)
    table.session.send(.searchText(.insert("R11999")))
    var slices = 0
    while table.session.hasWork {
      table.session.work()
      slices += 1
    }
    #expect(slices == 3 && table.state.search?.readCount == 12_000)
    #expect(table.row("R11999")?.isCursor == true)
  }

  @Test func `a longer text narrows the hits at once, and reads only what was not read`() throws {
    var table = try TestTable(SampleList((1...12_000).map { "R\($0)" }.joined(separator: ", ")))
    table.session.send(.search)
    for key in ["R", "1", "1", "9", "9"] { table.session.send(.searchText(.insert(key))) }
    table.session.work()
    table.session.send(.searchText(.insert("9")))
    #expect(table.state.search?.readCount == 5_000 && table.state.search?.hits.count == 0)
    while table.session.hasWork { table.session.work() }
    #expect(table.state.search?.hits.count == 1 && table.row("R11999")?.isCursor == true)
    // Then without reading.
    table.send(.searchText(.replace("R11")))
    while table.session.hasWork { table.session.work() }
    #expect(table.state.search?.hits.count == 1_111)
    table.session.send(.searchText(.insert("99")))
    #expect(!table.session.hasWork && table.state.search?.hits.count == 11)
    #expect(table.row("R1199")?.isCursor == true)
    table.send(.filter)
    #expect(table.screen.first == ">1199 R1199")
  }

  @Test func `a hit under the cursor that another program deletes loses the cursor`() throws {
    var table = try TestTable("Ann, Bob")
    table.send(.search, .searchText(.insert("ann")), .filter)
    try table.store.write { list in try list.delete([1]) }
    // The search has not looked again yet.
    table.session.poll()
    #expect(table.state.cursor == nil)
  }

  @Test func `a question with a value that can't be compared says what is wrong, and finds no one`() throws {
    var table = try TestTable("Ann, Bob")
    try table.other { list in
      try list.declareColumn("Due", kind: .date)
      try list.update(1) { $0[.extra("Due")] = .text("2026-12-24") }
    }
    while table.session.hasWork { table.session.work() }
    table.send(.search, .searchText(.insert("Due<tomorow")))
    #expect(table.state.search?.ids == [] && table.state.search?.isComplete == true)
    #expect(
      table.state.search?.typed.problem == "Due: \"tomorow\" is not a date; did you mean tomorrow?")
    table.send(.searchText(.replace("Due<2027-01-01")))
    #expect(table.state.search?.ids == [1] && table.state.search?.typed.problem == nil)
  }
}

extension TableSearch {
  fileprivate var ids: [CustomerID] { (0..<hits.count).compactMap { hits[$0] } }

  /// A transaction is a lock: no other program can write as long as it lasts.
  @Test(arguments: [false, true])
  func `after many matches were deleted, no read of the table looks up more than some of them`(isSorted: Bool)
    throws
  {
    let store = try CustomerStore.inMemory("")
    let count = 16_000
    try store.write { list in
      let new = (1...count).map { NewCustomer(CustomerFields(name: "Ann \($0)")) }
      _ = try list.apply(.insert(new, at: .last, in: nil))
      try list.forgetHistory()
    }
    var table = TestTable(store)
    if isSorted { table.send(.sort(SortOrder(by: [.name]))) }
    table.send(.search, .searchText(.insert("ann")), .filter, .go(.by(1)))
    #expect(table.state.layout.rowCount == count)
    try store.write { list in
      try list.delete((3...CustomerID.RawValue(count) - 3).map { CustomerID(rawValue: $0) })
    }
    var statements: [Int] = []
    repeat {
      let before = try store.readAtOnce { $0.connection.statementCount } ?? 0
      if statements.isEmpty { table.session.poll() } else { table.session.send(.fade) }
      statements.append((try store.readAtOnce { $0.connection.statementCount } ?? 0) - before)
    } while table.rows.count < 5 && statements.count < 10
    #expect((3...4).contains(statements.count) && statements.allSatisfy { $0 < 6_000 }, "\(statements)")
    #expect(table.state.current?.name == "Ann 2")
    #expect(table.state.layout.rowCount == 5)
    while table.session.hasWork { table.session.work() }
    #expect(table.state.layout.rowCount == 5 && table.rows.count == 5)
    #expect(table.state.current?.name == "Ann 2")
  }
}
