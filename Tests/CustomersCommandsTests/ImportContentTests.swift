import Foundation
import CustomersTestSupport
import Testing

/// The format of a file: uncertainty is reported, never guessed away.
@Suite(.onThreads) struct ImportContentTests {
  @Test(arguments: try Transcript.sessions("ImportContent"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: [
    ("[\n {\"name\":\"Ann\"}]", "as csv: it is JSON\nhint: add --format json", 2),
    ("{\"name\":\"Ann\"}\n{", "as csv: it is JSON\nhint: add --format json", 2),
    ("begin:vcard\r\n", "as csv: it is a vCard\nhint: add --format vcard", 2),
    (
      "PK\u{3}\u{4}…",
      "as csv: it is a spreadsheet or another zip file\nhint: if it is an xlsx file, add --format xlsx",
      1
    ),
    ("%PDF-1.7", "as csv: it is a PDF\nhint: save it as CSV and import that", 1),
  ])
  func `a file that is not a table is not read as one`(content: String, message: String, code: Int32) throws {
    let sandbox = try CLISandbox()
    let answer = try sandbox.run("import", "-", stdin: content)
    #expect(answer == .failed(code, "customers: can't read standard input " + message))
    try sandbox.write(content, to: "list.csv")
    #expect(
      try sandbox.run("import", "list.csv", "-n").errors.hasPrefix(
        "customers: can't read list.csv \(message)"))
    #expect(try sandbox.run("import", "-", "--format", "csv", stdin: content).code == code)
  }

  @Test(arguments: ["list.xls", "list.ods", "a.b/list.dat"])
  func `an unknown file name extension is reported, for import and export`(name: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let end = name.split(separator: ".").last ?? ""
    let message = """
      customers: can't tell the format of "\(name)" from .\(end)
      hint:
      """
    let formats = " add --format csv|tsv|xlsx|json|ndjson|vcard"
    let sheet = " save it as xlsx or CSV, and import that"
    #expect(try sandbox.run("export", name) == .failed(2, message + formats + "|ics|markdown"))
    #expect(
      try sandbox.run("import", name) == .failed(2, message + (end == "dat" ? formats + "|ldif" : sheet)))
    #expect(try sandbox.names == ["customers.sqlite"])
  }

  @Test(arguments: [
    ("list", "first_name,"), ("list.CSV", "first_name,"), (".csv", "first_name,"), ("a.txt", "first_name,"),
    ("list.tab", "first_name\t"), ("list.jsonl", "{"), ("list.JSON", "["), ("a.b.vcf", "BEGIN:VCARD"),
  ])
  func `the file name determines the format`(name: String, start: String) throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(try sandbox.run("export", name, "-q") == .done())
    let text = try String(contentsOfFile: "\(sandbox.folder)/\(name)", encoding: .utf8)
    #expect(text.hasPrefix(start))
    #expect(try sandbox.run("import", name, "-n", "-q").code == 0)
  }

  @Test func `a preview shows the first lines of a long customer`() throws {
    let sandbox = try CLISandbox()
    let addresses = (1...100).map { "a\($0)@b.co" }
    try sandbox.write("name,email\nAnn,\(addresses.joined(separator: ";"))\n", to: "long.csv")
    let result = try sandbox.run("import", "long.csv", "--dry-run")
    // Ann, the main address, and 38 others.
    #expect(result.output.contains("a39@b.co\n  … and 61 more lines\n"), "\(result.output)")
    #expect(try sandbox.run("import", "long.csv", "-q").code == 0)
    #expect(try sandbox.run("list", "--json").output.contains("a100@b.co"))
  }

  @Test func `with json the file has the format that was asked for, and the answer is JSON`() throws {
    let sandbox = try CLISandbox.withDemo()
    let answer = #"{"op":"export","file":"s.csv","count":10}"#
    #expect(try sandbox.run("export", "s.csv", "--format", "csv", "--json") == .done(answer))
    let csv = try String(contentsOfFile: sandbox.folder + "/s.csv", encoding: .utf8)
    #expect(csv.hasPrefix("first_name,last_name,"))
    #expect(try sandbox.run("export", "s.csv", "--json", "-y") == .done(answer))
    #expect(try String(contentsOfFile: sandbox.folder + "/s.csv", encoding: .utf8) == csv)
    #expect(try sandbox.run("export", "--format", "csv", "--json").output == csv)
    #expect(try sandbox.run("export", "--json").output.hasPrefix("[\n{"))
    #expect(
      try sandbox.run("import", "s.csv", "-n", "--json").output.hasPrefix(#"{"op":"import","imported":10,"#))
    #expect(try sandbox.run("export", "s.json", "--crlf").code == 2)
  }

  @Test(arguments: [
    ("Name;Firma;E-Mail\nAnn Lee;Acme, Ltd.;a@x\n", "';'", "Lee|Acme, Ltd.|a@x"),
    ("name\tcompany\temail\nAnn Lee\tAcme\ta@x\n", "tab", "Lee|Acme|a@x"),
    ("name|email|company\nAnn Lee|a@x|Acme\n", "'|'", "Lee|Acme|a@x"),
    ("name,note;x\nAnn Lee,1\n", nil, "Lee||"),
  ])
  func `the delimiter is detected from the header`(file: String, name: String?, row: String)
    throws
  {
    let sandbox = try CLISandbox()
    let preview = try sandbox.run("import", "-", "-n", stdin: file)
    #expect(preview.code == 0, "\(preview)")
    #expect(preview.output.hasPrefix("Fields are separated by \(name ?? "").\n") == (name != nil))
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    #expect(try sandbox.sqlite("SELECT last_name, company, email FROM customers") == row + "\n")
  }

  @Test func `many columns are read and written in linear time, and too many are refused`()
    throws
  {
    let sandbox = try CLISandbox()
    let count = isLong ? 19_000 : 2_000
    let names = (1...count).map { "c\($0)" }
    let row = "\n" + (["Ann"] + names).joined(separator: ",")
    let file = (["name"] + names).joined(separator: ",") + row + row + row
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    let exported = try sandbox.run("export").output
    #expect(
      exported.split(separator: "\n").map { $0.split(separator: ",").count } == [
        count + 11, count + 5, count + 5, count + 5,
      ])
    #expect(try sandbox.run("import", "-", "-q", "--db", "copy.sqlite", stdin: exported) == .done())
    #expect(try sandbox.run("export", "--db", "copy.sqlite").output == exported)
    let wide = "name," + (1...20_001).map { "c\($0)" }.joined(separator: ",") + "\n"
    let told = "customers: standard input:1: more than 20000 columns\nNothing was imported."
    #expect(try sandbox.run("import", "-", stdin: wide) == .failed(1, told))
    let long = "name\n" + String(repeating: "x", count: isLong ? 60_000_000 : 17_000_000) + "\n"
    #expect(
      try sandbox.run("import", "-", stdin: long).errors.hasPrefix(
        "customers: standard input:2:1: a row of more"))
  }

  @Test func `invalid UTF-8 is not exported as something else`() throws {
    let sandbox = try CLISandbox.withLetters()
    try #require(try sandbox.run("edit", "1", "--note", "a real \u{fffd}", "-q") == .done())
    #expect(try sandbox.run("export", "-q").code == 0)
    _ = try sandbox.sqlite("UPDATE customer_record SET note = CAST(X'41FF' AS TEXT) WHERE id = 3")
    let told = """
      customers: row 3 has bytes in note that are not UTF-8
      Nothing was exported.
      hint: to re-enter that value: customers edit @3
      """
    for format in ["csv", "tsv", "json", "ndjson", "vcard"] {
      #expect(try sandbox.run("export", "a", "--format", format) == .failed(1, told))
    }
    #expect(try sandbox.names == ["customers.sqlite"])
    #expect(try sandbox.run("edit", "3", "--note", "A", "-q") == .done())
    #expect(try sandbox.run("export", "-q").code == 0)
  }
}
