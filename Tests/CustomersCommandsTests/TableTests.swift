@testable import CustomersCommands
import CustomersText
import CustomersTestSupport
import Testing

/// Tables for people: their columns, widths, and cut strings.
@Suite(.onThreads) struct TableTests {
  private static let columns = [
    TableColumn(title: "Row", importance: .fixed), TableColumn(title: "Name", importance: .name),
    TableColumn(title: "Phone", importance: .contact, isOptional: true),
    TableColumn(title: "Note", isOptional: true),
  ]

  private func row(_ number: Int, _ name: String, _ phone: String, _ note: String) -> [TableCell] {
    [TableCell(number), TableCell(name), TableCell(phone), TableCell(note)]
  }

  private func layout(_ rows: [[TableCell]], areAll: Bool = true, _ lineWidth: Int? = nil) -> ColumnLayout {
    ColumnLayout(TableTests.columns, rows: rows, areAll: areAll, lineWidth: lineWidth)
  }

  private func shown(_ rows: [[TableCell]], _ lineWidth: Int?) -> String {
    let table = TextTable(layout: layout(rows, lineWidth))
    var bytes: [UInt8] = []
    table.begin(&bytes)
    for cells in rows { table.row(cells, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the lines that a writer prints for these rows.
  private func written(_ rows: [[TableCell]], lineWidth: Int? = nil) throws -> [String] {
    let text = try CLISandbox().written { output in
      let writer = TableWriter(output, TableTests.columns, lineWidth: lineWidth) { TextTable(layout: $0) }
      for cells in rows { try writer.row(cells) }
      try writer.end()
    }
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `columns are as wide as their strings, numbers on the right`() {
    let rows = [row(1, "Zoë", "1", "first"), row(12345, "山田", "", ""), row(3, "e\u{301}", "22", "")]
    #expect(
      shown(rows, nil) == """
          Row  Name  Phone  Note
            1  Zoë   1      first
        12345  山田
            3  e\u{301}     22

        """)
  }

  @Test func `an empty column is omitted, if no other rows will come`() {
    let rows = [row(1, "A", "", ""), row(2, "B", "", "x")]
    #expect(layout(rows).columns.map(\.title) == ["Row", "Name", "Note"])
    #expect(layout(rows, areAll: false).columns.map(\.title) == ["Row", "Name", "Phone", "Note"])
    #expect(layout([]).columns.map(\.title) == ["Row", "Name"])
  }

  @Test func `notes are cut first, then phones, names last of all`() {
    let rows = [row(1, "Elizabeth Bennet", "+49 30 12345678", "walks everywhere")]
    func widths(_ lineWidth: Int) -> [Int] { layout(rows, lineWidth).columns.map(\.width) }
    #expect(widths(60) == [3, 16, 15, 16])
    #expect(widths(50) == [3, 16, 15, 10])
    #expect(widths(46) == [3, 16, 15, 6])
    #expect(widths(42) == [3, 16, 11, 6])
    // A note is omitted if there is no room for its beginning.
    #expect(widths(36) == [3, 16, 13] && widths(29) == [3, 16, 6])
    #expect(widths(25) == [3, 12, 6] && widths(10) == [3, 5])
  }

  @Test func `the widest of equals is cut`() {
    let columns = ["A", "B", "C"].map { TableColumn(title: $0) }
    let rows = [
      [
        TableCell(String(repeating: "a", count: 30)), TableCell("bb"),
        TableCell(String(repeating: "c", count: 20)),
      ]
    ]
    let layout = ColumnLayout(columns, rows: rows, areAll: true, lineWidth: 34)
    #expect(layout.columns.map(\.width) == [14, 2, 14])
  }

  @Test(arguments: 1...60)
  func `no line is wider than the terminal`(lineWidth: Int) {
    let rows = [row(1, "Elizabeth Bennet", "+49 30 12345678", "山田商店山田商店"), row(23, "明 山田", "", "👩‍👩‍👧\u{1b}")]
    for line in shown(rows, lineWidth).split(separator: "\n") {
      #expect(displayWidth(String(line)) <= lineWidth && !line.hasSuffix(" "), "\(line)")
    }
  }

  @Test func `the first rows decide, and a longer text of a later one moves the rest of its line`() throws {
    let rows =
      (1...TableWriter.decisiveRows).map { row($0, "Ann", "1", "") } + [row(1001, "Elizabeth", "2", "x")]
    let lines = try written(rows)
    #expect(lines[0] == " Row  Name  Phone  Note" && lines[1000] == "1000  Ann   1")
    #expect(lines[1001] == "1001  Elizabeth  2      x")
    let cut = try written(rows, lineWidth: 80)
    #expect(cut[1001] == "1001  Eli…  2      x")
  }

  @Test func `rows are written as soon as enough are known`() throws {
    let text = try CLISandbox().written { output in
      let writer = TableWriter(output, TableTests.columns, lineWidth: nil) { TextTable(layout: $0) }
      for number in 1...TableWriter.decisiveRows { try writer.row(row(number, "A", "", "")) }
    }
    #expect(text.split(separator: "\n").count == TableWriter.decisiveRows + 1)
    let long = try CLISandbox().written { output in
      let writer = TableWriter(output, TableTests.columns, lineWidth: nil) { TextTable(layout: $0) }
      try writer.row(row(1, String(repeating: "A", count: 1_000_000), "", ""))
    }
    #expect(long.utf8.count > 1_000_000)
  }

  @Test func `favorites have a star, protected rows a lock, and nameless customers a placeholder`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite(
      "UPDATE customers SET is_favorite = id < 3, first_name = replace(first_name, 'D', ''); "
        + "UPDATE customers SET can_move = 0 WHERE id = 2; UPDATE customers SET can_edit = 0 WHERE id = 3;")
    #expect(
      try sandbox.run("list", "--section", "1")
        == .done(
          """
          Row  Id       Name
          Customers
            1  @1  ★    A
            2  @2  ★🔒  B
            3  @3  🔒   C
            4  @4       (no name)
          """))
  }

  @Test func `markdown has a table for each section, and all text is escaped`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("edit", "1", "--note", "a|b\n<i> & *c* \\ `d`", "-q") == .done())
    #expect(
      try sandbox.run("list", "--format", "markdown")
        == .done(
          """
          ## Customers

          | Row | Id | Name | Note |
          | --: | --- | --- | --- |
          | 1 | @1 | A | a\\|b<br>&lt;i&gt; &amp; \\*c\\* \\\\ \\`d\\` |
          | 2 | @2 | B |  |
          | 3 | @3 | C |  |
          | 4 | @4 | D |  |

          ## More

          | Row | Id | Name | Note |
          | --: | --- | --- | --- |
          | 5 | @5 | X |  |
          | 6 | @6 | Y |  |
          """))
    let exported = try sandbox.run("export", "-", "--format", "markdown").output.split(separator: "\n")
    #expect(
      exported[0].hasPrefix("| first\\_name | last\\_name | company |")
        && exported[1].hasPrefix("| --- | --- |"))
    #expect(exported[2].hasPrefix("| A |  |") && exported.count == 8)
  }

  @Test func `on a terminal an empty list explains how to begin`() throws {
    let sandbox = try CLISandbox()
    let usual = CLISandbox.usualPlace
    let empty = try sandbox.run(words: ["list"], environment: usual, screen: Screen())
    #expect(empty.output.isEmpty && empty.errors.contains("customers import FILE") && empty.code == 0)
    for words in [["list", "-q"], ["list", "--json"], ["list", "--format", "csv"]] {
      #expect(try sandbox.run(words: words, environment: usual, screen: Screen()).errors.isEmpty)
    }
    #expect(try sandbox.run("list", environment: usual) == .done())
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
    #expect(try sandbox.run(words: ["list", "--limit", "0"], screen: Screen()).errors.isEmpty)
  }
}
