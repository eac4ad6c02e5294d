import CustomersTestSupport
import Testing

/// Extra columns: listed, renamed, dropped, edited, completed.
@Suite(.onThreads) struct ColumnsTests {
  @Test(arguments: try Transcript.sessions("Columns"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `columns are listed, renamed, and dropped, each as one step`() throws {
    let sandbox = try CLISandbox.withPeople()
    #expect(try sandbox.run("columns") == .done("Club (3 customers)\nLocker Code (3 customers)"))
    #expect(
      try sandbox.run("columns", "rename", "lockercode", "Room")
        == .done("Renamed column \"Locker Code\" → \"Room\"."))
    #expect(try sandbox.run("columns", "--json").output.contains(#"{"name":"Room","count":3}"#))
    #expect(try sandbox.run("columns", "drop", "CLUB", "-q").code == 4)
    #expect(
      try sandbox.run("columns", "drop", "CLUB", "-y") == .done("Dropped column \"Club\"."))
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("columns") == .done("Club (3 customers)\nLocker Code (3 customers)"))
    #expect(try sandbox.run("columns", "drop", "Culb", "-y").code == 3)
    for taken in ["E-mail", "section", "Name", "row", "can edit", "ID"] {
      #expect(try sandbox.run("columns", "rename", "Club", taken).code == 2, "\(taken)")
    }
    #expect(try sandbox.run("add", "Eve", "--set", "Club=Rome", "--set", "New one=1", "-q") == .done())
    #expect(try sandbox.ids("list", "-w", "new-one=1") == "@5")
    #expect(try sandbox.run("edit", "5", "--set", "club=", "-q") == .done())
    #expect(try sandbox.run("columns").output.hasPrefix("Club (3 customers)\n"))
    #expect(try sandbox.run("sort", "--by", "Club", "-y", "-q") == .done())
    #expect(try sandbox.ids("list") == "@1 @3 @2 @4 @5")
  }

  @Test func `extra columns are edited in the editor`() throws {
    let sandbox = try CLISandbox.withPeople()
    let editor = try sandbox.editor("sed -i 's/Berlin/Bonn/;s/^Locker Code:.*/Locker Code:/' \"$1\"")
    let result = try sandbox.onTerminal("edit", "1", "--editor", environment: editor)
    #expect(result.code == 0, "\(result)")
    let fields = try sandbox.run(
      "list", "--fields", "Club,PostalCode", "--format", "csv", "--no-header", "-l", "1")
    #expect(fields.output.hasPrefix("Bonn,") && !fields.output.contains("10115"))
    for words in [["edit", "1", "--editor"], ["edit", "1", "--editor", "--no-input"]] {
      let refused = try sandbox.expectUntouched { try sandbox.run(words: words) }
      #expect(refused.code == 4 && refused.errors.hasPrefix("customers: edit needs a terminal"))
    }
  }

  @Test func `the next date is edited in the editor`() throws {
    let sandbox = try CLISandbox.withPeople()
    let editor = try sandbox.editor("sed -i 's/^Next date:.*/Next date: 24.12.2026/' \"$1\"")
    #expect(try sandbox.run("edit", "1", "--editor", "-q", environment: editor) == .done())
    #expect(try sandbox.run("show", "1").output.contains("2026-12-24"))
    let wrong = try sandbox.run(
      "edit", "1", "--editor", environment: sandbox.editor("sed -i 's/^Next date:.*/Next date: soon/' \"$1\"")
    )
    #expect(wrong.code == 2 && wrong.errors.contains("for example: 2026-12-24, friday, or +3d"))
  }

  @Test(arguments: [
    (["list", "--fields", "cl"], ["Club"]), (["list", "--fields", "id,lock"], ["id,Locker Code"]),
    (["sort", "--by", "cl"], ["Club"]), (["columns", "drop", ""], ["Club", "Locker Code"]),
    (["edit", "1", "--set", "cl"], ["Club="]), (["list", "--where", "club=k"], ["club=Köln"]),
    (["list", "--where", "section=c"], ["section=Customers"]),
    (["show", "cust/"], ["cust/1", "cust/2", "cust/3", "cust/4"]),
    (["find", "x", "--in", "cl"], ["Club"]), (["list", "--format", "i"], ["ids"]),
  ])
  func `columns and values are completed`(words: [String], expected: [String]) throws {
    let sandbox = try CLISandbox.withPeople()
    let outcome = try sandbox.run(words: ["__complete", "fish", "--"] + words)
    let found = outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(found == expected, "\(words)")
  }

  @Test func `an edit of one column leaves the digits in the others as they are`() throws {
    let sandbox = try CLISandbox()
    let file = #"[{"name":"Ann","n":12345678901234567890,"m":1.10,"e":1e2,"Floor":"1","o":[1, 2.0]}]"#
    try #require(try sandbox.run("import", "-", "--format", "json", "-q", "-y", stdin: file) == .done())
    let extra = "SELECT extra FROM customers"
    #expect(try sandbox.run("columns", "drop", "Floor", "-y", "-q") == .done())
    #expect(
      try sandbox.sqlite(extra) == #"{"n":12345678901234567890,"m":1.10,"e":1e2,"o":[1, 2.0]}"# + "\n")
    #expect(try sandbox.run("columns", "rename", "e", "E2", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "m=2.50", "--set", "Floor=7", "-q") == .done())
    let edited = #"{"n":12345678901234567890,"m":2.50,"E2":1e2,"o":[1, 2.0],"Floor":"7"}"# + "\n"
    #expect(try sandbox.sqlite(extra) == edited)
    let environment = try sandbox.editor("sed -i 's/^m: 2.50/m: 3/; s/^Floor: 7/Floor: 8/' \"$1\"")
    #expect(try sandbox.run("edit", "1", "--editor", "-q", environment: environment) == .done())
    #expect(
      try sandbox.sqlite(extra) == #"{"n":12345678901234567890,"m":3,"E2":1e2,"o":[1, 2.0],"Floor":"8"}"#
        + "\n"
    )
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.sqlite(extra) == edited)
    try sandbox.expectSound()
  }

  @Test func `how dates are written is said of those that are dates, beside other text`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("Name,Due\nAnn,11/12/2026\nBob,13/12/2026\nCid,later\n", to: "due.csv")
    #expect(try sandbox.run("import", "due.csv", "--kind", "Due=text", "-q", "--yes").code == 0)
    let refused = try sandbox.expectUntouched { try sandbox.run("columns", "kind", "Due", "day-first") }
    #expect(refused.code == 4 && refused.errors.contains("1 customer has a value"), "\(refused)")
    #expect(try sandbox.run("columns", "kind", "Due", "day-first", "--keep-text", "-q") == .done())
    #expect(try sandbox.run("columns").output == "Due (3 customers): date\n")
    #expect(try sandbox.run("list", "--template", "{Due};").output == "2026-12-11;2026-12-13;later;")
  }

  @Test func `a step that replaced or deleted what a column had kept as text is undone by its number`() throws
  {
    let sandbox = try CLISandbox()
    try sandbox.write("Name,Due\nAnn,later\nBob,later\nCid,2026-12-13\n", to: "due.csv")
    #expect(try sandbox.run("import", "due.csv", "--kind", "Due=text", "-q", "--yes").code == 0)
    #expect(try sandbox.run("columns", "kind", "Due", "date", "--keep-text", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "Due=2026-12-11", "-q") == .done())
    #expect(try sandbox.run("delete", "2", "-y", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--note", "n", "-q") == .done())
    for step in ["3", "4"] { #expect(try sandbox.run("undo", step, "-q") == .done()) }
    #expect(try sandbox.run("list", "--template", "{Due};").output == "later;later;2026-12-13;")
  }

  @Test func `days are moments beside others, in the order that is said`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("Name,At\nAnn,2026-11-12 10:00\nBob,3/12/2026\n", to: "at.csv")
    #expect(try sandbox.run("import", "at.csv", "--kind", "At=text", "-q", "--yes").code == 0)
    #expect(try sandbox.run("columns", "kind", "At", "day-first", "-q") == .done())
    #expect(try sandbox.run("columns").output == "At (2 customers): time\n")
    #expect(try sandbox.run("list", "--where", "At>=2026-12-03", "--count") == .done("1"))
  }

  @Test func `a choice in quotes may have commas`() throws {
    let sandbox = try CLISandbox.withPeople()
    #expect(try sandbox.run("add", "Eve", "--set", "Prio=High", "-q") == .done())
    #expect(
      try sandbox.run("columns", "choices", "Prio", #"high,"low, very"#, "-q").code == 2)
    #expect(try sandbox.run("columns", "choices", "Prio", #"high, medium,"low, very""#, "-q") == .done())
    for text in [#""low, very""#, "Low, very"] {
      #expect(try sandbox.run("edit", "2", "--set", "Prio=\(text)", "-q") == .done())
      #expect(try sandbox.run("list", "2", "--template", "{Prio}").output == "low, very")
    }
    #expect(try sandbox.run("edit", "2", "--set", "Prio=", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "Prio=Low, very", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--set", "Prio=low", "-q").code == 2)
    let refused = try sandbox.run("columns", "choices", "Prio", #""low, very",mid"#)
    #expect(
      refused.code == 4 && refused.errors.contains(#"columns choices Prio '"low, very",mid' --keep-text"#),
      "\(refused)")
  }

  @Test func `a way to write numbers that is named reads every value that is not kept`() throws {
    let sandbox = try CLISandbox()
    for text in ["1.234", "1,234.5", "1.234,5"] {
      #expect(try sandbox.run("add", "Ann", "--set", "X=\(text)", "-q") == .done())
    }
    // 1.234 may be 1234.
    for words in [["number"], ["number", "--keep-text"]] {
      let open = try sandbox.expectUntouched { try sandbox.run(words: ["columns", "kind", "X"] + words) }
      #expect(
        open.code == 4
          && open.errors.contains(
            "in 2 ways; to say which: customers columns kind X 1,234.5, or 1.234,5"),
        "\(open)")
    }
    let refused = try sandbox.expectUntouched { try sandbox.run("columns", "kind", "X", "1,234.5") }
    #expect(
      refused.code == 4 && refused.errors.contains("3  @3  Ann: \"1.234,5\"")
        && refused.errors.contains("customers columns kind X 1,234.5 --keep-text"), "\(refused)")
    #expect(try sandbox.run("columns", "kind", "X", "1,234.5", "--keep-text", "-q") == .done())
    #expect(try sandbox.run("list", "--template", "{X};").output == "1.234;1234.5;1.234,5;")
  }

  @Test func `a choice is one line`() throws {
    let sandbox = try CLISandbox.withPeople()
    #expect(try sandbox.run("columns", "add", "K", "--kind", "choice", "-q") == .done())
    for word in ["a\nb,c", "\"a\nb\",c"] {
      let refused = try sandbox.expectUntouched { try sandbox.run("columns", "choices", "K", word) }
      #expect(refused.code == 2 && refused.errors.contains("a choice is one line"), "\(refused)")
    }
  }

  @Test func `a value that the other column can't have is not joined, and the note says why`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "Tel2=555", "-q", "-y") == .done())
    let kept = try sandbox.expectUntouched { try sandbox.run("columns", "join", "Tel2", "Birthday") }
    #expect(
      kept.errors.hasSuffix(
        "note: 1 customer keeps \"Tel2\", because it is not a date:\n     1  @1  Ann: Tel2 \"555\"\n"),
      "\(kept)")
  }

  @Test func `times have one form, whether they are there or imported`() throws {
    let sandbox = try CLISandbox()
    for text in ["2026-12-24 9:30 PM", "2024-04-06 06:01"] {
      #expect(try sandbox.run("add", "Ann", "--set", "At=\(text)", "-q", "-y") == .done())
    }
    #expect(try sandbox.run("columns", "kind", "At", "time", "-q") == .done())
    #expect(
      try sandbox.run("list", "--template", "{At};").output == "2026-12-24T21:30;2024-04-06T06:01;")
  }

  @Test func `a new column in two spellings is one that is given twice`() throws {
    let sandbox = try CLISandbox()
    let refused = try sandbox.run("add", "Ann", "--set", "Übung=5", "--set", "Ubung=6", "-y")
    #expect(refused.code == 2 && refused.errors.contains("\"Ubung\" was given twice"), "\(refused)")
  }
}
