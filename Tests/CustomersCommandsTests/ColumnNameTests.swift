import CustomersTestSupport
import Testing

/// Columns that are the same but for case and such: joined by an import, and by hand.
@Suite(.onThreads) struct ColumnNameTests {
  @Test(arguments: try Transcript.sessions("ColumnName"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private func imported(_ files: String..., format: String = "csv") throws -> (CLISandbox, ProcessResult) {
    let sandbox = try CLISandbox()
    var last = ProcessResult(output: "", errors: "", code: 0)
    for file in files { last = try sandbox.run("import", "-", "--format", format, stdin: file) }
    return (sandbox, last)
  }

  @Test(arguments: ["json", "ndjson"])
  func `so does an import of JSON, in columns of its own and in extra`(format: String) throws {
    let (sandbox, _) = try imported(
      #"{"name":"Ann","Club":"Bonn"}"#, #"{"name":"Bob","extra":{"club":"Köln","New":1}}"#,
      #"{"name":"Eve","CLUB":"Rome","new":2}"#, format: format)
    #expect(try sandbox.run("columns").output == "Club (3 customers)\nNew (2 customers)\n")
    #expect(try sandbox.ids("list", "-w", "Club!=") == "@1 @2 @3")
  }

  /// A column of the name would hide what every customer has.
  @Test func `no new extra column is called next or log, however it is made`() throws {
    let (sandbox, result) = try imported("First name,log\nAnn,hello\n")
    #expect(result.code == 0)
    #expect(try sandbox.run("columns").output == "log 2 (1 customer)\n")
    #expect(try sandbox.run("edit", "1", "--set", "log=a").code == 2)
    #expect(try sandbox.run("add", "Bob", "--set", "Log=a", "-y").code == 2)
    for edit in [
      #"{"update":{"ids":[1],"set":{"extra":{"next":"x"}}}}"#,
      #"{"update":{"ids":[1],"set":{"extra":{"LOG":"x"}}}}"#,
      #"{"insert":{"customers":[{"first_name":"Bob","extra":{"log":"x"}}]}}"#,
      #"{"set_column_kind":{"name":"next","kind":"text"}}"#,
      #"{"rename_column":{"name":"log 2","to":"log"}}"#,
    ] {
      let refused = try sandbox.run("apply", "-", "-y", stdin: edit + "\n")
      #expect(refused.code != 0 && refused.errors.contains("called \""), "\(edit) \(refused)")
    }
    #expect(try sandbox.run("columns").output == "log 2 (1 customer)\n")
  }

  @Test func `a script gives no column the name of what every customer has, as columns does not`() throws {
    let (sandbox, result) = try imported("First name,Age\nAnn,30\n")
    #expect(result.code == 0)
    for name in ["Company", "Tags", "First name", "Name", "Section", "row", "id", "position"] {
      #expect(try sandbox.run("columns", "rename", "Age", name).code == 2)
      for edit in [
        #"{"set_column_kind":{"name":"\#(name)","kind":"text"}}"#,
        #"{"rename_column":{"name":"Age","to":"\#(name)"}}"#,
      ] {
        let refused = try sandbox.run("apply", "-", "-y", stdin: edit + "\n")
        #expect(refused.code != 0 && refused.errors.contains("called \"\(name)\""), "\(edit) \(refused)")
      }
    }
    #expect(try sandbox.run("columns").output.hasPrefix("Age (1 customer)"))
  }

  @Test func `a space after each separator is no part of names and values`() throws {
    let (sandbox, result) = try imported("Name, Company, Shoe size\nAnn Lee, Lee & Sons, 38\nBob,,\n")
    #expect(result.code == 0)
    #expect(try sandbox.ids("list", "-w", "company=Lee & Sons", "-w", "Shoe size=38") == "@1")
    let kept = try CLISandbox()
    #expect(try kept.run("import", "-", "--format", "csv", stdin: "Name, Company,City\nAnn, x,y\n").code == 0)
    #expect(try kept.run("list", "--format", "csv", "-f", "company").output == "company\n x\n")
  }

  @Test func `a column without a name in the file gets one, by which it can be named`() throws {
    let (sandbox, result) = try imported(",Name,Phone, \n0,A B,030,x\n1,C D,031,y\n")
    #expect(result.errors.contains("Column 1, Column 4"), "\(result)")
    #expect(try sandbox.run("columns", "rename", "Column 1", "Number", "-q") == .done())
    #expect(try sandbox.run("columns", "drop", "Column 4", "-y", "-q") == .done())
    #expect(try sandbox.ids("list", "-w", "Number=1") == "@2")
  }

  @Test func `so does each of several, and the report has the names that they got`() throws {
    let file = ",Name,,\n0,A B,x,y\n1,C D,z,w\n"
    let (_, result) = try imported(file)
    #expect(result.errors.contains("Column 1, Column 3, Column 4"), "\(result)")
    let answer = try CLISandbox().run("import", "-", "--format", "csv", "--json", stdin: file).output
    #expect(answer.contains(#""kept_columns":["Column 1","Column 3","Column 4"]"#), "\(answer)")
  }

  @Test func `columns are joined by renaming one to the other, in one step`() throws {
    let (sandbox, _) = try imported("name,Club,club\nAnn,Bonn,\nBob,,Köln\n")
    let before = try sandbox.run("list", "--json").output
    for words in [["columns", "rename", "club", "Club", "-n"], ["columns", "rename", "club", "Club"]] {
      let verb = words.count == 5 ? "Would rename" : "Renamed"
      #expect(try sandbox.run(words: words) == .done("\(verb) column \"club\" → \"Club\"."))
    }
    #expect(try sandbox.run("columns") == .done("Club (2 customers)"))
    #expect(try sandbox.ids("list", "-w", "club=köln") == "@2")
    for (command, columns) in [("undo", 2), ("redo", 1), ("undo", 2)] {
      #expect(try sandbox.run(command, "-q").code == 0)
      #expect(try sandbox.run("columns").output.split(separator: "\n").count == columns)
    }
    #expect(try sandbox.run("list", "--json").output == before)
    let like = "customers: there is already a column \"Club\"\nhint: to join the two, write its name exactly"
    #expect(try sandbox.run("edit", "1", "--set", "Guild=x", "-q") == .done())
    #expect(try sandbox.run("columns", "drop", "club", "-y", "-q") == .done())
    #expect(try sandbox.run("columns", "rename", "Guild", "CLUB") == .failed(4, like))
  }
}
