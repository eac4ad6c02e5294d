import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Testing

/// The statements about what an app draws of rows, buttons, and forms: here its values, in `CustomersTerminalTests` their
/// picture.
@Suite(.onThreads) struct ShownRowTests {
  private static let people = SampleList(sections: [
    .init(customers: [
      CustomerFields(firstName: "Ann", note: "tea"), CustomerFields(firstName: "Bob"),
      CustomerFields(firstName: "Cid", company: "Nautilus"),
    ])
  ])

  @Test func `a row that was asked about has a button; a no takes it away, a yes the row (S2.10)`() throws {
    var table = try TestTable(Self.people)
    let before = table.rows
    table.send(.askToDelete(2))
    #expect(table.row("Bob")?.deleteTitle == "Delete" && table.rows.count { $0.isDimmed } == 2)
    table.send(.dismiss)
    #expect(table.rows == before)
    table.send(.askToDelete(2), .confirm)
    #expect(table.rows.map(\.title) == ["Ann", "Cid"] && table.rows.allSatisfy { !$0.isDimmed })
  }

  @Test func `a subtitle is that of the policy, and nil rather than empty (S3.23)`() throws {
    #expect(try TestTable(Self.people).rows.map(\.subtitle) == ["tea", nil, nil])
    var policy = EditingPolicy()
    policy.subtitle = { $0.fields.company }
    #expect(try TestTable(Self.people, policy: policy).rows.map(\.subtitle) == [nil, nil, "Nautilus"])
  }

  @Test func `a row at the place of another has nothing of it (S3.24, S5.45)`() throws {
    var table = try TestTable(Self.people)
    table.send(.go(.first), .mark, .toggleFavorite, .askToDelete(1), .confirm)
    table.send(.escape)
    var fresh = TestTable(table.store)
    fresh.send(.go(.first))
    #expect(table.rows.map(\.title) == ["Bob", "Cid"] && table.rows == fresh.rows)
  }

  @Test func `one event turns edit mode on and off again (S5.21)`() throws {
    var table = try TestTable(Self.people)
    for isEditing in [true, false, true, false] {
      table.send(.setEditing(!table.state.isEditing))
      #expect(table.state.isEditing == isEditing)
      #expect(table.rows.allSatisfy { ($0.control == .delete) == isEditing && $0.hasHandle == isEditing })
    }
  }

  @Test func `the row that adds takes one line, a customer one or two (S5.47)`() throws {
    var policy = EditingPolicy()
    policy.emptyNoteHint = ""
    var table = try TestTable(Self.people, policy: policy)
    table.send(.resize(20, heights: LineHeights(header: 2, subtitle: 1)), .setEditing(true))
    let heights = (0..<5).compactMap { table.state.layout[$0].map(table.state.height) }
    let lines = table.state.lines.map { line in
      switch line {
      case .row(let row): row.subtitle == nil ? 1 : 2
      case .header: 2
      case .add, .footer, .loading: 1
      }
    }
    #expect(heights == [2, 2, 1, 1, 1] && lines == heights)
  }

  @Test func `after a resize the same row has the cursor, and is among the lines (S5.48)`() throws {
    var table = try TestTable(
      SampleList(sections: [.init(customers: (1...200).map { CustomerFields(name: "\($0)") })]))
    table.send(.go(.number(120)))
    for height in [3, 50, 1, 20, 7] {
      table.send(.resize(height))
      #expect(table.rows.filter(\.isCursor).map(\.number) == [120], "\(height)")
      #expect(table.state.lines.count <= height)
    }
  }

  @Test func `labels and the strings of buttons change what is drawn, not what is saved (S4.22, S4.28)`()
    throws
  {
    var policy = EditingPolicy()
    policy.form.showsLabels = false
    (policy.form.saveTitle, policy.form.cancelTitle, policy.form.deleteTitle) = ("Keep", "Back", "Remove")
    var (other, usual) = (try TestTable(Self.people, policy: policy), try TestTable(Self.people))
    for event in [TableEvent.open, .form(.text(.insert("a"))), .form(.next)] {
      other.send(event)
      usual.send(event)
    }
    let (form, plain) = (try #require(other.form), try #require(usual.form))
    #expect(!form.options.showsLabels && plain.options.showsLabels)
    #expect(
      [form.options.saveTitle, form.options.cancelTitle, form.options.deleteTitle] == [
        "Keep", "Back", "Remove",
      ])
    #expect(form.edited == plain.edited && form.fields.map(\.id) == plain.fields.map(\.id))
    other.send(.form(.save))
    usual.send(.form(.save))
    #expect(try other.list == usual.list && other.list == "Customers: Anna, Bob, Cid")
  }
}
