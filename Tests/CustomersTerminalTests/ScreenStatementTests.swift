import CustomerFixtures
import CustomerStore
import CustomerTable
@testable import CustomersTerminal
import Testing
import CustomersTestSupport

/// The statements about the visible screen, checked on drawn frames.
@Suite(.onThreads) struct ScreenStatementTests {
  @Test func `cancel draws the row without its button, and delete removes the row (S2.10)`() throws {
    var face = try TestFace("Ann, Bob")
    let before = face.screen
    face.press("d")
    #expect(face.lines[3].hasSuffix("[ Delete ]"))
    face.press("Esc")
    #expect(face.screen == before)
    face.press("d Enter")
    #expect(face.lines[3] == "   1  Bob" && face.lines[4] == "")
  }

  @Test func `a click on any cell of the button deletes, and elsewhere keeps the row (S2.18)`() throws {
    let probe = try TestFace("Ann, Bob")
    for row in 0..<24 {
      for column in stride(from: row % 7, to: 80, by: 7) {
        var face = TestFace(probe.store, policy: TableFace.policy())
        face.press("d")
        let isButton = face.face.picture().target(column: column, row: row) == .deleteButton
        #expect(isButton == (row == 3 && (69..<79).contains(column)))
        guard !isButton else { continue }
        face.click(column, row)
        #expect(face.state.confirmation == nil)
      }
    }
    #expect(try probe.list == "Customers: Ann, Bob")
    var face = TestFace(probe.store)
    face.press("d")
    face.click(69, 3)
    #expect(try face.list == "Customers: Bob")
  }

  @Test func `a subtitle appears beside or below the name, and only if it is not empty (S3.23)`() throws {
    for columns in [80, 40] {
      let face = TestFace(try CustomerStore.screens(), columns: columns, rows: 40)
      let lines = face.lines
      let bob = try #require(lines.firstIndex { $0.contains("Bob Ray") })
      #expect(lines[bob + 1].contains("met in person"))
      #expect(lines[bob].hasSuffix("🔒") && !lines[bob].contains("·"))
      let jo = try #require(lines.firstIndex { $0.contains("Jo March") })
      #expect(lines[jo].hasSuffix("Jo March") && lines[jo + 1].contains("Nemo"))
    }
  }

  @Test func `a row shows no remains of an earlier row (S3.24, S5.45)`() throws {
    var face = TestFace(try CustomerStore.screens(), rows: 10)
    let customers = try face.store.read { list in try ListContents(list) }.customers.values
    for keys in ["j", "G", "E", "d", "Esc", "v k k Esc", "J", "E", "g", "Space", "Esc", "G J"] {
      face.press(keys)
      for line in face.lines[1..<8] {
        let named = customers.filter { line.contains($0.name) }
        #expect(named.count <= 1)
        for other in customers where other.id != named.first?.id {
          for text in [other.fields.company, other.fields.email, other.fields.note] where !text.isEmpty {
            #expect(!line.contains(text), "\(keys): \(line)")
          }
        }
      }
    }
  }

  @Test func `Cancel is on the left, the title in the middle, Save on the right (S4.29)`() throws {
    var face = try TestFace("Ann Lee")
    face.press("Enter")
    let line = face.lines[0]
    #expect(line.hasPrefix(" [Cancel]") && line.hasSuffix("[Save]") && line.count == 79)
    let start = try #require(line.firstRange(of: "Ann Lee")).lowerBound
    #expect(abs(line.distance(from: line.startIndex, to: start) - 36) <= 1)
  }

  @Test func `a form that does not fit scrolls to the line with the focus (S4.34)`() throws {
    var policy = TableFace.policy()
    policy.form.fields += (1...12).map { CustomerField.extra("Column \($0)") }
    for rows in [8, 12, 24] {
      var face = try TestFace("Ann", rows: rows, policy: policy)
      face.press("Enter")
      for index in 0..<40 {
        let cursor = face.screen.cursor
        if case .field = face.state.form?.focus { #expect(cursor != nil, "\(rows) \(index)") }
        if face.state.form?.focus == .delete { #expect(face.lines.contains { $0.contains("[Delete]") }) }
        face.press("Tab")
      }
    }
  }

  @Test func `the key line says that Enter goes to the next field (S5.13)`() throws {
    var face = try TestFace("Ann")
    face.press("Enter")
    #expect(face.lines[23].hasPrefix(" Enter next field"))
  }

  @Test func `the first line shows the title of the list or the form (S5.18)`() throws {
    var face = try TestFace("Ann Lee")
    #expect(face.lines[0].contains("Customers"))
    face.press("Enter")
    #expect(face.lines[0].contains("Ann Lee") && !face.lines[0].contains("Customers"))
    face.press("Esc a")
    #expect(face.lines[0].contains("New customer"))
    face.press("Esc")
    #expect(face.lines[0].contains("Customers"))
  }

  @Test func `the way back is at the left of the form's title, and can be called after the list (S5.18)`()
    throws
  {
    for title in ["Cancel", "Customers"] {
      var policy = TableFace.policy()
      policy.form.cancelTitle = title
      var face = try TestFace("Ann Lee", policy: policy)
      let list = face.screen
      face.press("Enter")
      #expect(face.lines[0].hasPrefix(" [\(title)]"))
      face.type("x")
      try face.click("[\(title)]")
      try face.click("[\(title)]")
      #expect(face.screen == list)
      #expect(try face.list == "Customers: Ann Lee")
    }
  }

  @Test func `the Edit button toggles edit mode on each press (S5.21)`() throws {
    var face = try TestFace("Ann")
    for round in 0..<2 {
      try face.click("[Edit]")
      #expect(face.state.isEditing && face.lines[0].contains("[Done]") && !face.lines[0].contains("[Edit]"))
      #expect(face.lines.contains { $0.contains("(add new)") }, "\(round)")
      try face.click("[Done]")
      #expect(!face.state.isEditing && face.lines[0].contains("[Edit]"))
      #expect(!face.lines.contains { $0.contains("(add new)") }, "\(round)")
    }
    for isEditing in [true, false, true, false] {
      face.press("E")
      #expect(face.state.isEditing == isEditing)
    }
  }

  @Test func `the fields are the first group of the form, in their order and without a gap (S4.12)`() throws {
    var face = try TestFace("Ann Lee")
    face.press("Enter")
    let labels = try #require(face.state.form).fields.map(\.label)
    let first = try #require(face.lines.dropFirst().firstIndex { $0 != "" })
    for (row, label) in zip(first..., labels) {
      #expect(face.lines[row].hasPrefix("   \(label)"), "\(row)")
    }
    let end = first + labels.count
    #expect(face.lines[end] == "" && face.lines[end + 1] == "   [Delete]")
  }

  @Test func `sections of a form have their captions above them, placeholders in them, and marks (S5.50)`()
    throws
  {
    var policy = TableFace.policy()
    policy.form.sections = [
      FormSection("Name", fields: [.firstName]), FormSection("More", fields: [.company, .isFavorite]),
    ]
    policy.form.placeholders = [.company: "Enter company"]
    var face = try TestFace("", policy: policy)
    face.press("a")
    let first = try #require(face.lines.firstIndex { $0 == "   Name" })
    let shown = face.lines[first..<first + 5].map { $0.split(separator: " ").joined(separator: " ") }
    #expect(shown == ["Name", "First name", "More", "Company ‹Enter company›", "Favorite [ ]"])
    face.type("Ann")
    for key in ["Tab", "Tab", "Space", "Ctrl-S"] { face.press(key) }
    #expect(try face.store.read { try $0.customer(1).fields.isFavorite })
    #expect(try face.list == "Customers: Ann")
  }

  @Test func `a form without labels shows its values only, and saves the same fields (S4.22)`() throws {
    var policy = TableFace.policy()
    policy.form.showsLabels = false
    var face = try TestFace("Ann Lee", policy: policy)
    face.press("Enter")
    let labels = try #require(face.state.form).fields.map(\.label)
    let first = try #require(face.lines.firstIndex { $0 == "   Ann" })
    #expect(face.lines[first + 1] == "   Lee")
    for label in labels { #expect(!face.lines[first..<22].contains { $0.contains(label) }, "\(label)") }
    face.type("a")
    face.press("Ctrl-S")
    #expect(try face.list == "Customers: Anna Lee")
  }

  @Test func `the buttons of a form can have other strings, by which they are clicked (S4.28)`() throws {
    var policy = TableFace.policy()
    (policy.form.saveTitle, policy.form.cancelTitle, policy.form.deleteTitle) = ("Keep", "Back", "Remove")
    var face = try TestFace("Ann, Bob", policy: policy)
    face.press("Enter")
    #expect(face.lines[0].hasPrefix(" [Back]") && face.lines[0].hasSuffix("[Keep]"))
    for usual in ["[Save]", "[Cancel]", "[Delete]"] { #expect(!face.lines.contains { $0.contains(usual) }) }
    face.type("a")
    try face.click("[Keep]")
    #expect(try face.list == "Customers: Anna, Bob")
    face.press("Enter")
    face.type("x")
    try face.click("[Back]")
    face.press("y")
    #expect(try face.list == "Customers: Anna, Bob")
    face.press("Enter")
    try face.click("[Remove]")
    face.press("y")
    #expect(try face.list == "Customers: Bob")
  }

  @Test func `controls, handles, and signs have separate columns at any width (S5.46)`() throws {
    let names = SampleList(sections: [
      .init(customers: [
        CustomerFields(name: String(repeating: "long ", count: 30)),
        CustomerFields(name: String(repeating: "山", count: 60)),
      ])
    ])
    for columns in 20...100 {
      var face = try TestFace(names, columns: columns, rows: 10)
      face.press("E")
      for row in face.face.listRows where face.lines[row].contains("⊖") {
        #expect(face.screen[1, row].text == "⊖" && face.screen[columns - 2, row].text == "≡")
        #expect(face.screen[columns - 3, row].text == " " && face.screen[columns - 1, row].text == " ")
      }
      #expect(face.lines.count { $0.contains("≡") } == 2)
    }
  }

  @Test func `the add row takes one line, a customer one or two (S5.47)`() throws {
    var face = TestFace(try CustomerStore.screens(), columns: 40, rows: 40)
    face.press("E")
    let lines = face.lines
    let ann = try #require(lines.firstIndex { $0.contains("Ann Lee") })
    #expect(lines[ann + 1].contains("asked for") && lines[ann + 2].contains("Jo March"))
    #expect(lines[ann + 3].contains("Nemo") && lines[ann + 4].contains("Nautilus"))
    #expect(lines[ann + 5].contains("(add new)") && lines[ann + 6] == "")
  }

  @Test func `a resize updates the layout, and the cursor stays visible (S5.48)`() throws {
    var face = TestFace(try CustomerStore.screens())
    face.press("E j j Space")
    let before = face.screen
    for (columns, rows) in [(40, 12), (200, 60), (59, 24), (20, 5), (1, 1), (60, 24), (30, 8)] {
      face.face.resize(columns: columns, rows: rows)
      let screen = face.screen
      #expect((screen.columns, screen.rows) == (columns, rows))
      guard columns >= 20 else { continue }
      let cursor = try #require(face.lines.firstIndex { $0.contains("  4  山") }, "\(columns)×\(rows)")
      #expect(screen[10, cursor].style.attributes.contains(.reverse))
    }
    face.face.resize(columns: 80, rows: 24)
    #expect(face.screen == before)
  }
}
