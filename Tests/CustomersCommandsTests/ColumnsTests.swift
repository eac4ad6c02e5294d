import CustomersTestSupport
import Testing

/// Extra columns: listed, renamed, dropped, edited, completed.
@Suite(.onThreads) struct ColumnsTests {
  @Test(arguments: try Transcript.sessions("Columns"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `columns are listed, renamed, and dropped, each as one step`() throws {
    let sandbox = try CLISandbox.withPeople()
    #expect(try sandbox.run("columns") == .done("City (3 customers)\nPostal Code (3 customers)"))
    #expect(
      try sandbox.run("columns", "rename", "postalcode", "Zip")
        == .done("Renamed column \"Postal Code\" → \"Zip\"."))
    #expect(try sandbox.run("columns", "--json").output.contains(#"{"name":"Zip","count":3}"#))
    #expect(try sandbox.run("columns", "drop", "CITY", "-q").code == 4)
    #expect(
      try sandbox.run("columns", "drop", "CITY", "-y") == .done("Dropped column \"City\"."))
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("columns") == .done("City (3 customers)\nPostal Code (3 customers)"))
    #expect(try sandbox.run("columns", "drop", "Ctiy", "-y").code == 3)
    for taken in ["E-mail", "section", "Name", "row", "can edit", "ID"] {
      #expect(try sandbox.run("columns", "rename", "City", taken).code == 2, "\(taken)")
    }
    #expect(try sandbox.run("add", "Eve", "--set", "City=Rome", "--set", "New one=1", "-q") == .done())
    #expect(try sandbox.ids("list", "-w", "new-one=1") == "@5")
    #expect(try sandbox.run("edit", "5", "--set", "city=", "-q") == .done())
    #expect(try sandbox.run("columns").output.hasPrefix("City (3 customers)\n"))
    #expect(try sandbox.run("sort", "--by", "City", "-y", "-q") == .done())
    #expect(try sandbox.ids("list") == "@1 @3 @2 @4 @5")
  }

  @Test func `extra columns are edited in the editor`() throws {
    let sandbox = try CLISandbox.withPeople()
    let editor = try sandbox.editor("sed -i 's/Berlin/Bonn/;s/^Postal Code:.*/Postal Code:/' \"$1\"")
    let result = try sandbox.onTerminal("edit", "1", "--editor", environment: editor)
    #expect(result.code == 0, "\(result)")
    let fields = try sandbox.run(
      "list", "--fields", "City,PostalCode", "--format", "csv", "--no-header", "-l", "1")
    #expect(fields.output.hasPrefix("Bonn,") && !fields.output.contains("10115"))
    for words in [["edit", "1", "--editor"], ["edit", "1", "--editor", "--no-input"]] {
      let refused = try sandbox.expectUntouched { try sandbox.run(words: words) }
      #expect(refused.code == 4 && refused.errors.hasPrefix("customers: edit needs a terminal"))
    }
  }

  @Test(arguments: [
    (["list", "--fields", "ci"], ["City"]), (["list", "--fields", "id,post"], ["id,Postal Code"]),
    (["sort", "--by", "ci"], ["City"]), (["columns", "drop", ""], ["City", "Postal Code"]),
    (["edit", "1", "--set", "ci"], ["City="]), (["list", "--where", "city=k"], ["city=Köln"]),
    (["list", "--where", "section=c"], ["section=Customers"]),
    (["show", "cust/"], ["cust/1", "cust/2", "cust/3", "cust/4"]),
    (["find", "x", "--in", "ci"], ["City"]), (["list", "--format", "i"], ["ids"]),
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
}
