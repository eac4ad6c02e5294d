import CustomerFixtures
@_spi(Tools) import CustomerStore
import CustomerTable
import CustomersTestSupport
import Testing

/// The statements about the list itself.
@Suite(.onThreads) struct ListStatementTests {
  @Test(arguments: 0..<5)
  func `a deletion removes the row from the list and the screen (S1.3, S5.23)`(row: Int) throws {
    var table = try TestTable("A, B, C, D, E")
    table.send(.askToDelete(CustomerID(rawValue: Int64(row + 1))), .confirm)
    var names = ["A", "B", "C", "D", "E"]
    names.remove(at: row)
    #expect(table.rows.map(\.title) == names && table.rows.map(\.number) == [1, 2, 3, 4])
    #expect(try table.list == "Customers: " + names.joined(separator: ", "))
  }

  @Test func `a question that is declined commits nothing (S1.4)`() throws {
    var state = try TestTable("Ann").state
    #expect(state.update(.askToDelete(1)).isEmpty && state.update(.dismiss).isEmpty)
  }

  @Test func `a list in memory and one in a file behave the same (S1.10)`() throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var tables = [TestTable(file.store), try TestTable("Ann, Bob, Cid")]
    for index in tables.indices {
      tables[index].send(
        .shift(1), .setEditing(true), .askToDelete(2), .confirm, .pickUp(1), .go(.first), .drop)
    }
    #expect(tables[0].screen == tables[1].screen)
    #expect(try tables[0].list == tables[1].list)
  }

  @Test(arguments: 0..<6, 0..<6)
  func
    `a move takes the row out and puts it in where it is dropped (S1.18, S1.19, S1.20, S1.22, S1.23, S5.26, S5.28)`(
      from: Int, to: Int
    ) throws
  {
    var table = try TestTable("A, B, C, D, E, F")
    var names = ["A", "B", "C", "D", "E", "F"]
    let target = names[to]
    table.send(.pickUp(CustomerID(rawValue: Int64(from + 1))))
    if from != to { table.send(.drag(over: .row(CustomerID(rawValue: Int64(to + 1))))) }
    names.insert(names.remove(at: from), at: to)
    #expect(table.rows.map(\.title) == names, "\(target)")
    table.send(.drop, .open, .form(.cancel))
    #expect(table.rows.map(\.title) == names && table.rows.map(\.number) == Array(1...6))
    #expect(try table.list == "Customers: " + names.joined(separator: ", "))
    #expect(try table.store.read { try $0.check() }.isEmpty)
  }

  @Test func `updates that do not add up are refused (S1.33, S1.34)`() throws {
    let before: [SectionID: [CustomerID]] = [1: [1, 2]]
    var batch = BatchUpdates()
    #expect(throws: BatchError.self) { try batch.check(before: before, after: [1: [2]]) }
    batch.delete(.customer(1))
    try batch.check(before: before, after: [1: [2]])
    #expect(throws: BatchError.self) { try batch.check(before: before, after: before) }
  }

  @Test func `in one transaction only the end counts (S1.35)`() throws {
    var table = try TestTable("Ann, Bob")
    try table.other { list in
      let new = try list.insert(CustomerFields(name: "New"), at: .first)
      try list.delete([1])
      try list.move([new.id], to: .last)
    }
    #expect(table.screen == ["# Customers", ">1 Bob", " 2 New"])
  }

  @Test func `sections have their own rows and counts (S3.7, S5.2, S5.49)`() throws {
    let table = try TestTable("Ann, Bob | Leads: Cid | Old:")
    #expect(table.state.layout.sectionCount == 3)
    #expect((0..<3).map(table.state.layout.rows(inSection:)) == [2, 1, 0])
    #expect(table.screen == ["# Customers", ">1 Ann", " 2 Bob", "# Leads", " 3 Cid", "# Old"])
  }

  @Test func `after a reload no row of the old list can be reached (S3.8, S5.27)`() throws {
    var table = try TestTable("Ann, Bob")
    let old = table.state.cursor
    try table.other { list in
      try list.deleteSection(1, withCustomers: true)
      let section = try list.addSection(title: "New")
      try list.insert(CustomerFields(name: "Cid"), in: section.id)
    }
    #expect(table.screen == ["# New", ">1 Cid"] && table.state.cursor != old)
    table.send(.click(.row(1)), .askToDelete(1), .confirm, .pickUp(1), .drop)
    #expect(table.form == nil)
    #expect(try table.list == "New: Cid")
  }

  static let astronomical = [Int.min, -1, 2, 3, Int.max]

  @Test func `a table that has read nothing answers 0 (S3.9)`() {
    var state = TableState()
    for event in DeletingTests.anythingElse { _ = state.update(event) }
    #expect(state.layout.count == 0 && state.lines.isEmpty)
  }

  @Test(arguments: astronomical)
  func `a row or line out of range is nil, for every number (S3.10, S3.11, S3.12)`(
    number: Int
  )
    throws
  {
    let table = try TestTable("Ann")
    #expect(table.state.layout[number] == nil)
    #expect(table.state.layout.line(of: .row(number)) == nil)
    #expect(
      table.state.layout.line(of: .add(number)) == nil && table.state.layout.line(of: .header(number)) == nil)
    #expect(table.state.layout.path(ofRow: number) == nil && table.state.contents[number] == nil)
  }

  /// No assertion and no log entry: who asks gets nothing, in every build.
  @Test(arguments: astronomical)
  func `a cell out of range is not drawn, and the table goes on (S3.13)`(number: Int) throws {
    var table = try TestTable("Ann", height: 3)
    let screen = table.screen
    for event in [TableEvent.scroll(number), .go(.number(number)), .go(.by(number)), .go(.sections(number))] {
      table.send(event, .resize(1), .resize(3), .scroll(.min))
      #expect(table.screen == screen, "\(event)")
    }
    table.send(.setEditing(true))
    #expect(table.screen == ["# Customers", ">-1 Ann =", " + (add new)"])
  }

  @Test(arguments: astronomical)
  func `a row out of range can't be edited (S3.14)`(number: Int) throws {
    var table = try TestTable("Ann")
    let id = CustomerID(rawValue: Int64(number))
    for event in [
      TableEvent.askToDelete(id), .click(.row(id)), .point(.row(id)), .pickUp(id),
      .click(.end(of: SectionID(rawValue: Int64(number)))),
    ] {
      table.send(event, .confirm, .drop)
      #expect(table.form == nil && table.state.drag == nil && table.state.confirmation == nil, "\(event)")
      #expect(table.screen == ["# Customers", ">1 Ann"], "\(event)")
    }
    table.send(.pickUp(1), .drag(over: .row(id)), .drop)
    #expect(try table.list == "Customers: Ann")
  }

  @Test func `an invalid place is refused, with the valid places (S3.27)`() throws {
    let store = try CustomerStore.inMemory("Ann")
    #expect(
      "\(ListError.placeOutOfRange(asked: 7, allowed: 1..<2))" == "number 7 is out of range (1–1)"
    )
    #expect(throws: ListError.placeOutOfRange(asked: 7, allowed: 1..<2)) {
      try store.read { list in try list.customer(at: 7, in: 1) }
    }
  }

  @Test func `a customer has names and a note, and is not a favorite at first (S5.1)`() throws {
    let customer = CustomerFields()
    #expect([customer.firstName, customer.lastName, customer.note] == ["", "", ""] && !customer.isFavorite)
  }

  @Test func `the order survives a restart (S5.29)`() throws {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var table = TestTable(file.store)
    table.send(.shift(2))
    let again = TestTable(try CustomerStore(path: file.path))
    #expect(again.rows.map(\.title) == ["Bob", "Cid", "Ann"])
  }
}
