import CustomersTestSupport
import Testing

/// What the values of extra columns of a table are, by all of them.
@Suite(.onThreads) struct ImportKindTests {
  private static let table = """
    first_name,email,Due,Seen,Amount,Room,Paid,Odd
    Ann,a@x.example,11/20/2026,2026-11-20 10:00,"1.200,50",01067,ja,1.200
    Bob,b@x.example,12/01/2026,2026-11-21 11:30,"900,00",10115,nein,3.400
    Cid,c@x.example,,2026-11-22 09:15,"7,5",80331,ja,

    """

  private static let open =
    "note: the values of \"Odd\" may be numbers in 2 ways, so they stay text; to say which: --kind \"Odd=1,234.5\" or "
    + "--kind \"Odd=1.234,5\""

  private func rows(_ sandbox: CLISandbox, _ fields: String) throws -> String {
    try sandbox.run("list", "--format", "csv", "--no-header", "--fields", fields).output
  }

  @Test func `values come in the one form of their kind, and what has two meanings stays`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(Self.table, to: "rows.csv")
    let preview = try sandbox.run("import", "rows.csv", "--dry-run")
    #expect(
      preview.output.hasPrefix(
        "Extra columns: Due (date), Seen (time), Amount (number), Room, Paid (yes/no), Odd\n"))
    #expect(preview.errors == Self.open + "\n")
    let result = try sandbox.run("import", "rows.csv")
    #expect(result.code == 0 && result.errors.hasSuffix(Self.open + "\n"))
    #expect(
      try rows(sandbox, "first_name,Due,Seen,Amount,Room,Paid,Odd") == """
        Ann,2026-11-20,2026-11-20T10:00,1200.50,01067,yes,1.200
        Bob,2026-12-01,2026-11-21T11:30,900.00,10115,no,3.400
        Cid,,2026-11-22T09:15,7.5,80331,yes,

        """)
    #expect(try sandbox.run("list", "--count", "--where", "Due<2026-12-01") == .done("1"))
    #expect(try sandbox.run("list", "--count", "--where", "Amount>=900") == .done("2"))
    #expect(try sandbox.run("list", "--count", "--where", "Seen=2026-11-20") == .done("1"))
  }

  @Test func `a kind that is named decides, and is refused if it does not fit`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(Self.table, to: "rows.csv")
    for (kind, message) in [
      ("Odd=number", "values of \"Odd\", first in line 2, can be read in 2 ways"),
      ("Dew=date", "the file has no extra column \"Dew\""),
      ("Due=day", "--kind: there is no kind \"day\""), ("Due", "--kind must be COLUMN=KIND, not \"Due\""),
    ] {
      let result = try sandbox.run("import", "rows.csv", "--kind", kind)
      #expect(result.code == 2 && result.errors.hasPrefix("customers: \(message)\n"), "\(result.errors)")
    }
    #expect(
      try sandbox.run("import", "rows.csv", "--kind", "odd=1.234,5", "--kind", "Due=text", "-q").code == 0)
    #expect(
      try rows(sandbox, "first_name,Due,Odd") == """
        Ann,11/20/2026,1200
        Bob,12/01/2026,3400
        Cid,,

        """)
  }

  @Test func `an export that a spreadsheet has written again in its language has its values`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      """
      first_name,can_edit,can_move,section,Amount,Seen,Paid
      Ann,WAHR,WAHR,Leads,"1234567,89",2026-06-06 13:17,WAHR
      Bob,WAHR,FALSCH,Leads,"0,5",2026-06-07 09:00,FALSCH

      """, to: "german.csv")
    #expect(try sandbox.run("import", "german.csv", "-q").code == 0)
    #expect(
      try rows(sandbox, "first_name,Amount,Seen,Paid") == """
        Ann,1234567.89,2026-06-06T13:17,yes
        Bob,0.5,2026-06-07T09:00,no

        """)
  }

  @Test func `a date beside another day of the week is none`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      "name,Due,Seen\nAnn,\"Friday, 2026-11-28\",Fr 27.11.2026\nBob,2026-11-30,\n", to: "rows.csv")
    #expect(try sandbox.run("import", "rows.csv", "-q") == .done())
    #expect(try rows(sandbox, "Due,Seen") == "\"Friday, 2026-11-28\",2026-11-27\n2026-11-30,\n")
    try #require(try sandbox.run("columns", "kind", "Due", "date", "--keep-text", "-q").code == 0)
    #expect(
      try sandbox.run("edit", "2", "--set", "Due=Friday, 2026-11-28")
        == .failed(
          2, "customers: --set: Due: \"Friday, 2026-11-28\" is not a date; 2026-11-28 is a Saturday"))
    let again = try sandbox.run("import", "rows.csv", "--on-duplicate", "add", "--yes")
    #expect(again.code == 1 && again.errors.contains("line 2: Due is not a date"), "\(again)")
  }

  @Test func `what may be versions stays text, unless it has days or its name is about them`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      """
      name,Version,Visit,Start date,Fixed,Firmware,Build date,Met
      Ann,1.10.20,24.12.26,1.2.26,01.10.20,17.4.20,17.4.20,1.2.2026
      Bob,1.11.20,1.2.26,2.3.26,02.11.20,18.1.10,18.1.10,3.2.26

      """, to: "rows.csv")
    let result = try sandbox.run("import", "rows.csv", "--map", "Fixed=extra")
    #expect(
      result.errors.contains(
        "note: \"Version\" may be versions or dates, so it stays text: 1.10.20; for dates: --kind \"Version=date\"\n"
      ), "\(result)")
    #expect(
      try rows(sandbox, "Version,Visit,Start date,Fixed,Firmware,Build date,Met") == """
        1.10.20,2026-12-24,2026-02-01,2020-10-01,17.4.20,2020-04-17,2026-02-01
        1.11.20,2026-02-01,2026-03-02,2020-11-02,18.1.10,2010-01-18,2026-02-03

        """)
    #expect(!(try sandbox.run("columns").errors.contains("Version")))
    #expect(
      try sandbox.run("--db", "dates.db", "import", "rows.csv", "--kind", "Version=date", "-q").code == 0)
    let dates = try sandbox.run("--db", "dates.db", "list", "--template", "{Version}\\n")
    #expect(dates.output == "2020-10-01\n2020-11-01\n")
  }

  @Test(arguments: [
    ("csv", "text"), ("tsv", "text"), ("xlsx", "text"), ("json", "choice of Open or Won"),
  ])
  func `an export in a new list has its kinds again, but only json has choices`(
    _ format: String, _ choice: String
  )
    throws
  {
    let sandbox = try CLISandbox()
    try sandbox.write(
      """
      name,Due,Seen,Amount,Paid,Site,Stage
      Ann,2026-11-28,2026-11-28 10:00,"1.200,50",ja,https://a.example,Open
      Bob,29.11.2026,2026-11-29 11:00,7,nein,https://b.example,Won

      """, to: "rows.csv")
    #expect(try sandbox.run("import", "rows.csv", "-q") == .done())
    #expect(try sandbox.run("columns", "choices", "Stage", "Open,Won", "-q") == .done())
    #expect(try sandbox.run("export", "out.\(format)", "-q") == .done())
    #expect(try sandbox.run("--db", "new.db", "import", "out.\(format)", "-q").code == 0)
    let stage = "Stage (2 customers)" + (choice == "text" ? "" : ": \(choice)")
    #expect(
      try sandbox.run("--db", "new.db", "columns").output == """
        Due (2 customers): date
        Seen (2 customers): time
        Amount (2 customers): number
        Paid (2 customers): yes/no
        Site (2 customers): link
        \(stage)

        """)
  }

  @Test func `if no row has a value of the kind, no column is called missing`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("name,At,Paid\nAnn,12:30,yes\nBob,13:45,no\n", to: "rows.csv")
    let result = try sandbox.run("import", "rows.csv", "--kind", "At=time", "--kind", "Paid=yes/no")
    #expect(result.code == 1 && result.errors.contains("line 2: At is not a time"), "\(result.errors)")
    #expect(!result.errors.contains("Paid\""))
  }

  @Test func `a declared column takes values of its kind, and one of another program is counted`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(Self.table, to: "rows.csv")
    #expect(try sandbox.run("import", "rows.csv", "-q").code == 0)
    #expect(
      try sandbox.run("edit", "1", "--set", "Due=24.12.2026", "--set", "Amount=1.300,5", "-q") == .done())
    #expect(try rows(sandbox, "Due,Amount").hasPrefix("2026-12-24,1300.5\n"))
    for (value, message) in [
      ("Due=soon", "Due: \"soon\" is not a date; for example: 2026-12-24, friday, or +3d"),
      ("Due=tomorow", "Due: \"tomorow\" is not a date; did you mean tomorrow?"),
      ("Amount=1,300", "Amount: \"1,300\" may be 1300 or 1.3; write 1300 or 1.3"),
      ("Paid=perhaps", "Paid: \"perhaps\" is not yes or no; for example: yes"),
    ] {
      let result = try sandbox.expectUntouched { try sandbox.run("edit", "1", "--set", value) }
      #expect(result == .failed(2, "customers: --set: \(message)"))
    }
    let edit = #"{"update":{"ids":[2],"set":{"extra":{"Due":"soon"}}}}"#
    let script = try sandbox.run("apply", "-", stdin: edit)
    #expect(script.code == 2 && script.errors.contains("Due: \"soon\" is not a date"), "\(script)")
    // Whatever way it comes, another spelling is the same column.
    for json in [
      #"{"update":{"ids":[2],"set":{"extra":{"due":"soon"}}}}"#,
      #"{"insert":{"customers":[{"first_name":"Eve","extra":{"DUE":"soon"}}]}}"#,
    ] {
      let script = try sandbox.expectUntouched { try sandbox.run("apply", "-", stdin: json) }
      #expect(script.code == 2 && script.errors.contains("Due: \"soon\" is not a date"), "\(script)")
    }
    let spelled = #"{"update":{"ids":[2],"set":{"extra":{"due":"2026-12-24"}}}}"#
    #expect(try sandbox.run("apply", "-", "-q", stdin: spelled) == .done())
    #expect(try rows(sandbox, "Due").hasPrefix("2026-12-24\n2026-12-24\n"))
    _ = try sandbox.sqlite("UPDATE customers SET extra = json_set(extra, '$.Due', '25.11.2026') WHERE id = 2")
    let note = "note: 1 value of \"Due\" is not a date"
    #expect(
      try sandbox.run("list", "--count", "--where", "Due<2027-01-01")
        == .done("1", errors: note + "; these customers were left out"))
    #expect(try sandbox.run("check").errors.contains(note + "\n"))
    #expect(try sandbox.run("undo", "-q", "--yes").code == 0)
  }

  @Test func `a column of text in the list stays text`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Eve", "--set", "Due=soon", "-q") == .done())
    try sandbox.write("first_name,Due\nAnn,11/20/2026\n", to: "rows.csv")
    #expect(try sandbox.run("import", "rows.csv", "-q") == .done())
    #expect(try rows(sandbox, "first_name,Due") == "Eve,soon\nAnn,11/20/2026\n")
  }

  @Test func `a tag is a tag, and a name like that of a column needs consent`() throws {
    let sandbox = try CLISandbox()
    #expect(
      try sandbox.run("add", "Ann", "--set", "Captain=France", "--set", "Tag=vip,friend", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "tag=new", "-q") == .done())
    for tag in ["vip", "friend", "new"] {
      #expect(try sandbox.run("list", "--count", "--where", "tag=\(tag)") == .done("1"))
    }
    #expect(
      try sandbox.run("edit", "1", "--set", "Captian=Kent")
        == .failed(
          2,
          """
          customers: --set: there is no field "Captian"
          hint: did you mean "Captain"? For a new column, add --yes
          """))
    #expect(try sandbox.run("edit", "1", "--set", "Captian=Kent", "--yes", "-q") == .done())
    #expect(try sandbox.run("list", "--count", "--where", "Captian=Kent Captain=France") == .done("1"))
  }

  @Test func `a file whose columns have unknown kinds has another version`() throws {
    let sandbox = try CLISandbox()
    let head = #"{"columns":[{"name":"Price","kind":"money"}]}"#
    let result = try sandbox.run(
      "import", "-", "--format", "ndjson", stdin: head + "\n" + #"{"first_name":"Ann"}"# + "\n")
    #expect(result.code == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("standard input:1: the kind of a column is none of text, lines, number"))
    #expect(try sandbox.run("list", "--count").output != "2\n")
  }

  @Test func `find takes a term, if the list has such a field`() throws {
    let sandbox = try CLISandbox()
    for (name, club) in [("Ann", "Bonn"), ("Bob", "Köln"), ("Club=Bonn", "")] {
      #expect(try sandbox.run("add", name, "--set", "Club=\(club)", "-q") == .done())
    }
    #expect(try sandbox.run("find", "club=bonn", "--count") == .done("1"))
    #expect(try sandbox.run("find", "not club=bonn", "--where", "name~b", "--count") == .done("1"))
    #expect(try sandbox.run("find", "guild=bonn", "--count") == .done("0"))
    #expect(try sandbox.run("find", "club=bonn", "--word", "--count") == .done("1"))
    #expect(try sandbox.run("find", "club<tomorow").code == 2)
  }

  @Test func `on a terminal, values with two meanings are asked about`() throws {
    let table = "name,Due,Odd\nAnn,11/12/2026,1.200\nBob,10/12/2026,3.400\n"
    for (answers, rows) in [
      (["2\n", "1\n"], "2026-11-12,1.200\n2026-10-12,3.400\n"),
      (["9\n", "day\n", "1\n", "2\n"], "2026-12-11,1200\n2026-12-10,3400\n"),
      (["3\n", "3\n"], "11/12/2026,1.200\n10/12/2026,3.400\n"),
    ] {
      let sandbox = try CLISandbox()
      try sandbox.write(table, to: "rows.csv")
      let (screen, code) = try sandbox.onTerminal("import", "rows.csv", answers: answers)
      #expect(code == 0 && !screen.contains("so they stay text"), "\(screen)")
      #expect(screen.contains("The values of \"Due\", such as 11/12/2026, may be dates:"), "\(screen)")
      #expect(screen.contains("1  day first: 2026-12-11") && screen.contains("2  month first: 2026-11-12"))
      #expect(try self.rows(sandbox, "Due,Odd") == rows)
      let text = answers[0] == "3\n"
      #expect(try sandbox.run("columns", "--json").output.contains("\"date\"") == !text)
    }
    // The list has said that they are dates.
    let sandbox = try CLISandbox()
    try sandbox.write(table, to: "rows.csv")
    #expect(try sandbox.run("add", "Cid", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    let asked = try sandbox.onTerminal("import", "rows.csv", "--kind", "Odd=text", answers: ["1\n"])
    #expect(asked.code == 0 && asked.screen.contains("first in line 2, can be read in 2 ways"), "\(asked)")
    #expect(try rows(sandbox, "Due") == "\"\"\n2026-12-11\n2026-12-10\n")
    try sandbox.expectSound()
  }

  @Test func `a unit that all numbers have is left out if someone says that they are numbers`() throws {
    let table = """
      Name,Euro,Yen,Part,Franc,Mixed
      Ann,"12,50 €","¥1,200",12%,CHF 1'200.50,5 €
      Bob,"-1.200,50 €",¥900,5 %,CHF -3,5 $

      """
    let kinds = ["Euro=number", "Yen=1,234.5", "Part=number", "Franc=number"]
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("import", "-", "-q", stdin: table) == .done())
    for kind in kinds {
      let words = kind.split(separator: "=").map(String.init)
      #expect(try sandbox.run(words: ["columns", "kind"] + words + ["-q"]) == .done())
    }
    let cells = ["list", "--format", "csv", "--no-header", "--fields", "Euro,Yen,Part,Franc"]
    #expect(try sandbox.run(words: cells).output == "12.50,1200,12,1200.50\n-1200.50,900,5,-3\n")
    let refused = try sandbox.expectUntouched { try sandbox.run("columns", "kind", "Mixed", "number") }
    #expect(refused.code == 4, "\(refused)")
    let other = try CLISandbox()
    let chosen = kinds.flatMap { ["--kind", $0] }
    #expect(try other.run(words: ["import", "-", "-q"] + chosen, stdin: table) == .done())
    #expect(try other.run(words: cells).output == sandbox.run(words: cells).output)
    let mixed = try CLISandbox().run("import", "-", "--kind", "Mixed=number", stdin: table)
    #expect(mixed.code == 1 && mixed.errors.contains("Mixed is not a number"), "\(mixed)")
  }

  @Test(arguments: ["Ann,5 km\nBob,700\n", "Ann,700\nBob,5 km\n"])
  func `a unit that only some numbers have is not left out`(rows: String) throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("import", "-", "-q", stdin: "Name,Far\n" + rows) == .done())
    let refused = try sandbox.expectUntouched { try sandbox.run("columns", "kind", "Far", "number") }
    #expect(refused.code == 4, "\(refused)")
    let other = try CLISandbox().run("import", "-", "--kind", "Far=number", stdin: "Name,Far\n" + rows)
    #expect(other.code == 1 && other.errors.contains("Far is not a number"), "\(other)")
  }

  @Test func `a number with an exponent is typed and found as it is read`() throws {
    let sandbox = try CLISandbox()
    let table = "Name,Amount\nAnn,1e3\nBob,1E+12\n"
    #expect(try sandbox.run("import", "-", "-q", "--kind", "Amount=number", stdin: table) == .done())
    #expect(try sandbox.run("edit", "2", "--set", "Amount=2.5e-3", "-q") == .done())
    #expect(try sandbox.ids("list", "-w", "Amount=1e3") == "@1")
    #expect(try sandbox.ids("list", "-w", "Amount<0.1e0") == "@2")
    #expect(try sandbox.run("edit", "2", "--set", "Amount=1e", "-q").code == 2)
  }

  @Test func `the same number with other digits is no change`() throws {
    let sandbox = try CLISandbox()
    let table = "Name,E-mail,Amount\nAnn,a@x.example,900.00\nBob,b@x.example,12.5\n"
    #expect(try sandbox.run("import", "-", "-q", "--kind", "Amount=number", stdin: table) == .done())
    let again = table.replacing("900.00", with: "900").replacing("12.5", with: "13.0")
    let updated = try sandbox.run("import", "-", "--on-duplicate", "update", stdin: again)
    #expect(updated.output.contains("updated 1, skipped 1"), "\(updated)")
    #expect(
      try sandbox.run("list", "--format", "csv", "--no-header", "--fields", "Amount").output
        == "900.00\n13.0\n")
  }

  @Test func `an export brings the kinds of its columns back, and nothing else`() throws {
    let sandbox = try CLISandbox()
    let table = "name,Due,Amount,Note2,Code\nAnn,2026-12-24,1.50,2026-01-01,7\nBob,,20,soon,\"1,5\"\n"
    try sandbox.write(table, to: "rows.csv")
    let kinds = [
      "--kind", "Due=date", "--kind", "Amount=number", "--kind", "Note2=text", "--kind", "Code=text",
    ]
    #expect(try sandbox.run(words: ["import", "rows.csv", "-q"] + kinds) == .done())
    #expect(try sandbox.run("export", "own.csv", "-q") == .done())
    let other = try CLISandbox()
    #expect(try other.run("import", sandbox.folder + "/own.csv", "-q") == .done())
    #expect(try other.run("list", "--count", "--where", "Due<2027-01-01") == .done("1"))
    #expect(try other.run("list", "--count", "--where", "Amount=1.5") == .done("1"))
    #expect(try other.run("export", "own.csv", "-q") == .done())
    #expect(try bytes(of: other.folder + "/own.csv") == bytes(of: sandbox.folder + "/own.csv"))
    let columns = try other.run("columns").output
    #expect(try columns == sandbox.run("columns").output, "\(columns)")
  }

  @Test func `values that are not of the kind which their file states come as they are, and are named`()
    throws
  {
    let sandbox = try CLISandbox()
    let rows =
      #"{"columns":[{"name":"Due","kind":"date"}]}"# + "\n" + #"{"first_name":"Ann","Due":"24.12.2026"}"#
      + "\n"
      + #"{"first_name":"Bob","Due":"soon"}"# + "\n"
    let result = try sandbox.run("import", "-", "--format", "ndjson", stdin: rows)
    #expect(
      result.code == 0 && result.errors.contains("\"Due\": \"soon\" is not a date and stays as it is"),
      "\(result)")
    #expect(try self.rows(sandbox, "Due") == "2026-12-24\nsoon\n")
  }

  @Test func `a column that an import takes for a phone is not made by mistake`() throws {
    let sandbox = try CLISandbox()
    let refused = try sandbox.run("add", "Ann", "--set", "Mobile=1")
    #expect(refused.code == 2 && refused.errors.contains("to add one: --phone mobile:TEXT"), "\(refused)")
    #expect(try sandbox.run("add", "Ann", "--phone", "mobile:1", "-q") == .done())
    let edited = try sandbox.run("edit", "1", "--set", "Work Email=a@b.example")
    #expect(edited.code == 2 && edited.errors.contains("--add \"email=work:TEXT\""), "\(edited)")
    #expect(try sandbox.run("edit", "1", "--set", "Mobile=1", "--yes", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "mobile=2", "-q") == .done())
    #expect(try rows(sandbox, "Mobile") == "2\n")
  }

  @Test(arguments: [
    ("Fax", "phone=fax:TEXT"), ("Work Fax", "phone=work fax:TEXT"), ("Home City", "address=home:TEXT"),
  ])
  func `nor is one for a fax, or for a part of another address`(name: String, hint: String) throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
    let refused = try sandbox.expectUntouched { try sandbox.run("edit", "1", "--set", "\(name)=1") }
    #expect(refused.code == 2 && refused.errors.contains("--add \"\(hint)\""), "\(refused)")
    #expect(try sandbox.run("edit", "1", "--add", hint.replacing("TEXT", with: "1"), "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "\(name)=1", "--yes", "-q") == .done())
    #expect(try rows(sandbox, name) == "1\n")
  }

  @Test(arguments: [("Citty", "City"), ("Contry", "Country"), ("Birthdy", "Birthday"), ("Websit", "Website")])
  func `nor is one that resembles a known column`(name: String, known: String) throws {
    let sandbox = try CLISandbox()
    let refused = try sandbox.run("add", "Ann", "--set", "\(name)=x")
    #expect(refused.code == 2 && refused.errors.contains("did you mean \"\(known)\"?"), "\(refused)")
    #expect(try sandbox.run("add", "Ann", "--set", "\(name)=x", "--yes", "-q") == .done())
  }

  @Test func `a position is a job title, unless the list has positions`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "Position=Head", "-q") == .done())
    #expect(try rows(sandbox, "Job title") == "Head\n")
    try sandbox.write(#"[{"first_name":"Bob","extra":{"Position":"7"}}]"#, to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    #expect(try sandbox.run("edit", "2", "--set", "Position=8", "-q") == .done())
    #expect(try sandbox.sqlite("SELECT extra FROM customers WHERE id = 2") == "{\"Position\":\"8\"}\n")
  }

  @Test func `a count by city says how many addresses are not known in parts`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "City=Bonn", "-q") == .done())
    #expect(try sandbox.run("add", "Bob", "--address", "Weg 1, 53113 Bonn", "-q") == .done())
    let counted = try sandbox.run("list", "--count-by", "City")
    #expect(counted.errors.contains("1 address is not known in parts"), "\(counted)")
    #expect(try sandbox.run("list", "--count-by", "tags").errors.isEmpty)
  }

  @Test func `a kind reads the values of the whole column, as an import does`() throws {
    for (texts, stored) in [
      (["1.200", "3,5"], ["1200", "3.5"]), (["1.200", "2.300,5"], ["1200", "2300.5"]),
      (["1.200.300", "1.500"], ["1200300", "1500"]), (["1.5", "2"], ["1.5", "2"]),
      (["01067", "7"], ["01067", "7"]),
    ] {
      let sandbox = try CLISandbox()
      for text in texts { #expect(try sandbox.run("add", "Row", "--set", "X=\(text)", "-q") == .done()) }
      #expect(try sandbox.run("columns", "kind", "X", "number", "-q") == .done())
      #expect(try rows(sandbox, "X") == stored.map { $0 + "\n" }.joined())
      // What is stored as numbers is read as it is.
      #expect(try sandbox.run("columns", "kind", "X", "number", "-q") == .done())
      #expect(try rows(sandbox, "X") == stored.map { $0 + "\n" }.joined())
    }
    let open = try CLISandbox()
    for text in ["1.200", "900"] { #expect(try open.run("add", "R", "--set", "X=\(text)", "-q") == .done()) }
    for words in [["columns", "kind", "X", "number"], ["columns", "kind", "X", "number", "--keep-text"]] {
      let refused = try open.expectUntouched { try open.run(words: words) }
      #expect(refused.code == 4 && refused.errors.contains("they can be read in 2 ways"), "\(refused)")
    }
    #expect(try open.run("columns", "kind", "X", "1.234,5", "-q") == .done())
    #expect(try rows(open, "X") == "1200\n900\n")
  }

  @Test func `yes and no have one form, whatever they are written as, and JSON is parsed`() throws {
    let sandbox = try CLISandbox()
    let table = "name,Paid\nAnn,ja\nBob,nein\nCid,TRUE\n"
    #expect(try sandbox.run("import", "-", "--kind", "Paid=text", "-q", stdin: table) == .done())
    #expect(try sandbox.run("columns", "kind", "Paid", "yes/no", "-q") == .done())
    #expect(try rows(sandbox, "Paid") == "yes\nno\nyes\n")
    #expect(try sandbox.run("edit", "1", "--set", "Paid=nein", "-q") == .done())
    #expect(try sandbox.run("list", "--count", "--where", "Paid=oui") == .done("1"))
    for json in [
      #"[{"name":"Dee","extra":{"Paid":true}},{"name":"Eve","Paid":false}]"#,
      #"[{"name":"Fay","extra":{"Paid":"ja"}},{"name":"Gus","Paid":"no"}]"#,
    ] {
      #expect(try sandbox.run("import", "-", "--format", "json", "-q", stdin: json) == .done())
    }
    #expect(try rows(sandbox, "Paid") == "no\nno\nyes\nyes\nno\nyes\nno\n")
    #expect(try sandbox.run("columns", "add", "Prio", "--kind", "number", "-q") == .done())
    let wrong = #"[{"name":"Hal","extra":{"Prio":[1]}}]"#
    #expect(try sandbox.run("import", "-", "--format", "json", "-q", stdin: wrong).code == 1)
    let edits =
      #"{"update":{"ids":[1],"set":{"extra":{"Paid":true,"Prio":5}}}}"# + "\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: edits) == .done())
    #expect(
      try sandbox.sqlite("SELECT extra FROM customers WHERE id = 1") == "{\"Paid\":\"yes\",\"Prio\":\"5\"}\n")
    let list = #"{"update":{"ids":[1],"set":{"extra":{"Prio":[1,2]}}}}"# + "\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: list).code == 2)
  }

  @Test func `a date may be typed as an import reads it`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    for (text, day) in [
      ("Mar 1, 2026", "2026-03-01"), ("1 mar 2026", "2026-03-01"), ("2026年3月1日", "2026-03-01"),
      ("1er mai 2026", "2026-05-01"), ("3 février 2026", "2026-02-03"),
    ] {
      #expect(try sandbox.run("edit", "1", "--set", "Due=\(text)", "-q") == .done(), "\(text)")
      #expect(try rows(sandbox, "Due") == day + "\n")
      #expect(try sandbox.run("list", "--count", "--where", "Due=\"\(text)\"") == .done("1"), "\(text)")
    }
    #expect(try sandbox.run("list", "--count", "--where", "Due<tomorrow+1w") == .done("1"))
    let table = "name,Due\nBob,1er mai 2026\nCid,2 mai 2026\n"
    #expect(try CLISandbox().run("import", "-", stdin: table).errors.contains("stay text") == false)
    #expect(try sandbox.run("import", "-", "-q", stdin: table) == .done())
    #expect(try sandbox.run("list", "--count", "--where", "Due>=2026-05-01") == .done("2"))
  }

  @Test func `a number with a comma in a term may be two, and is refused`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "Amount=900.50", "-q") == .done())
    #expect(try sandbox.run("columns", "kind", "Amount", "number", "-q") == .done())
    for term in ["Amount=900,50", "Amount!=1.200,5", "Amount=1.200,50"] {
      let refused = try sandbox.run("list", "--where", term)
      #expect(refused.code == 2 && refused.errors.contains("or Amount"), "\(refused)")
    }
    for term in ["Amount=\"900,50\"", "Amount=900.5,7", "Amount=900, 50 or Amount=900.5"] {
      #expect(try sandbox.run("list", "--count", "--where", term) == .done("1"), "\(term)")
    }
  }

  @Test func `words after a term are words to find, too`() throws {
    let sandbox = try CLISandbox()
    for (name, club) in [("Bob", "Chess"), ("Ann", "Chess"), ("Bob", "Go")] {
      #expect(try sandbox.run("add", name, "--set", "Club=\(club)", "-q") == .done())
    }
    for words in [["Club=Chess", "bob"], ["bob", "Club=Chess"], ["Club=Chess and name~b"]] {
      #expect(try sandbox.run(words: ["list", "--count"] + words) == .done("1"), "\(words)")
    }
  }

  @Test func `numbers of a list's own file are exact`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "Amt=1.200", "-q") == .done())
    #expect(try sandbox.run("columns", "kind", "Amt", "1,234.5", "-q") == .done())
    for format in ["json", "ndjson", "csv"] {
      #expect(try sandbox.run("export", "own.\(format)", "-q") == .done())
      let db = "\(format).db"
      let result = try sandbox.run("import", "own.\(format)", "--db", db, "--yes")
      #expect(result.code == 0 && !result.errors.contains("ways"), "\(result)")
      #expect(try rows(sandbox, "Amt") == "1.200\n")
      if format != "csv" {
        #expect(try sandbox.run("columns", "--db", db).output == "Amt (1 customer): number\n", "\(format)")
      }
    }
  }

  @Test func `what is no date is refused as such if dates are said to begin with the day`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("first_name,Due\nAnn,11/12/2026\nBob,later\n", to: "due.csv")
    let result = try sandbox.run("import", "due.csv", "--kind", "Due=day-first")
    #expect(result.code == 1 && result.errors.contains("Due is not a date;"), "\(result)")
  }

  @Test func `a month of two meanings stays text, or is refused`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("first_name,f\nAnn,20. lis 2026\nBob,3. lis 2026\n", to: "lis.csv")
    let refused = try sandbox.run("import", "lis.csv", "--kind", "f=day-first")
    #expect(
      refused.code == 2 && refused.errors.contains("a month in \"f\"")
        && refused.errors.contains("--kind \"f=text\""), "\(refused)")
    let result = try sandbox.run("import", "lis.csv")
    #expect(
      result.code == 0 && result.errors.contains("so it stays text: 20. lis 2026"), "\(result)")
    #expect(try rows(sandbox, "f") == "20. lis 2026\n3. lis 2026\n")
    let kind = try sandbox.run("columns", "kind", "f", "date")
    #expect(kind.code == 4 && kind.errors.contains("--keep-text") && !kind.errors.contains("ways"), "\(kind)")
  }

  @Test func `a number of JSON is exact, and says how the other ones of its column are written`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("import", "-", "-y", "-q", stdin: "first name,Amount\nAnn,3.5\n") == .done())
    for (values, texts) in [
      ("12.345", ["12.345"]), ("1200", ["1200"]), (#"1.200, "1.200""#, ["1.200", "1.200"]),
    ] {
      let rows = values.split(separator: ", ").map { #"{"first_name":"Bob","extra":{"Amount":\#($0)}}"# }
      let file = "[\(rows.joined(separator: ","))]"
      let result = try sandbox.run("import", "-", "--format", "json", "-y", "-q", stdin: file)
      #expect(result == .done(), "\(values): \(result)")
      let shown = try sandbox.run("list", "Bob", "--template", "{Amount}\\n")
      #expect(shown == .done(texts.joined(separator: "\n")), "\(values)")
      #expect(try sandbox.run("undo", "-q", "-y") == .done())
    }
    let open = try sandbox.expectUntouched {
      try sandbox.run(
        "import", "-", "--format", "json", "-y", stdin: #"[{"first_name":"Bob","extra":{"Amount":"1.200"}}]"#)
    }
    #expect(open.code == 2 && open.errors.contains("2 ways"), "\(open)")
  }

  @Test func `a part of a second stays`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      "first_name,At\nAnn,2026-11-20T10:00:00.250Z\nBob,2026-11-20T10:00:00.000Z\n", to: "at.csv")
    #expect(try sandbox.run("import", "at.csv", "-q").code == 0)
    #expect(try rows(sandbox, "At") == "2026-11-20T10:00:00.25Z\n2026-11-20T10:00:00Z\n")
    #expect(try sandbox.run("list", "--count", "--where", "At=2026-11-20T10:00:00Z") == .done("2"))
  }

  @Test(arguments: ["1.500|3.5", "1,500|2.5", "1.500|0.5", "1.500|1e3", "1.500|3.25|7"])
  func `a way to write numbers that is named holds for the whole column, or rows are refused`(
    values: String
  ) throws {
    let texts = values.split(separator: "|").map(String.init)
    for name in [nil, "Ann"] {
      let sandbox = try CLISandbox()
      if let name {
        #expect(try sandbox.run("add", name, "-q") == .done())
        #expect(try sandbox.run("columns", "add", "X", "--kind", "number", "-q") == .done())
      }
      try sandbox.write("name;X\n" + texts.map { "Bob;\($0)\n" }.joined(), to: "x.csv")
      let refused = try sandbox.run("import", "x.csv", "--kind", "X=1.234,5", "-y")
      #expect(
        refused.code == 1 && refused.errors.contains("line 3: X is not a number; write it as in 1.234,5"),
        "\(refused)")
    }
    let sandbox = try CLISandbox()
    for text in texts { #expect(try sandbox.run("add", "Bob", "--set", "X=\(text)", "-q") == .done()) }
    let refused = try sandbox.expectUntouched { try sandbox.run("columns", "kind", "X", "1.234,5") }
    #expect(refused.code == 4 && refused.errors.contains("Bob: \"\(texts[1])\""), "\(refused)")
  }

  @Test func `numbers of JSON and of cells are what they are, and others are written as it is named`() throws
  {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "X=3.5", "-q", "-y") == .done())
    #expect(try sandbox.run("columns", "kind", "X", "number", "-q") == .done())
    func json(_ values: String...) -> String {
      "[" + values.map { #"{"first_name":"Bob","extra":{"X":\#($0)}}"# }.joined(separator: ",") + "]"
    }
    let words = ["import", "-", "--format", "json", "--kind", "X=1.234,5", "-y", "-q"]
    #expect(try sandbox.run(words: words, stdin: json(#""1.500""#, "1.500")).code == 1)
    #expect(try sandbox.run(words: words, stdin: json(#""1.500""#, "3.5")).code == 1)
    #expect(try sandbox.run(words: words, stdin: json(#""1.500""#, "7")) == .done())
    #expect(try rows(sandbox, "X") == "3.5\n1500\n7\n")
    // 1e3 is written with a point as well as without one.
    let csv = "name;X\nCid;1,500\nDan;1e3\n"
    #expect(try sandbox.run("import", "-", "--kind", "X=1,234.5", "-y", "-q", stdin: csv) == .done())
    #expect(try rows(sandbox, "X") == "3.5\n1500\n7\n1500\n1e3\n")
    #expect(try sandbox.run("delete", "2-5", "-y", "-q") == .done())
    #expect(try sandbox.run("export", "x.xlsx", "-q") == .done())
    #expect(try sandbox.run("import", "x.xlsx", "--kind", "X=1.234,5", "-y", "-q") == .done())
    #expect(try rows(sandbox, "X") == "3.5\n3.5\n")
  }

  @Test func `a column has one kind`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(Self.table, to: "rows.csv")
    for words in [["--kind", "Due=date,due=text"], ["--kind", "Due=date", "--kind", "Due=date"]] {
      let refused = try sandbox.run(words: ["import", "rows.csv"] + words)
      #expect(
        refused.code == 2 && refused.errors.lowercased().contains("\"due\" was given twice"), "\(refused)")
    }
  }
}
