import CustomersTestSupport
import Foundation
import Testing

/// `import` and `export` of xlsx, beside files that openpyxl reads and writes; `spreadsheets.py` says which.
@Suite(.onThreads) struct SpreadsheetTests {
  private static let script = URL(filePath: #filePath)
    .appending(path: "../../Spreadsheets/spreadsheets.py").standardizedFileURL.path

  /// The Python that has Debian's packages, whichever comes first in the path.
  private static let python = "/usr/bin/python3"

  /// A list in a folder with the files of a kind.
  private static func sandbox(_ kind: String) throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try #require(try sandbox.shell("\(python) '\(script)' \(kind) .") == .done(""))
    return sandbox
  }

  @Test(arguments: ["1900", "1904"])
  func `a file of another program keeps its values and their kinds`(_ epoch: String) throws {
    let sandbox = try Self.sandbox("write")
    try #require(try sandbox.run("import", "\(epoch).xlsx", "-q", "--map", "Zip=extra").code == 0)
    #expect(
      try sandbox.run("columns").output == """
        Due (3 customers): date
        Call (2 customers): time
        Amount (3 customers): number
        Paid (3 customers): yes/no
        Zip (3 customers): number
        At (2 customers)

        """)
    let template = "{name}|{phone}|{Due}|{Call}|{Amount}|{Paid}|{Zip}|{At}|{note}\\n"
    #expect(
      try sandbox.run("list", "--template", template).output
        == """
        Ann Lee|0301234|2026-12-24|2026-12-24T17:30:00|1.234|yes|10115|09:05:00|a
        b\t_x0041_ & <c>
        Bob|+49 30|\(epoch)-01-05|1904-01-02T00:00:01|2.345|no|10117|23:59:30|plain
        =evil()||9999-12-31||0.3|yes|10119||

        """.replacing("_x0041_", with: "A"))
  }

  @Test func `digits that a format shows before a number are kept`() throws {
    let sandbox = try CLISandbox()
    let script = """
      import openpyxl
      book = openpyxl.Workbook()
      sheet = book.active
      for row in [["Name", "PLZ", "Nr", "Amount"], ["Ann", 1099, 42, 7], ["Bob", 10115, -1, 8]]: sheet.append(row)
      for cells in sheet.iter_rows(min_row=2, min_col=2):
        for cell, form in zip(cells, ["00000", "0" * 6, "0"]): cell.number_format = form
      book.save("a.xlsx")
      """
    try sandbox.write(script, to: "a.py")
    try #require(try sandbox.shell("\(Self.python) a.py") == .done(""))
    #expect(try sandbox.run("import", "a.xlsx", "-q", "--map", "PLZ=extra").code == 0)
    #expect(
      try sandbox.run("list", "--template", "{PLZ}|{Nr}|{Amount}\\n").output
        == "01099|000042|7\n10115|-1|8\n")
  }

  @Test func `in a column of text, a day has a time only if some day has one`() throws {
    let sandbox = try CLISandbox()
    let script = """
      import datetime, openpyxl
      book = openpyxl.Workbook()
      day, hour = datetime.datetime(2026, 11, 28), datetime.datetime(2026, 11, 29, 10, 30)
      rows = [["Name", "Days", "Times", "Moments", "Date"], ["Ann", day, day, day, day.date()],
        ["Bob", "soon", "soon", hour, "soon"], ["Cid", day, hour, day, day.date()]]
      for row in rows: book.active.append(row)
      book.save("a.xlsx")
      """
    try sandbox.write(script, to: "a.py")
    try #require(try sandbox.shell("\(Self.python) a.py") == .done(""))
    #expect(try sandbox.run("import", "a.xlsx", "-q").code == 0)
    #expect(
      try sandbox.run("list", "--template", "{Days}|{Times}|{Moments}|{Date}\\n").output == """
        2026-11-28|2026-11-28T00:00:00|2026-11-28T00:00:00|2026-11-28
        soon|soon|2026-11-29T10:30:00|soon
        2026-11-28|2026-11-29T10:30:00|2026-11-28T00:00:00|2026-11-28

        """)
    #expect(try sandbox.run("columns").output.contains("Moments (3 customers): time\n"))
  }

  @Test func `a time with a part of a second comes back as it was`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("columns", "add", "Call", "--kind", "time", "-q") == .done())
    let times = ["2026-11-20T10:00:59.999", "2026-11-20T10:00:59.5", "2026-11-20T10:00:59"]
    for (row, time) in times.enumerated() {
      #expect(try sandbox.run("edit", "\(row + 1)", "--set", "Call=\(time)", "-q") == .done())
    }
    #expect(try sandbox.run("export", "out.xlsx", "-q") == .done())
    #expect(try sandbox.run("--db", "new.db", "import", "out.xlsx", "-q").code == 0)
    let shown = try sandbox.run("--db", "new.db", "list", "1-3", "--template", "{Call}\\n").output
    #expect(shown == times.map { $0 + "\n" }.joined())
  }

  @Test func `a sheet is named, and texts are shared, joined, and marked`() throws {
    let sandbox = try Self.sandbox("write")
    #expect(try sandbox.run("import", "1900.xlsx", "--sheet", "other one", "-q").code == 0)
    let again = try sandbox.run("import", "1900.xlsx", "--sheet", "other one", "-q")
    #expect(again.code == 4 && again.errors.contains("was already imported"), "\(again)")
    #expect(
      try sandbox.run("import", "1900.xlsx", "--sheet", "People", "-n").errors.contains("already") == false)
    #expect(
      try sandbox.run("import", "1900.xlsx", "--sheet", "3")
        == .failed(
          2,
          "customers: 1900.xlsx: there is no sheet \"3\"\nhint: the sheets are \"People\" and \"Other One\""))
    #expect(try sandbox.run("import", "small.xlsx", "-q").code == 0)
    #expect(try sandbox.run("list", "--template", "{name};").output == "Zoe;Ann;Cat;Dan DE;E<e;")
    #expect(try sandbox.shell("customers import --format xlsx - -q -y < small.xlsx") == .done(""))
  }

  @Test func `of the texts that cells share, those are not read that come after the last one of the sheet`()
    throws
  {
    let sandbox = try Self.sandbox("write")
    #expect(try sandbox.run("import", "texts.xlsx", "-q") == .done())
    #expect(try sandbox.run("list", "--template", "{name};").output == "Bob;Ann;")
  }

  @Test func `an export has dates, numbers, and marks as such, and comes back the same`() throws {
    let sandbox = try CLISandbox()
    let values = [
      "Due=2026-12-24", "Due=1899-12-24", "Call=2026-12-24T17:30", "Call=2026-12-24T17:30:00",
      "Call=2026-12-24T17:30Z", "Amount=1200.50", "Amount=12345678901234567", "Amount=-0.001", "Paid=yes",
      "Paid=no", "Code==1+1", "Code=\"a\"\tb", "Code=_x0041_\u{1b}\r\u{fffe}&<\"> ",
    ]
    try #require(try sandbox.run("add", "0301", "--phone", "0301").code == 0)
    for (name, kind) in [
      ("Due", "date"), ("Call", "time"), ("Amount", "number"), ("Paid", "yes/no"),
    ] {
      try #require(try sandbox.run("columns", "add", name, "--kind", kind).code == 0)
    }
    for value in values {
      let answer = try sandbox.run("add", "Ann", "--set", value)
      try #require(answer.code == 0, "\(answer)")
    }
    try #require(try sandbox.run("export", "list.xlsx", "-q").code == 0)
    let cells = try sandbox.shell("\(Self.python) '\(Self.script)' cells list.xlsx").output
    for cell in [
      #"["d", "2026-12-24 00:00:00", "yyyy\\-mm\\-dd"]"#, #"["s", "1899-12-24", "@"]"#,
      #"["d", "2026-12-24 17:30:00", "yyyy\\-mm\\-dd\\ hh:mm"]"#,
      #"["d", "2026-12-24 17:30:00", "yyyy\\-mm\\-dd\\ hh:mm:ss"]"#, #"["s", "2026-12-24T17:30Z", "@"]"#,
      #"["n", "1200.5", "General"]"#, #"["s", "12345678901234567", "@"]"#, #"["n", "-0.001", "General"]"#,
      #"["b", "True", "General"]"#, #"["s", "=1+1", "@"]"#, #"["s", "0301", "@"]"#,
    ] {
      #expect(cells.contains(cell), "\(cell)")
    }
    #expect(!cells.contains(#"["f","#))
    let copy = try CLISandbox()
    #expect(try copy.run("import", "\(sandbox.folder)/list.xlsx", "-q").code == 0)
    #expect(try copy.run("export", "--format", "csv") == sandbox.run("export", "--format", "csv"))
    #expect(try copy.run("columns").output == sandbox.run("columns").output)
    // The same list is the same bytes.
    try #require(try sandbox.run("export", "again.xlsx", "-q").code == 0)
    #expect(try sandbox.shell("cmp list.xlsx again.xlsx") == .done(""))
  }

  @Test(arguments: 0..<(isLong ? 100 : 1))
  func `openpyxl and khal read what random lists export, and give back what went in`(_ five: Int) throws {
    let lists = "\(five * 5 + 1)-\(five * 5 + 5)"
    #expect(try CLISandbox().shell("\(Self.python) '\(Self.script)' lists \(lists)") == .done(""))
  }

  @Test func `a file that was handed out comes back, and one row is wrong`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.run("export", "out.xlsx", "--ids", "-q").code == 0)
    try #require(
      try sandbox.shell(
        """
        \(Self.python) -c 'import openpyxl; b = openpyxl.load_workbook("out.xlsx"); s = b.active
        assert s["C3"].value == "Sherlock"; s["C3"] = "Shirley"; s["B4"] = None; s["A4"] = "x"; b.save("out.xlsx")'
        """) == .done(""))
    let words = ["import", "out.xlsx", "--on-duplicate", "update", "--key", "id"]
    let refused = try sandbox.run(words: words)
    #expect(refused.code == 1 && refused.errors.contains("line 4"), "\(refused)")
    #expect(try sandbox.run(words: words + ["--rejects", "bad.csv", "-q"]).code == 0)
    #expect(try sandbox.run("show", "2").output.contains("Shirley"))
    let bad = try String(contentsOfFile: sandbox.folder + "/bad.csv", encoding: .utf8)
    #expect(
      bad.hasPrefix("id,version,first_name,") && bad.contains("\nx,,Jane,Eyre,Thornfield School,"), "\(bad)")
  }

  @Test func `no hostile file is imported, and each error names the place`() throws {
    let sandbox = try Self.sandbox("spoil")
    let reasons = [
      "bomb": "s.xml: it would grow to more than 200 times its size",
      "bomb-in-strings": "strings.xml: it would grow to more than 200 times its size",
      "bomb-in-cells": "s.xml: its cells have too much text",
      "dtd": "s.xml: it has a DTD", "entity": "s.xml: it has an entity",
      "deep": "s.xml: its tags are nested too deeply",
      "far-cell": ":1048576: cell XFD1048576 is far away", "far-column": ":3: cell XFD3 is far away",
      "no-column": ":1: the cell XFE1 is out of its place",
      "row-order": "row 4 is out of its place, after row 5",
      "row-beyond": "row 1048577 is out of its place", "cell-order": "the cell A1 is out of its place",
      "cell-of-other-row": "the cell A2 is out of its place", "error": ":3: cell A3 has the error #DIV/0!",
      "leap-bug": "cell A3 has the date 1900-02-29", "no-number": "cell A3 has no number",
      "no-string": "cell A3 has a text that is missing", "open-tags": "it ends too early",
      "crossed-tags": "its tags don't match", "long-tag": "a tag of it is too long",
      "utf-16": "a tag of it is damaged",
      "encrypted": "s.xml: it is encrypted", "checksum": "s.xml: its checksum is wrong",
      "zip64": "s.xml: it is in the zip64",
      "method": "s.xml: it is compressed in a way", "overlap": "it overlaps another part",
      "short": "s.xml: it is larger than the file says", "cut": "the end of the file is missing",
      "no-book": "it is a zip file, but no spreadsheet",
    ]
    let files = try sandbox.names.filter { $0.hasSuffix(".xlsx") }.map { String($0.dropLast(5)) }
    #expect(Set(files) == Set(reasons.keys))
    for (file, reason) in reasons {
      let answer = try sandbox.run("import", "\(file).xlsx")
      #expect(answer.code == 1 && answer.errors.contains(reason), "\(file): \(answer.errors)")
    }
    #expect(try !sandbox.names.contains("customers.sqlite"))
  }

  @Test func `options of text, and a terminal, are refused`() throws {
    let sandbox = try CLISandbox.withDemo()
    for (words, reason) in [
      (["export", "a.xlsx", "--crlf"], "--style crlf only works with csv and tsv"),
      (["import", "a.xlsx", "--delimiter", ";"], "--delimiter only works with csv and tsv"),
      (["import", "a.xlsx", "--encoding", "latin1"], "--encoding only works with csv, tsv, json"),
      (["import", "a.csv", "--sheet", "2"], "--sheet only works with xlsx"),
    ] {
      let answer = try sandbox.run(words: words)
      #expect(answer.code == 2 && answer.errors.contains(reason), "\(words): \(answer)")
    }
    #expect(
      try sandbox.onTerminal("export", "--format", "xlsx").screen.contains("xlsx is not for a terminal"))
    try sandbox.write("PK\u{3}\u{4}", to: "list.csv")
    #expect(
      try sandbox.run("import", "list.csv").errors.contains("hint: if it is an xlsx file, add --format xlsx"))
    let long = try sandbox.run("add", "--first-name", String(repeating: "é", count: 32_768))
    #expect(
      try long.code == 0
        && sandbox.run("export", "a.xlsx").errors.contains("has a NUL character, more than"))
  }

  @Test func `hours beyond a day are hours, and a formula without its result is refused`() throws {
    let sandbox = try Self.sandbox("write")
    #expect(try sandbox.run("import", "hours.xlsx", "-q").code == 0)
    let result = try sandbox.run("import", "hours.xlsx", "--sheet", "2", "-q")
    #expect(
      result.code == 1 && result.errors.contains("cell B2 has a formula without its result"), "\(result)")
    #expect(try sandbox.run("list", "--template", "{name} {Took};").output == "Ann 30:00:00;Bob 0:05:00;")
  }

  @Test func `percentages are the numbers that people see`() throws {
    let sandbox = try Self.sandbox("write")
    #expect(try sandbox.run("import", "rates.xlsx", "-q").code == 0)
    #expect(
      try sandbox.run("list", "--template", "{name} {Rate} {Share};").output
        == "Ann 12.5 7;Bob 300 0.0005;Cid -29 0.00001;")
    #expect(try sandbox.run("find", "Rate>12", "--count").output == "2\n")
  }
}
