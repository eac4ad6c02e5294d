import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Who is due, and what `log` and `done` do.
@Suite(.onThreads) struct DueTests {
  private static let today = CalendarDay("2026-11-26") ?? .today

  /// A customer of the model.
  private struct Row {
    var id: CustomerID
    var next = ""
    var lines = 0

    var isDue: Bool {
      ["2026-11-25", "2026-11-26", "0001-01-01"].contains(next)
        || !["2026-11-27", "9999-12-31"].contains(next) && lines == 0
    }
  }

  private static let dates = [
    "", "", "2026-11-25", "2026-11-26", "2026-11-27", "0001-01-01", "9999-12-31", "soon", "2026-02-30",
    "20.11.2026",
  ]

  private static func state(_ list: borrowing CustomerList) throws -> [SectionID: [CustomerID]] {
    Dictionary(uniqueKeysWithValues: try list.sectionsWithRows().map { ($0.section.id, $0.rows.map(\.id)) })
  }

  /// A list and its model.
  private static func make(
    _ count: Int, _ generator: inout SplitMix64
  ) throws -> (store: CustomerStore, rows: [[Row]]) {
    let store = try CustomerStore.inMemory("One: A | Two: B | Three: C")
    var rows = [[Row(id: 1)], [Row(id: 2)], [Row(id: 3)]]
    try store.write { list in
      for _ in 0..<count {
        let section = generator.below(3)
        let id = try list.insert(
          CustomerFields(name: "N\(generator.below(5))"), in: SectionID(rawValue: Int64(section + 1))
        ).id
        rows[section].append(Row(id: id))
      }
      for section in rows.indices {
        for index in rows[section].indices {
          let date = Self.dates[generator.below(Self.dates.count)]
          rows[section][index].next = date
          let id = rows[section][index].id
          try list.update(id) { $0.next = date }
          for _ in 0..<generator.below(3) {
            let line = try list.addLine("x", to: id)
            // A deleted line is none.
            if generator.oneIn(3) { try list.deleteLine(line.id) } else { rows[section][index].lines += 1 }
          }
        }
      }
    }
    return (store, rows)
  }

  @Test(arguments: 1...20) func `who is due is as in the model`(seed: Int) throws {
    var generator = SplitMix64(seed: seed)
    let (store, rows) = try Self.make(generator.below(60), &generator)
    var filter = RowFilter()
    filter.due = Self.today
    let due = rows.joined().filter(\.isDue).map(\.id)
    try store.read { list in
      #expect(try list.customers(matching: filter).map(\.id) == due)
      #expect(try list.count(ListedRows(filter)) == due.count)
      #expect(try list.firstDue(on: Self.today, matching: RowFilter()).customer?.id == due.first)
      for (index, rows) in rows.enumerated() {
        let section = RowFilter(section: SectionID(rawValue: Int64(index + 1)))
        let due = rows.filter(\.isDue).map(\.id)
        #expect(try list.firstDue(on: Self.today, matching: section).customer?.id == due.first)
        filter.section = section.section
        #expect(try list.customers(matching: filter).map(\.id) == due)
        #expect(try list.count(ListedRows(filter)) == due.count)
      }
      let named = try RowFilter([FilterExpression("name=N3")], today: Self.today, in: list)
      let names = try list.customers(matching: named).map(\.id)
      let first = try list.firstDue(on: Self.today, matching: named)
      #expect(first.customer?.id == due.first(where: names.contains))
    }
  }

  @Test func `the first one is found far down, and no one if no one is due`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      var fields = CustomerFields(name: "N")
      fields.next = "2027-01-01"
      try list.insert(contentsOf: Array(repeating: fields, count: 600))
    }
    func first() throws -> CustomerID? {
      try store.read { try $0.firstDue(on: Self.today, matching: RowFilter()).customer?.id }
    }
    #expect(try first() == nil)
    for id: CustomerID in [600, 400, 257, 256, 255, 1] {
      try store.write { _ = try $0.update(id) { $0.next = "2026-11-26" } }
      #expect(try first() == id)
    }
    #expect(try store.read { try $0.rowsRead(toFirstDueOn: Self.today, matching: RowFilter()) } == 0)
  }

  @Test(arguments: 1...20) func `done moves rows to the ends of their sections, in their order`(seed: Int)
    throws
  {
    var generator = SplitMix64(seed: seed)
    let (store, rows) = try Self.make(20, &generator)
    let all = rows.joined().map(\.id).shuffled(using: &generator)
    let some = Array(all.prefix(1 + generator.below(8)))
    let before = try store.read { list in (try Self.state(list), try list.customers(all)) }
    try store.write { _ = try $0.apply(.done(some, "sold")) }
    try store.read { list in
      let after = try Self.state(list)
      for (section, ids) in before.0 {
        #expect(after[section] == ids.filter { !some.contains($0) } + ids.filter(some.contains))
      }
      for id in some {
        #expect(try list.customer(id).fields.next == "")
        #expect(try list.log(of: id, limit: 1).map(\.text) == ["sold"])
      }
      for id in all where !some.contains(id) {
        let fields = try list.customer(id).fields
        #expect(fields == before.1[id]?.fields)
      }
    }
    // It is one step.
    try store.write { _ = try $0.undo() }
    let restored = try store.read { list in (try Self.state(list), try list.customers(all)) }
    #expect(restored.0 == before.0 && restored.1 == before.1)
  }

  @Test func `log leaves the date unless one is given, and moves`() throws {
    let store = try CustomerStore.inMemory("One: A, B, C | Two: D")
    try store.write { list in
      try list.update(1) { $0.next = "2026-12-01" }
      try list.apply(.log([1, 3], "x"))
      #expect(try [1, 3].map { try list.customer($0).fields.next } == ["2026-12-01", ""])
      try list.apply(.log([1, 3], "y", next: "2026-12-24", to: .first, in: 2))
      #expect(try list.customer(3).fields.next == "2026-12-24")
      #expect(try Self.state(list) == [1: [2], 2: [1, 3, 4]])
      try list.apply(.log([1], "z", next: ""))
      #expect(try list.customer(1).fields.next == "")
      #expect(try list.log(of: 1).map(\.text) == ["z", "y", "x"])
      #expect(throws: KindError.self) { try list.apply(.log([1], "z", next: "soon")) }
      #expect(throws: ListError.duplicateID(1)) { try list.apply(.log([1, 1], "z")) }
    }
  }

  @Test(arguments: [
    (ListEdit.log([2, 1], "x"), false, ListError.editForbidden(1)),
    (.log([1], "x", to: .last), true, .moveForbidden(1)), (.done([2, 1]), false, .editForbidden(1)),
    (.done([2, 1]), true, .moveForbidden(1)),
    // One that is at the end already is refused, too.
    (.done([1]), true, .moveForbidden(1)),
  ]) func `a protected row refuses all`(edit: ListEdit, mayEdit: Bool, error: ListError) throws {
    let store = try CustomerStore.inMemory("One: A, B")
    try store.write { list in
      if case .done([1], _) = edit { try list.move(1, to: .last) }
      try list.protect(1, canEdit: mayEdit, canMove: !mayEdit)
      let before = try list.lastEdit()
      #expect(throws: error) { try list.apply(edit) }
      #expect(try list.lastEdit() == before)
    }
  }
}
