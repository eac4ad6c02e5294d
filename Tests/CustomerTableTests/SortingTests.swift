import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Testing

/// The order and the columns of the view, which leave the list as it is.
@Suite(.onThreads) struct SortingTests {
  private func table(_ policy: EditingPolicy = EditingPolicy()) throws -> TestTable {
    var table = try TestTable("Cid, Ann, Bob | Leads: Dora, Abe", policy: policy)
    for (id, city) in [(1, "row 10"), (2, "row 2"), (3, ""), (4, "Row 2"), (5, "row 1")] {
      try table.other { list in
        _ = try list.update(CustomerID(rawValue: Int64(id))) { $0[.extra("City")] = .text(city) }
      }
    }
    return table
  }

  @Test func `a sorted view keeps the numbers of the list, has no sections, and changes nothing`() throws {
    var table = try table()
    let version = table.state.contents.version
    table.send(.go(.number(2)), .choose(.order("city")))
    #expect(table.screen == [" 5 Abe", " 4 Dora", ">2 Ann", " 1 Cid", " 3 Bob"])
    table.send(.choose(.order("-City,-name")))
    #expect(table.screen == [" 1 Cid", " 4 Dora", ">2 Ann", " 5 Abe", " 3 Bob"])
    table.send(.escape)
    #expect(table.screen == ["# Customers", " 1 Cid", ">2 Ann", " 3 Bob", "# Leads", " 4 Dora", " 5 Abe"])
    #expect(try table.store.read { try $0.version() } == version && table.state.sorting == nil)
  }

  /// The one rule of `list --sort` and `sort`.
  @Test func `the view has the order of list --sort`() throws {
    var table = try table()
    for isDescending in [false, true] {
      let order = SortOrder(by: [.field(.extra("City"))], isDescending: isDescending)
      table.send(.sort(order))
      let all = try table.store.read { list in try list.customers(matching: RowFilter()) }
      #expect(table.rows.map(\.customer) == order.sorted(all))
    }
  }

  @Test func `rows of a sorted view can't be moved, nor added between, and the notice says why`() throws {
    var table = try table()
    table.send(.choose(.order("name")))
    let list = try table.list
    for event in [TableEvent.shift(1), .move(to: 1), .pickUp(nil), .cut, .add(.above), .add(.below)] {
      table.send(event)
      #expect(
        table.state.notice?.text.hasPrefix("The rows are sorted, not in the list's order; press Esc ") == true
      )
      #expect(table.state.form == nil && table.state.cut.isEmpty && table.state.drag == nil)
    }
    table.send(.setEditing(true))
    #expect(table.rows.allSatisfy { !$0.hasHandle && $0.control == .delete })
    #expect(try table.list == list)
  }

  @Test func `rows can't be picked up while they are being sorted`() throws {
    var table = try table()
    table.session.send(.sort(SortOrder(by: [.name])))
    #expect(table.session.hasWork && table.state.showsWholeList)
    table.send(.pickUp(nil))
    #expect(table.state.drag == nil && table.rows.map(\.title) == ["Abe", "Ann", "Bob", "Cid", "Dora"])
  }

  @Test func `a row number means that of the list, in a sorted view and among matches`() throws {
    var table = try table()
    table.send(.choose(.order("name")), .go(.number(5)))
    #expect(table.state.current?.name == "Abe")
    table.send(.go(.number(1)))
    #expect(table.state.current?.name == "Cid")
    table.send(.go(.number(6)))
    #expect(table.state.notice?.text == "Row 6 is out of range (1–5).")
    table.send(.search, .searchText(.insert("b")), .filter, .go(.number(5)))
    #expect(table.screen == [">5 Abe", " 3 Bob"])
    table.send(.go(.number(2)))
    #expect(table.screen == [">5 Abe", " 3 Bob"] && table.state.notice?.text == "Row 2 is not shown.")
  }

  @Test func `changes by others and by the table get their place in the sorted view`() throws {
    var table = try table()
    table.send(.choose(.order("name")))
    try table.other { list in
      _ = try list.update(2) { $0.firstName = "Zoe" }
      try list.delete(4)
      _ = try list.insert(CustomerFields(name: "Bea"))
    }
    while table.session.hasWork { table.session.work() }
    #expect(table.rows.map(\.title) == ["Abe", "Bea", "Bob", "Cid", "Zoe"])
    table.send(.add(.last), .form(.text(.insert("Bo"))), .form(.save))
    #expect(table.rows.map(\.title) == ["Abe", "Bea", "Bo", "Bob", "Cid", "Zoe"])
    #expect(table.state.current?.name == "Bo")
    table.send(.undo)
    #expect(table.rows.map(\.title) == ["Abe", "Bea", "Bob", "Cid", "Zoe"])
    try table.other { list in for id in [1, 2, 3, 5, 6] { try list.delete(CustomerID(rawValue: Int64(id))) } }
    #expect(table.state.sorting == nil && table.rows.isEmpty)
  }

  @Test func `a search goes through the sorted rows, and only matches are sorted, too`() throws {
    var table = try table()
    table.send(
      .choose(.order("-name")), .search, .searchText(.insert("row")), .acceptSearch)
    #expect(table.state.search?.hits.count == 4)
    var seen: [String] = []
    for _ in 0..<4 {
      table.send(.nextHit)
      seen.append("\(table.state.hitNumber ?? 0) \(table.state.current?.name ?? "")")
    }
    #expect(seen.sorted() == ["1 Dora", "2 Cid", "3 Ann", "4 Abe"] && Set(seen).count == 4)
    table.send(.filter)
    #expect(table.rows.map(\.title) == ["Dora", "Cid", "Ann", "Abe"])
    table.send(.escape)
    #expect(table.rows.map(\.title) == ["Dora", "Cid", "Bob", "Ann", "Abe"])
  }

  @Test func `a long list is sorted as the library sorts it`() throws {
    var table = try TestTable(.generated(6_000, sections: 3))
    table.send(.choose(.order("-company,-name")))
    let order = SortOrder(by: [.field(.company), .name], isDescending: true)
    let expected = try table.store.read { list in
      order.sorted(try list.customers(matching: RowFilter())).map(\.id)
    }
    let rows = ShownRows.sorted(try #require(table.state.sorting?.rows))
    #expect(rows.ids(0..<6_000) == expected)
    #expect(expected.indices.allSatisfy { rows.index(of: expected[$0], row: 0) == $0 })
    #expect(rows.index(of: 6_001, row: 0) == nil && rows.index(of: 0, row: 0) == nil)
  }

  @Test func `columns have the names of list, exact before folded`() throws {
    var table = try table()
    table.send(.choose(.columns("city, Company,position,section_title")))
    #expect(
      table.state.columns == [.field(.extra("City")), .field(.company), .position, .sectionTitle])
    #expect(table.rows.first?.subtitle == "row 10 · 1 · Customers")
    for (names, notice) in [
      ("Citty", "There is no field \"Citty\"; did you mean City?"),
      ("city,City", "\"City\" was given twice."),
      ("zzz", "There is no field \"zzz\"."),
    ] {
      table.send(.choose(.columns(names)))
      #expect(table.state.notice?.text == notice && table.state.columns?.count == 4)
      table.send(.choose(.order(names)))
      #expect(table.state.notice?.text == notice && table.state.sorting == nil)
    }
    try table.other { list in _ = try list.update(1) { $0[.extra("city")] = "x" } }
    table.send(.choose(.columns("city")))
    #expect(table.state.columns == [.field(.extra("city"))])
    table.send(.choose(.columns("CITY")))
    #expect(table.state.notice?.text.contains("City") == true && table.state.columns?.count == 1)
    table.send(.choose(.columns(" ")))
    #expect(table.state.columns == nil && table.rows.first?.subtitle == nil)
  }

  @Test func `what a search finds in a field that is not shown is shown`() throws {
    var table = try table()
    table.send(.search, .searchText(.insert("row 1")))
    #expect(table.row("Cid")?.subtitle == "City: row 10" && table.row("Bob")?.subtitle == nil)
    table.send(.searchText(.replace("City<\"row 3\"")))
    #expect(table.row("Ann")?.subtitle == "City: row 2")
    table.send(.choose(.columns("City")), .escape, .choose(.columns("City")))
    #expect(table.row("Ann")?.subtitle == "row 2")
    table.send(.search, .searchText(.insert("row")))
    #expect(table.row("Ann")?.subtitle == "row 2")
  }
}
