import CustomerFixtures
import CustomerStore
import CustomerTable
@testable import CustomersTerminal
import CustomersTestSupport
import Testing

/// Columns on a wide screen.
@Suite(.onThreads) struct ColumnTests {
  /// Customers in every script, with an extra column.
  private func face(columns: Int = 120) throws -> TestFace {
    let store = try CustomerStore.screens()
    try store.write { list in
      for (id, city) in [(1, "Köln"), (3, "London"), (4, "東京"), (6, "تهران"), (9, "🐙 Paris")] {
        _ = try list.update(CustomerID(rawValue: Int64(id))) { $0[.extra("City")] = .text(city) }
      }
      _ = try list.update(2) { $0[.extra("Visits")] = .json("12") }
      _ = try list.update(3) { $0[.extra("Visits")] = .json("7") }
      try list.forgetHistory()
    }
    return TestFace(store, columns: columns, rows: 24)
  }

  /// The screen column where a string starts in a row.
  private func column(of text: String, in row: Int, _ face: TestFace) -> Int? {
    let cells = face.screen.row(row).map(\.text)
    return cells.indices.first { cells[$0...].joined().hasPrefix(text) }.map { $0 - cells.startIndex }
  }

  private func choose(_ names: String, _ face: inout TestFace) {
    face.press("c Ctrl-U")
    face.type(names)
    face.press("Enter")
  }

  @Test func `the usual columns are there from 100 columns on, chosen ones from 60`() throws {
    for (width, isWide, isWideIfChosen) in [
      (59, false, false), (60, false, true), (99, false, true), (100, true, true), (200, true, true),
    ] {
      var face = try face(columns: width)
      #expect(face.lines[1].contains("Row  Name") == isWide, "\(width)")
      #expect(face.lines[1].contains("E-mail") == isWide)
      choose("City", &face)
      #expect(face.lines[1].contains("Row  Name") == isWideIfChosen, "\(width)")
      #expect(face.lines.contains { $0.contains("London") })
      choose("", &face)
      #expect(face.lines[1].contains("Row  Name") == isWide, "\(width)")
    }
  }

  @Test func `cells of every script start at the same column, and no line is too long`() throws {
    for width in [60, 80, 100, 120, 200] {
      var face = try face(columns: width)
      choose("City,company", &face)
      let start = try #require(column(of: "City", in: 1, face))
      var seen = 0
      for row in 2..<22 {
        for city in ["Köln", "London", "東京", "تهران", "🐙 Paris"] where face.lines[row].contains(city) {
          #expect(column(of: city, in: row, face) == start, "\(width) \(city)")
          seen += 1
        }
      }
      #expect(seen == 5, "\(width)")
    }
  }

  @Test func `numbers are aligned on the right, below their title`() throws {
    var face = try face()
    choose("visits,city", &face)
    let end = try #require(column(of: "Visits", in: 1, face)) + 6
    #expect(column(of: "12", in: 5, face) == end - 2 && column(of: "7", in: 6, face) == end - 1)
  }

  @Test func `signs at the end of a row cover no cell`() throws {
    var face = try face()
    choose("City", &face)
    try face.other { list in
      for id in [1, 7] {
        _ = try list.update(CustomerID(rawValue: Int64(id))) {
          $0[.extra("City")] = .text(String(repeating: "x", count: 300))
        }
      }
    }
    for name in ["Elizabeth", "Ann Lee"] {
      let line = try #require(face.lines.first { $0.contains(name) })
      #expect(!line.contains("x★") && !line.contains("…★"), "\(line)")
    }
    face.press("E")
    #expect(face.lines.first { $0.contains("Elizabeth") }?.hasSuffix(" ★ ≡") == true)
  }

  @Test func `a column that does not fit is omitted with a sign`() throws {
    var face = try face(columns: 60)
    choose("company,email,phone,address,note,City,is_favorite,section_title", &face)
    #expect(face.lines[1].hasSuffix("…") && face.lines[1].contains("Comp"))
    face.face.resize(columns: 200, rows: 24)
    #expect(!face.lines[1].hasSuffix("…") && face.lines[1].contains("Section title"))
  }

  @Test func `a click on a title sorts, reverses, and shows the list again`() throws {
    var face = try face()
    face.click(10, 1)
    #expect(face.lines[0].contains("Customers by Name ↑") && face.lines[1].contains("Name ↑"))
    #expect(face.lines[2].hasPrefix("   7  Ann Lee"))
    face.click(10, 1)
    #expect(face.lines[0].contains("Customers by Name ↓") && face.lines[2].hasPrefix("   4  山田 太郎"))
    face.click(10, 1)
    #expect(!face.lines[0].contains("by Name") && face.lines[3].contains("Customers"))
    try face.click("E-mail")
    try face.click("Row")
    #expect(!face.lines[0].contains("by E-mail"))
    choose("section_title", &face)
    try face.click("Section title")
    #expect(face.lines[22] == " Rows can't be sorted by Section title.")
  }

  @Test func `s sorts by the typed fields, S reverses, and Esc shows the list again`() throws {
    for width in [40, 80, 120] {
      var face = try face(columns: width)
      let list = face.lines
      face.press("s")
      #expect(face.lines[22].hasPrefix("sort by (such as company,name):"))
      face.type("city")
      face.press("Enter")
      #expect(face.lines[0].contains("by City ↑"), "\(face.lines[0])")
      #expect(face.state.rows == [1, 3, 9, 6, 4, 2, 5, 7, 8] || face.state.rows.count == 9)
      face.press("S")
      #expect(face.lines[0].contains("by City ↓"))
      face.press("J")
      #expect(face.lines[22].hasPrefix(" The rows are sorted"))
      face.press("Esc")
      #expect(Array(face.lines.prefix(20)) == Array(list.prefix(20)))
    }
  }

  @Test func `a wrong name leaves the columns as they are and says which one would fit`() throws {
    var face = try face()
    choose("Citty", &face)
    #expect(face.lines[22] == " There is no field \"Citty\"; did you mean City?")
    #expect(face.lines[1].contains("E-mail"))
    face.press("c Esc")
    #expect(face.lines[1].contains("E-mail"))
  }

  @Test(arguments: [
    ("c", "columns: ", "list --fields "), ("s", "sort by (such as company,name): ", "list --sort "),
  ])
  func `a line for columns lists them, and Tab completes a name`(key: String, sign: String, start: String)
    throws
  {
    var face = try face(columns: 60)
    func asked() -> [String] {
      face.requests.compactMap { if case .complete(let line) = $0 { line } else { nil } }
    }
    face.press(key)
    #expect(asked() == [start])
    face.face.completed(start, (1...12).map { "column\($0)" })
    #expect(face.lines[20] == " column1  column2  column3  column4  column5  column6")
    #expect(face.lines[21].hasPrefix(" column7  column8  column9  column10"))
    face.press("Ctrl-U")
    face.type("name,comp")
    face.press("Tab")
    #expect(asked().last == start + "name,comp")
    face.face.completed(start + "name,company ", [])
    #expect(face.lines[22] == sign + "name,company" && face.lines[20].hasPrefix(" column1"))
    face.press("Esc")
    #expect(!face.lines.contains { $0.contains("column1") })
  }

  @Test func `the columns that were chosen become a setting of the list`() throws {
    var face = try face()
    func commands() -> [String] {
      face.requests.compactMap { if case .command(let line, _, _) = $0 { line } else { nil } }
    }
    choose("name,City", &face)
    #expect(commands() == ["config columns -- 'name,City'"])
    choose("Citty", &face)
    #expect(commands().count == 1)
    choose("", &face)
    #expect(commands().last == "config columns -- ''")
  }

  @Test func `the order that was chosen becomes a setting of the list`() throws {
    var face = try face()
    func commands() -> [String] {
      face.requests.compactMap { if case .command(let line, _, _) = $0 { line } else { nil } }
    }
    face.press("s")
    face.type("City,-name")
    face.press("Enter S")
    #expect(commands() == ["config sort -- 'City,-name'", "config sort -- '-City,name'"])
    face.press("s")
    #expect(face.lines[22].hasSuffix(" -City,name"))
    face.press("Ctrl-U Enter")
    #expect(commands().last == "config sort -- ''" && face.state.sorting == nil)
  }

  @Test func `a search shows the field in which it has found something`() throws {
    var face = try face()
    face.press("/")
    face.type("london")
    #expect(face.lines[1].contains("Found") && face.lines[6].contains("City: London"))
    face.press("Enter")
    choose("City", &face)
    #expect(!face.lines[1].contains("Found") && face.lines[6].contains("London"))
    face.face.resize(columns: 40, rows: 24)
    #expect(face.lines.contains { $0.hasSuffix("London") })
  }

  @Test(arguments: [40, 80, 120])
  func `of a long text the part with the match is shown`(width: Int) throws {
    var face = try face(columns: width)
    try face.other { list in
      _ = try list.update(8) { $0.note = String(repeating: "and so on ", count: 30) + "until Whitsun" }
    }
    #expect(!face.lines.contains { $0.contains("Whitsun") })
    face.press("/")
    face.type("whit")
    let row = try #require(face.lines.firstIndex { $0.contains("Whitsun") }, "\(face.lines)")
    let start = try #require(column(of: "Whit", in: row, face))
    let cells = face.screen.row(row)
    #expect(cells[cells.startIndex + start].style.attributes.contains(.underline))
  }
}

extension TableState {
  /// The ids of the rows on the screen.
  fileprivate var rows: [CustomerID] {
    lines.compactMap { if case .row(let row) = $0 { row.customer.id } else { nil } }
  }
}
