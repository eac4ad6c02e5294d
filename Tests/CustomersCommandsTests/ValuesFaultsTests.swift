import CustomersTestSupport
import Testing

/// Questions and values that got a wrong answer once, silently.
@Suite(.onThreads) struct ValuesFaultsTests {
  /// A list with a column of dates, one of numbers, and one of choices.
  private func list() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try sandbox.write(
      """
      first_name,Due,Age,Amount
      Ann,2026-11-20,31,900.00
      Bob,2026-12-01,62,"1200.50"
      Cid,2026-12-24,45,7

      """, to: "list.csv")
    #expect(try sandbox.run("import", "list.csv", "-q", "--yes").code == 0)
    return sandbox
  }

  private func count(_ sandbox: CLISandbox, _ question: String) throws -> String {
    try sandbox.run("list", "--count", "--where", question).output
  }

  private func cell(_ sandbox: CLISandbox, _ field: String, row: String = "1") throws -> String {
    let result = try sandbox.run("list", "--format", "csv", "--no-header", "--fields", field)
    return String(result.output.split(separator: "\n", omittingEmptySubsequences: false)[(Int(row) ?? 1) - 1])
  }

  // MARK: Comparisons

  @Test(arguments: ["Due<tomorow", "Age<6O", "Due<today+1w+"])
  func `1 2 3 a mistyped value is refused, and deletes no one`(question: String) throws {
    let sandbox = try list()
    let result = try sandbox.expectUntouched { try sandbox.run("delete", "--where", question, "--yes") }
    #expect(result.code == 2, "\(result)")
    #expect(try sandbox.run("list", "--count").output == "3\n")
  }

  @Test func `4 a week from today is a day`() throws {
    let sandbox = try list()
    for (row, due) in [("1", "+1w"), ("2", "+13d"), ("3", "+2w")] {
      #expect(try sandbox.run("edit", row, "--set", "Due=\(due)", "-q") == .done())
    }
    #expect(try count(sandbox, "Due=today+1w") == "1\n")
    #expect(try count(sandbox, "Due<today+2w Due>today") == "2\n")
  }

  @Test(arguments: ["2026-11-20", "20.11.2026", "11/20/2026", "2026-11-20 00:00", "2026-11-20T00:00Z"])
  func `5 6 7 8 a day is found, however a file writes it`(day: String) throws {
    let sandbox = try CLISandbox()
    try sandbox.write("first_name,Due\nAnn,\(day)\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q").code == 0)
    #expect(try count(sandbox, "Due=2026-11-20") == "1\n")
    #expect(try cell(sandbox, "Due") == "2026-11-20")
  }

  @Test func `9 the dates of HubSpot have a time, and are compared`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("First Name,Create Date\nAnn,2026-11-20 10:00\nBob,2026-12-01 09:30\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q").code == 0)
    #expect(try count(sandbox, "\"Create Date\"<2026-12-01") == "1\n")
    #expect(try count(sandbox, "\"Create Date\"=2026-11-20") == "1\n")
  }

  @Test(arguments: [("1.200,50", "2,5"), ("1,200.50", "2.5")])
  func `10 11 numbers of both styles are numbers`(large: String, small: String) throws {
    let sandbox = try CLISandbox()
    try sandbox.write("first_name;Amount\nAnn;\(large)\nBob;\(small)\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q").code == 0)
    #expect(try count(sandbox, "Amount>1000") == "1\n")
    #expect(try cell(sandbox, "Amount") == "1200.50")
  }

  @Test func `a typed number that may be two is refused, and what a program writes is exact`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Amount", "--kind", "number", "-q") == .done())
    for word in ["1.200", "1,200", "12.345", "-1.200"] {
      let refused = try sandbox.run("edit", "1", "--set", "Amount=\(word)")
      #expect(refused.code == 2 && refused.errors.contains("\"\(word)\" may be"), "\(refused)")
      #expect(try sandbox.run("list", "--where", "Amount<\"\(word)\"").code == 2)
    }
    for (typed, stored) in [("1.2", "1.2"), ("1200", "1200"), ("12.3450", "12.3450"), ("0.500", "0.500")] {
      #expect(try sandbox.run("edit", "1", "--set", "Amount=\(typed)", "-q") == .done())
      #expect(try cell(sandbox, "Amount") == stored)
    }
    let edit = #"{"update":{"ids":[1],"set":{"extra":{"Amount":"1.200"}}}}"#
    #expect(try sandbox.run("apply", "-", stdin: edit).code == 0)
    #expect(try cell(sandbox, "Amount") == "1.200")
    #expect(try sandbox.run("export", "out.csv", "--ids", "-q") == .done())
    #expect(try sandbox.run("take", "out.csv", "-q").code == 0)
    #expect(try cell(sandbox, "Amount") == "1.200")
    // The text of an editor is typed, as far as it differs.
    for (from, code) in [("s/^First name.*/First name: Bob/", 0), ("s/1.200/1.300/", 2)] as [(String, Int32)]
    {
      let result = try sandbox.run(
        words: ["edit", "1", "--editor", "-q"], environment: ["EDITOR": "sed -i '\(from)'"])
      #expect(result.code == code, "\(result)")
    }
    #expect(try cell(sandbox, "Amount") == "1.200")
  }

  @Test func `12 the same number is equal`() throws {
    #expect(try count(list(), "Amount=900") == "1\n")
  }

  // MARK: Handing out

  @Test func `13 a list that comes back with German dates is the same`() throws {
    let sandbox = try list()
    let text = try sandbox.run("export", "-", "--format", "csv", "--ids").output.replacing(
      "2026-11-20", with: "20.11.2026"
    )
    .replacing("2026-12-01", with: "01.12.2026").replacing("2026-12-24", with: "24.12.2026")
    try sandbox.write(text, to: "back.csv")
    let result = try sandbox.run("import", "back.csv", "--on-duplicate", "update", "--key", "id", "--json")
    #expect(result.output.contains("\"updated\":0"), "\(result)")
    #expect(try count(sandbox, "Due<2026-12-02") == "2\n")
  }

  @Test func `14 a code keeps its zero`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("first_name,phone,Code\nAnn,0301234,01067\nBob,0305678,10115\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q").code == 0)
    #expect(try cell(sandbox, "phone,Code") == "0301234,01067")
  }

  // MARK: What is typed

  @Test func `15 a day of the week is a date`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("edit", "1-3", "--set", "Due=monday", "-q", "--yes") == .done())
    #expect(try cell(sandbox, "Due").wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
    #expect(try count(sandbox, "Due>today") == "3\n")
  }

  @Test func `16 a minus sorts in descending order`() throws {
    let sandbox = try list()
    let ages = try sandbox.run("list", "--format", "csv", "--no-header", "--fields", "Age", "--sort", "-Age")
    #expect(ages.output == "62\n45\n31\n")
  }

  @Test func `17 a tag is a tag`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("edit", "1", "--set", "Tag=vip", "-q") == .done())
    #expect(try count(sandbox, "tags=vip") == "1\n")
    #expect(!(try sandbox.run("columns").output.contains("Tag")))
  }

  @Test func `18 a name like that of a column has a way out`() throws {
    let sandbox = try list()
    #expect(try sandbox.run("edit", "1", "--set", "Dues=3").code == 2)
    #expect(try sandbox.run("edit", "1", "--set", "Dues=3", "--yes", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "County=Kent", "--set", "Country=France", "-q") == .done())
  }

  // MARK: One meaning, one column

  @Test func `19 a city is found, whichever address book it came from`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("First Name,Home Street,Home City\nAnn,Weg 1,Berlin\n", to: "a.csv")
    try sandbox.write("First Name,Address 1 - Street,Address 1 - City\nBob,Weg 2,Berlin\n", to: "b.csv")
    try sandbox.write("Vorname;Straße;Ort\nCid;Weg 3;Berlin\n", to: "c.csv")
    for file in ["a.csv", "b.csv", "c.csv"] { #expect(try sandbox.run("import", file, "-q").code == 0) }
    #expect(try count(sandbox, "City=Berlin") == "3\n")
    #expect(try sandbox.run("columns").output.isEmpty)
  }

  @Test func `20 birthdays of several address books are one column`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("First Name,Birthday\nAnn,1980-12-24\n", to: "a.csv")
    try sandbox.write("Vorname;Geburtstag\nBob;25.12.1981\n", to: "b.csv")
    try sandbox.write("First Name,Birth Year,Birth Month,Birth Day\nCid,1982,3,7\n", to: "c.csv")
    for file in ["a.csv", "b.csv", "c.csv"] { #expect(try sandbox.run("import", file, "-q").code == 0) }
    #expect(try sandbox.run("columns").output == "Birthday (3 customers): date\n")
    #expect(try count(sandbox, "Birthday<1982-01-01") == "2\n")
    #expect(try cell(sandbox, "Birthday", row: "3") == "1982-03-07")
  }

  @Test func `21 the day of a birthday is no birthday`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("First Name,Birth Year,Birth Month,Birth Day\nAnn,,3,7\n", to: "a.csv")
    let result = try sandbox.run("import", "a.csv")
    #expect(try cell(sandbox, "Birthday") == "--03-07" || cell(sandbox, "Birthday") == "03-07")
    #expect(result.errors.contains("Birthday"), "\(result)")
  }

  @Test func `22 a corrected main phone leaves no old number`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--phone", "home:555-0100", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--phone", "555-0199", "-q") == .done())
    #expect(!(try sandbox.run("show", "1").output.contains("0100")))
    #expect(try sandbox.run("show", "1").output.contains("home"))
  }
}
