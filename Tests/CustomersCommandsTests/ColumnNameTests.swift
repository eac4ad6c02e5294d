import CustomersTestSupport
import Testing

/// Columns that are the same but for case and such: joined by an import, and by hand.
@Suite(.onThreads) struct ColumnNameTests {
  private func imported(_ files: String..., format: String = "csv") throws -> (CLISandbox, ProcessResult) {
    let sandbox = try CLISandbox()
    var last = ProcessResult(output: "", errors: "", code: 0)
    for file in files { last = try sandbox.run("import", "-", "--format", format, stdin: file) }
    return (sandbox, last)
  }

  @Test func `an import finds the column that the list has, however the file writes it`() throws {
    let first = "name,CustomerID,Postal Code\nAnn,1,53111\n"
    let (sandbox, result) = try imported(first, "name,CustomerId,postal-code\nBob,2,50667\n")
    #expect(
      result.code == 0
        && result.errors == "note: columns without a field, kept as extra columns: CustomerId, postal-code\n")
    #expect(
      try sandbox.run("columns").output == "CustomerID (2 customers)\nPostal Code (2 customers)\n")
    let shown = try sandbox.run("import", "-", "-n", stdin: "name,CUSTOMERID\nEve,3\n")
    #expect(shown.output.contains("CUSTOMERID → extra column \"CustomerID\"\n"), "\(shown)")
    let json = try sandbox.run("import", "-", "-n", "--json", stdin: "name,CUSTOMERID\nEve,3\n")
    #expect(json.output.contains(#"{"name":"CUSTOMERID","goes_to":"extra.CustomerID"}"#), "\(json)")
    let update = "email,CUSTOMERID,note\n,2,x\n"
    #expect(
      try sandbox.run(
        "import", "-", "-q", "--on-duplicate", "update", "--key", "customerid", stdin: update) == .done())
    #expect(try sandbox.ids("list", "-w", "note=x") == "@2")
  }

  @Test(arguments: ["json", "ndjson"])
  func `so does an import of JSON, in columns of its own and in extra`(format: String) throws {
    let (sandbox, _) = try imported(
      #"{"name":"Ann","City":"Bonn"}"#, #"{"name":"Bob","extra":{"city":"Köln","New":1}}"#,
      #"{"name":"Eve","CITY":"Rome","new":2}"#, format: format)
    #expect(try sandbox.run("columns").output == "City (3 customers)\nNew (2 customers)\n")
    #expect(try sandbox.ids("list", "-w", "City!=") == "@1 @2 @3")
  }

  @Test func `columns that a file keeps apart stay apart, and a note says so`() throws {
    let file = "name,City,city\nAnn,Bonn,\nBob,,Köln\n"
    let (sandbox, result) = try imported(file)
    let note = """
      note: columns without a field, kept as extra columns: City, city
      note: "City" and "city" are 2 columns; to join two: customers columns rename "city" "City"

      """
    #expect(result.code == 0 && result.errors == note, "\(result)")
    // Where the list has both, the exact names are found, and nothing is new.
    let again = try sandbox.run("import", "-", "-y", stdin: file)
    #expect(again.errors == "note: columns without a field, kept as extra columns: City, city\n", "\(again)")
    #expect(try sandbox.run("columns").output == "City (2 customers)\ncity (2 customers)\n")
    let either = try sandbox.expectUntouched { try sandbox.run("import", "-", stdin: "name,CITY\nEve,x\n") }
    #expect(
      either == .failed(3, "customers: \"CITY\" may be \"City\" or \"city\"\nhint: write the name exactly"))
    #expect(
      try sandbox.run("import", "-", "-q", "--map", "CITY=extra.City", stdin: "name,CITY\nEve,x\n").code == 0)
    // A list that has one of them keeps both of a file that has both.
    let (other, _) = try imported("name,City\nAnn,Bonn\n", file)
    #expect(try other.run("columns").output == "City (2 customers)\ncity (1 customer)\n")
  }

  @Test func `columns are joined by renaming one to the other, in one step`() throws {
    let (sandbox, _) = try imported("name,City,city\nAnn,Bonn,\nBob,,Köln\n")
    let before = try sandbox.run("list", "--json").output
    for words in [["columns", "rename", "city", "City", "-n"], ["columns", "rename", "city", "City"]] {
      let verb = words.count == 5 ? "Would rename" : "Renamed"
      #expect(try sandbox.run(words: words) == .done("\(verb) column \"city\" → \"City\"."))
    }
    #expect(try sandbox.run("columns") == .done("City (2 customers)"))
    #expect(try sandbox.ids("list", "-w", "city=köln") == "@2")
    for (command, columns) in [("undo", 2), ("redo", 1), ("undo", 2)] {
      #expect(try sandbox.run(command, "-q").code == 0)
      #expect(try sandbox.run("columns").output.split(separator: "\n").count == columns)
    }
    #expect(try sandbox.run("list", "--json").output == before)
    let like = "customers: there is already a column \"City\"\nhint: to join the two, write its name exactly"
    #expect(try sandbox.run("edit", "1", "--set", "Town=x", "-q") == .done())
    #expect(try sandbox.run("columns", "drop", "city", "-y", "-q") == .done())
    #expect(try sandbox.run("columns", "rename", "Town", "CITY") == .failed(4, like))
  }

  @Test func `columns that one customer has are not joined, and the customers are named`() throws {
    let (sandbox, _) = try imported("name,A,B\nAnn,1,\nBob,2,3\nEve,,4\nGus,5,6\n")
    let refused = """
      customers: 2 customers have both "A" and "B"
           2  @2  Bob
           4  @4  Gus
      hint: to clear a value: customers edit ROW --set "A="
      """
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("columns", "rename", "A", "B") == .failed(4, refused))
    }
  }

  @Test func `messages spell a column as it is written`() throws {
    let (sandbox, _) = try imported("name,email,CustomerId\nAnn,a@x,1\nAnn,a@x,2\n")
    #expect(
      try sandbox.run("edit", "1", "--set", "Priority=A", "--set", "note=x")
        == .done("Edited \"Ann\", row 1: note, Priority."))
    let merged = try sandbox.run("merge", "1", "2").output
    #expect(merged.hasSuffix("Edited \"Ann\", row 1: CustomerId 2.\n"), "\(merged)")
  }
}
