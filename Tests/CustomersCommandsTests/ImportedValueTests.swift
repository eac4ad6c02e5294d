import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// Values of files that are nearly of a kind: what is taken, what is left out, and what is said about it.
@Suite(.onThreads) struct ImportedValueTests {
  private let sandbox: CLISandbox

  init() throws { sandbox = try CLISandbox() }

  private func cells(_ fields: String) throws -> String {
    try sandbox.run("list", "--format", "csv", "--no-header", "--fields", fields).output
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOf: URL(filePath: sandbox.folder + "/" + file), encoding: .utf8)
  }

  private func declare(_ column: String, _ kind: String) throws {
    #expect(try sandbox.run("add", "Eve", "-q") == .done())
    #expect(try sandbox.run("columns", "add", column, "--kind", kind, "-q") == .done())
  }

  /// The text of JSON with customers whose column `Due` has these values.
  private func json(_ values: String...) -> String {
    let rows = values.enumerated().map { #"{"first_name":"A\#($0)","extra":{"Due":"\#($1)"}}"# }
    return "[" + rows.joined(separator: ",") + "]"
  }

  @Test func `a day of zeros is none`() throws {
    try sandbox.write(
      "First Name,Birthday,Anniversary,Due,Version\nAnn,0.0.00,0.0.0000,0000-00-00,0.0.0\n"
        + "Bob,3.2.1990,00/00/00,2026-12-24,0.0.1\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "--yes") == .done())
    #expect(try cells("Birthday,Due,Version") == ",,0.0.0\n1990-02-03,2026-12-24,0.0.1\n")
    #expect(
      try sandbox.run("columns").output
        == "Version (2 customers)\nBirthday (1 customer): date\nDue (1 customer): date\n")
  }

  @Test func `zeros that look like a day stay in a column of other values, and where text is asked for`()
    throws
  {
    try sandbox.write("Name,Code,Due\nAnn,00-00-00,0.0.00\nBob,12-34-56,24.12.2026\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "--yes", "--kind", "Due=text") == .done())
    #expect(try cells("Code,Due") == "00-00-00,0.0.00\n12-34-56,24.12.2026\n")
  }

  @Test func `no one is born after today`() throws {
    try sandbox.write("Name,Birthday,Due\nAnn,13.4.30,13.4.30\nBob,13.4.1950,13.4.31\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "--yes") == .done())
    #expect(try cells("Birthday,Due") == "1930-04-13,2030-04-13\n1950-04-13,2031-04-13\n")
    #expect(try sandbox.run("edit", "2", "-q", "--set", "Birthday=3 Apr 45") == .done())
    #expect(try cells("Birthday").hasSuffix("1945-04-03\n"))
  }

  @Test func `a year of birth in its own column may have two digits, too`() throws {
    try sandbox.write(
      "First Name,Birth Year,Birth Month,Birth Day\nAnn,69,7,5\nBob,30,12,24\nCid,1969,13,5\nDan,1969,2,31\n",
      to: "a.csv")
    #expect(
      try sandbox.run("import", "a.csv").errors.hasPrefix(
        "note: \"Birthday\": \"1969-13-5\" and \"1969-2-31\" are no dates and stay as they are\n"))
    #expect(try cells("Birthday") == "1969-07-05\n1930-12-24\n1969-13-5\n1969-2-31\n")
    try sandbox.write("dn: cn=Eve\ncn: Eve\nbirthyear: 69\nbirthmonth: 7\nbirthday: 5\n", to: "b.ldif")
    #expect(try sandbox.run("import", "b.ldif", "-q") == .done())
    #expect(try cells("Birthday").hasSuffix("\n1969-07-05\n"))
  }

  @Test func `days that may be of two centuries stay text until someone says that they are days`() throws {
    let year = CalendarDay.today.parts.year + 1
    let typed = "31.12.\(year % 100)"
    try sandbox.write("Name,Contract end\nAnn,\(typed)\nBob,31.12.95\nCid,15.01.20\n", to: "a.csv")
    let note =
      "note: the years of two digits of \"Contract end\" may be past ones or to come, so it stays text: \(typed); "
      + "for days at most 20 years from now: --kind \"Contract end=date\"\n"
    #expect(try sandbox.run("import", "a.csv", "-n").errors.contains(note))
    #expect(try sandbox.run("import", "a.csv").errors.hasSuffix(note))
    #expect(try cells("Contract end") == "\(typed)\n31.12.95\n15.01.20\n")
    let days = "\(year)-12-31\n1995-12-31\n2020-01-15\n"
    #expect(try sandbox.run("columns", "kind", "Contract end", "date", "-q") == .done())
    #expect(try cells("Contract end") == days)
    // As what is typed is read, with a note, because the list says only that it has days.
    #expect(try sandbox.run("delete", "--where", "name!=", "-y", "-q") == .done())
    #expect(
      try sandbox.run("import", "a.csv", "--yes").errors.hasSuffix(
        "note: the years of two digits of \"Contract end\" are at most 20 years from now, though some may be past ones\n"
      ))
    #expect(try cells("Contract end") == days)
    #expect(try sandbox.run("edit", "1", "-q", "--set", "Contract end=\(typed)") == .done())
    #expect(try cells("Contract end") == days)
  }

  @Test func `a date takes the day of a time, and the preview says so`() throws {
    try sandbox.write(
      "First Name,Last Activity Date\nAnn,2026-11-21 10:30\nBob,2026-11-22 09:00\n", to: "a.csv")
    let lost =
      "note: \"Last contact\" has dates, so the times of day are left out; to keep them: "
      + "--kind \"Last Activity Date=time\"\n"
    #expect(try sandbox.run("import", "a.csv", "-n").errors.contains(lost))
    #expect(try sandbox.run("import", "a.csv").errors.hasSuffix(lost))
    #expect(try cells("Last contact") == "2026-11-21\n2026-11-22\n")
    #expect(try sandbox.run("list", "--count", "--where", "Last contact<2026-11-22") == .done("1"))
    try sandbox.write("First Name,Due\nCid,2026-11-21 10:30\nDan,soon\n", to: "b.csv")
    #expect(try sandbox.run("import", "b.csv", "--kind", "Due=date", "--rejects", "r.csv", "-q").code == 0)
    #expect(try cells("Due").hasSuffix("\n2026-11-21\n"))
    // What the list has declared says the same.
    try sandbox.write("First Name,Due\nEve,2026-11-23 11:30\n", to: "c.csv")
    #expect(
      try sandbox.run("import", "c.csv").errors.hasSuffix(
        "note: \"Due\" has dates, so the times of day are left out\n"))
  }

  @Test func `a known column keeps the time, if that is asked`() throws {
    try sandbox.write("First Name,Last Activity Date\nAnn,2026-11-21 10:30\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "--kind", "Last Activity Date=time", "-q") == .done())
    #expect(try sandbox.run("columns").output == "Last contact (1 customer): time\n")
    #expect(try cells("Last contact") == "2026-11-21T10:30\n")
  }

  @Test func `a declared column can't be imported as another kind`() throws {
    try declare("Due", "date")
    try sandbox.write("first_name,Due\nAnn,soon\n", to: "a.csv")
    for word in ["text", "number", "1,234.5"] {
      let result = try sandbox.expectUntouched {
        try sandbox.run("import", "a.csv", "--kind", "Due=\(word)")
      }
      #expect(
        result
          == .failed(
            2,
            """
            customers: the values of "Due" in the list are declared as date
            hint: to change that first: customers columns kind "Due" \(word)
            """), "\(result)")
    }
  }

  @Test func `a value that is not of the chosen kind is a bad row`() throws {
    try sandbox.write("first_name,Due\nAnn,24.12.2026\nBob,soon\nCid,25.12.2026\n", to: "a.csv")
    let result = try sandbox.expectUntouched { try sandbox.run("import", "a.csv", "--kind", "Due=date") }
    #expect(
      result.code == 1
        && result.errors.contains("line 3: Due is not a date; for example: 2026-12-24: Bob,soon"),
      "\(result)")
    #expect(try sandbox.run("import", "a.csv", "--kind", "Due=date", "--rejects", "r.csv", "-q").code == 0)
    #expect(try text("r.csv") == "first_name,Due\nBob,soon\n")
    #expect(try cells("Due") == "2026-12-24\n2026-12-25\n")
    try sandbox.write("first_name,Room\nAnn,01067\nBob,10115\n", to: "b.csv")
    #expect(try sandbox.run("import", "b.csv", "--kind", "Room=number", "-q") == .done())
    #expect(try sandbox.run("list", "--count", "--where", "Room<10115") == .done("1"))
    // One way to write them leaves out another.
    try sandbox.write("first_name,Club\nAnn,11/12/2026\nBob,11/25/2026\n", to: "c.csv")
    let other = try sandbox.expectUntouched { try sandbox.run("import", "c.csv", "--kind", "Club=day-first") }
    #expect(other.code == 1 && other.errors.contains("line 3: Club is not a date"), "\(other)")
  }

  @Test func `a column of which nearly all values are dates says so`() throws {
    let rows = (1...30).map { "A\($0),2026-11-\($0 < 10 ? "0" : "")\($0)" }
    for bad in [0, 7, 30] {
      var rows = rows
      rows.insert("Bob,soon", at: bad)
      try sandbox.write("first_name,Due\n" + rows.joined(separator: "\n") + "\n", to: "a.csv")
      #expect(
        try sandbox.run("import", "a.csv", "-n").errors.contains(
          "note: Due: 30 of 31 values are dates, so it stays text; to say so: --kind \"Due=date\"\n"))
    }
  }

  @Test func `what is proposed for a column works`() throws {
    try sandbox.write(json("11/12/2026", "10/11/2026"), to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    #expect(
      try sandbox.run("columns").errors
        == "note: Due: 2 of 2 values are dates; to say so: customers columns kind Due day-first, or month-first\n"
    )
    let refused = try sandbox.expectUntouched { try sandbox.run("columns", "kind", "Due", "date") }
    #expect(
      refused.code == 4
        && refused.errors.hasSuffix(
          "hint: they can be read in 2 ways; to say which: customers columns kind Due day-first, or month-first\n"
        ),
      "\(refused)")
    #expect(try sandbox.run("columns", "kind", "Due", "day-first", "-q") == .done())
    #expect(try cells("Due") == "2026-12-11\n2026-11-10\n")
    #expect(try sandbox.run("columns").output == "Due (2 customers): date\n")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("columns", "kind", "Due", "month-first", "-q") == .done())
    #expect(try cells("Due") == "2026-11-12\n2026-10-11\n")
    #expect(try sandbox.run("columns", "kind", "Due", "day-last").code == 2)
  }

  @Test func `the hint of a refused kind can be typed`() throws {
    try sandbox.write(json("24.12.2026", "soon"), to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    let refused = try sandbox.run("columns", "kind", "Due", "date")
    let hint = "hint: to let these values stay as they are: customers columns kind Due date --keep-text\n"
    #expect(refused.code == 4 && refused.errors.hasSuffix(hint), "\(refused)")
    let choices = try sandbox.run("columns", "choices", "Due", "now,later on")
    #expect(
      choices.errors.hasSuffix("customers columns choices Due \"now,later on\" --keep-text\n"), "\(choices)")
    #expect(try sandbox.run("columns", "kind", "Due", "date", "--keep-text", "-q") == .done())
    #expect(try cells("Due") == "2026-12-24\nsoon\n")
  }

  @Test func `what a file that comes back can't say has hints that can be typed`() throws {
    for (name, due) in [("Ann", "2026-11-25"), ("Bob", "2026-11-28")] {
      #expect(try sandbox.run("add", name, "--set", "Due=\(due)", "-q") == .done())
    }
    #expect(try sandbox.run("columns", "kind", "Due", "date", "-q") == .done())
    #expect(try sandbox.run("export", "out.csv", "--ids", "-q") == .done())
    let file = try text("out.csv")
    let update = "customers import back.csv --on-duplicate update --key id"
    try sandbox.write(file.replacing("2026-11-25", with: "soon"), to: "back.csv")
    let bad = try sandbox.expectUntouched { try sandbox.run("take", "back.csv") }
    #expect(bad.code == 1 && bad.errors.hasSuffix("\(update) --rejects rejected.csv\n"), "\(bad)")
    try sandbox.write(file.replacing("2026-11-25", with: "11/12/2026"), to: "back.csv")
    let open = try sandbox.expectUntouched { try sandbox.run("take", "back.csv") }
    #expect(
      open
        == .failed(
          2,
          """
          customers: back.csv: values of "Due", first in line 2, can be read in 2 ways
          hint: write such values as 2026-12-24; or take the values alone: \(update) --kind "Due=day-first" or \
          --kind "Due=month-first"
          """), "\(open)")
    #expect(
      try sandbox.run(
        "import", "back.csv", "--on-duplicate", "update", "--key", "id", "--kind", "Due=day-first", "-q"
      ).code == 0)
    #expect(try cells("Due") == "2026-12-11\n2026-11-28\n")
  }

  @Test func `an own column with other values is not taken for a known one`() throws {
    try sandbox.write(#"[{"first_name":"Eve","extra":{"Birth Day":"3"}}]"#, to: "eve.json")
    #expect(try sandbox.run("import", "eve.json", "-q").code == 0)
    try sandbox.write("Name,Birthday\nAnn,1980-12-24\n", to: "a.csv")
    #expect(!(try sandbox.run("check").errors.contains("join")))
    let result = try sandbox.run("import", "a.csv")
    #expect(result.code == 0 && !result.errors.contains("to join"), "\(result)")
    #expect(try cells("Birth Day,Birthday") == "3,\n,1980-12-24\n")
    #expect(
      try sandbox.run("columns")
        == .done("Birth Day (1 customer)\nBirthday (1 customer): date"))
    // The same name is the same column.
    try sandbox.write("Name,birth day\nBob,4\n", to: "b.csv")
    #expect(try sandbox.run("import", "b.csv", "-q").code == 0)
    #expect(try cells("Birth Day").hasSuffix("\n4\n"))
  }

  @Test func `an object with a bad value is named`() throws {
    try declare("Due", "date")
    try sandbox.write(json("24.12.2026", "soon"), to: "a.json")
    let bad = try sandbox.expectUntouched { try sandbox.run("import", "a.json") }
    #expect(
      bad.code == 1 && bad.errors.hasPrefix("customers: a.json:1: customer 2: Due is not a date"), "\(bad)")
    try sandbox.write(json("2026-12-24", "11/12/2026"), to: "a.json")
    let open = try sandbox.expectUntouched { try sandbox.run("import", "a.json") }
    #expect(open.code == 2 && open.errors.contains("values of \"Due\""), "\(open)")
    #expect(try sandbox.run("import", "a.json", "--kind", "Due=month-first", "-q").code == 0)
    #expect(
      try cells("Due") == "\"\"\n2026-12-24\n2026-11-12\n" || cells("Due") == "\n2026-12-24\n2026-11-12\n")
  }

  @Test func `contacts of other kinds and addresses in parts are understood`() throws {
    try sandbox.write(
      #"""
      [{"name":"Ann","contacts":[{"kind":"skype","label":"work","value":"ann.lee"},{"kind":"phone","value":"555-0100"},
        {"kind":"mobile","value":"555-0101"}],"address_parts":{"street":"Weg 1","city":"Ulm"}}]
      """#, to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q") == .done())
    #expect(
      try cells("phone,other_contacts,address,City")
        == "555-0100,\"skype work: ann.lee\nphone mobile: 555-0101\",\"Weg 1\nUlm\",Ulm\n")
    #expect(try sandbox.run("columns").output.isEmpty)
  }

  @Test func `a new column is what its name means, and none is beside what the list has`() throws {
    #expect(try sandbox.run("add", "Eve", "-q") == .done())
    for name in ["Birthday", "Last contact", "Website"] {
      #expect(try sandbox.run("columns", "add", name, "-q") == .done())
    }
    #expect(
      try sandbox.run("columns").output
        == "Birthday (0 customers): date\nLast contact (0 customers): date\nWebsite (0 customers): link\n")
    for (name, hint) in [("City", "City=VALUE"), ("tag", "tags=VALUE"), ("Telefon", "phone=VALUE")] {
      let refused = try sandbox.expectUntouched { try sandbox.run("columns", "add", name) }
      #expect(
        refused.code == 4
          && refused.errors.hasSuffix("hint: to set it: customers edit ROW --set \"\(hint)\"\n"),
        "\(refused)")
    }
  }

  @Test func `check lists the values that are not of their kind`() throws {
    try sandbox.write(json("24.12.2026", "soon"), to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    #expect(try sandbox.run("columns", "kind", "Due", "date", "--keep-text", "-q") == .done())
    #expect(
      try sandbox.run("check").errors.contains(
        "note: 1 value of \"Due\" is not a date\n     2  @2  A1: Due \"soon\"\n"))
    #expect(
      try sandbox.run("check", "--format", "json").output.contains(
        #""misfits":[{"column":"Due","kind":"date","id":2,"name":"A1","value":"soon"}]"#))
  }

  @Test func `all dates of a file are in the order that one column decides`() throws {
    #expect(try sandbox.run("add", "Eve", "--set", "Birthday=1970-01-02", "-q") == .done())
    try sandbox.write("First Name,Birthday,Anniversary\nBob,5/3/1980,6/17/2005\n", to: "a.csv")
    let follows = "note: the dates of \"Birthday\" are read in the order of those of \"Anniversary\"\n"
    #expect(try sandbox.run("import", "a.csv", "-n").errors.contains(follows))
    #expect(try sandbox.run("import", "a.csv", "-y").code == 0)
    #expect(try cells("Birthday,Anniversary") == "1970-01-02,\n1980-05-03,2005-06-17\n")
    // A contradiction decides nothing.
    try sandbox.write("First Name,Guild,Club,Room\nBob,5/3/1980,6/17/2005,17/6/2005\n", to: "b.csv")
    #expect(
      try sandbox.run("import", "b.csv").errors.contains(
        "the values of \"Guild\" may be dates in 2 ways, so they stay text"))
  }
}
