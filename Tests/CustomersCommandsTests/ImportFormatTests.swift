import CustomersTestSupport
import Foundation
import Testing

/// Valid and invalid CSV.
@Suite(.onThreads) struct ImportFormatTests {
  @Test(arguments: try Transcript.sessions("ImportFormat"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: [
    ("plain", "name,note\nAnn,x\nBob,y\n"),
    ("CR LF", "name,note\r\nAnn,x\r\nBob,y\r\n"),
    ("no end of the last line", "name,note\nAnn,x\nBob,y"),
    ("a byte order mark", "\u{feff}name,note\nAnn,x\nBob,y\n"),
    ("a quoted header after a mark", "\u{feff}\"name\",note\nAnn,x\nBob,y\n"),
    ("empty lines at the end", "name,note\nAnn,x\nBob,y\n\n\r\n\n"),
    ("empty lines between", "name,note\n\nAnn,x\n\nBob,y\n"),
    ("quotes that need not be", "\"name\",\"note\"\n\"Ann\",\"x\"\n\"Bob\",\"y\"\n"),
    ("another order of columns", "note,name\nx,Ann\ny,Bob\n"),
  ])
  func `one list, written in many ways`(_: String, file: String) throws {
    let sandbox = try CLISandbox()
    #expect(
      try sandbox.run("import", "-", stdin: file) == .done("Imported 2 customers; the list has 2 rows."))
    #expect(
      try sandbox.sqlite(#"SELECT first_name, last_name, note FROM customers ORDER BY "order""#)
        == "Ann||x\nBob||y\n")
  }

  @Test func `quoted fields keep commas, quotes, and line ends`() throws {
    let sandbox = try CLISandbox()
    let file = "name,note\nAnn,\"a, \"\"b\"\"\r\nc\nd\"\nBob,\"\"\"\"\nEve,\"\"\n"
    #expect(try sandbox.run("import", "-", "-q", stdin: file) == .done())
    let notes = try jsonArray(sandbox.run("list", "--json").output).compactMap { $0["note"] as? String }
    #expect(notes == ["a, \"b\"\r\nc\nd", "\"", ""])
    // And what list writes as CSV comes in again as it was.
    let csv = try sandbox.run("list", "--format", "csv").output
    let other = try CLISandbox()
    #expect(try other.run("import", "-", "-q", stdin: csv) == .done())
    #expect(try jsonArray(other.run("list", "--json").output).compactMap { $0["note"] as? String } == notes)
  }

  @Test func `every line with too few or too many fields is reported, and nothing is imported`() throws {
    let sandbox = try CLISandbox.withLetters()
    let file = "name,note\nAnn,x\nBob\nEve,\"two\nlines\"\nFay,a,b\nGus,y\nHal,1,2,3\nIda,z,,\n"
    let message = """
      customers: standard input: 3 rows can't be imported
           line 3: expected 2 fields, found 1: Bob
           line 6: expected 2 fields, found 3: Fay,a,b
           line 8: expected 2 fields, found 4: Hal,1,2,3
      Nothing was imported.
      hint: to import the valid rows and write the others to FILE, add --rejects FILE
      """
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("import", "-", stdin: file) == .failed(1, message))
      let json = try sandbox.run("import", "-", "--json", stdin: file).errors
      #expect(
        try (jsonObject(json)["error"] as? [String: Any])?["details"] as? [String] == [
          "     line 3: expected 2 fields, found 1: Bob",
          "     line 6: expected 2 fields, found 3: Fay,a,b",
          "     line 8: expected 2 fields, found 4: Hal,1,2,3",
        ])
    }
    let count = isLong ? 300_000 : 3_000
    let many = "name,note\n" + String(repeating: "Ann,x,y\n", count: count)
    let lines = try sandbox.run("import", "-", stdin: many).errors.split(separator: "\n")
    #expect(lines.count == 1004 && lines[1001] == "     … and \(count - 1_000) more")
  }

  @Test(arguments: [
    ("name,note\nAnn,x\nBob,\"y\nz\n", ":3:5: a quoted field starts here and never ends"),
    ("name,note\nAnn,x\nBo\u{0}b,\u{1}\nEve,\"\n", ":4:5: a quoted field starts here and never ends"),
  ])
  func `a file that can't be split into rows is not imported at all`(file: String, message: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let path = try sandbox.write(file, to: "list.csv")
    try sandbox.expectUntouched { () throws in
      for words in [["import", path], ["import", path, "-n"], ["import", path, "--rejects", "bad.csv"]] {
        let result = try sandbox.run(words: words)
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("customers: \(path)\(message)\nNothing was imported.\n"), "\(result)")
      }
    }
    #expect(try sandbox.names == ["customers.sqlite", "list.csv"])
  }

  @Test func `the line of a card or an entry that can't be read is shown`() throws {
    let sandbox = try CLISandbox()
    for (format, file, line) in [
      ("vcard", "BEGIN:VCARD\nFN:A\nEND:VCARD\n\nBEGIN:VCARD\r\nFN:B\r\nBAD LINE\r\nEND:VCARD\r\n", 7),
      ("ldif", "dn: cn=a\ncn: A\n\n\ndn: cn=b\ncn: B\nBAD LINE\nsn: C\n", 7),
    ] {
      let result = try sandbox.run("import", "-", "--format", format, stdin: file)
      #expect(
        result.errors.contains("line \(line): ") && result.errors.contains("colon, and value: BAD LINE\n"),
        "\(result)")
    }
  }

  @Test(arguments: [
    ("json", #"[{"name":"Ann"},{"name":"Bob","note":"a\u0000b"}]"#),
    ("ndjson", #"{"name":"Ann"}"# + "\n" + #"{"name":"Bob","extra":{"Club":"a\u0000b"}}"#),
    (
      "vcard",
      "BEGIN:VCARD\nVERSION:3.0\nFN:A\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:B\nNOTE:a\0b\nEND:VCARD\n"
    ),
    ("ldif", "dn: cn=a\ncn: A\n\ndn: cn=b\ncn:: QgBC\n"),
  ])
  func `a NUL of another program is refused in every format`(format: String, file: String) throws {
    let sandbox = try CLISandbox()
    let result = try sandbox.run("import", "-", "--format", format, "-q", stdin: file)
    #expect(result.code == 1 && result.errors.contains(": a NUL character"), "\(result)")
  }

  @Test(arguments: [
    (
      "Ann,\"x\"y\nEve,z",
      "2:8: text after a closing quote; a quote inside a field is doubled: Ann,\"x\"y"
    ),
    (
      "Ann,\"x\ny\" \"\n", "3:3: text after a closing quote; a quote inside a field is doubled: Ann,\"x"
    ),
    ("Ann,\"x\ny\"\nBo\u{0}b,\u{1}\n", "4:3: a NUL byte: Bo\\u{0}b,\\u{1}"),
    ("Ann,\"x\n\ny\u{0}\"", "4:2: a NUL byte: Ann,\"x"),
    ("Ann,x,y\n", "2: expected 2 fields, found 3: Ann,x,y"),
  ])
  func `a bad row is reported with its line and byte, and nothing is imported`(rows: String, message: String)
    throws
  {
    let sandbox = try CLISandbox.withLetters()
    let path = try sandbox.write("name,note\n" + rows, to: "list.csv")
    let hint =
      rows.hasSuffix("z") || rows.hasSuffix("\u{1}\n")
      ? "to import the valid rows and write the others to FILE, add --rejects FILE"
      : "no row is valid; check the format and --delimiter"
    let told =
      "customers: \(path): 1 row can't be imported\n     line \(message)\nNothing was imported.\nhint: \(hint)"
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("import", path) == .failed(1, told))
      #expect(try sandbox.run("import", path, "-n") == .failed(1, told))
    }
  }

  @Test func `an empty file, a header alone, a missing file, a folder`() throws {
    let sandbox = try CLISandbox.withLetters()
    let none = "customers: standard input: there are no customers in the file"
    let hint = "\nhint: the first line names the columns, unless --no-header is given"
    try sandbox.expectUntouched { () throws in
      let empty = "customers: standard input: the file is empty"
      for format in ["csv", "json", "ndjson", "vcard"] {
        #expect(try sandbox.run("import", "-", "--format", format, stdin: "") == .failed(1, empty))
      }
      #expect(try sandbox.run("import", "-", stdin: "\u{feff}") == .failed(1, none))
      for header in ["name,note\n", "name,note", "\u{feff}name,note\r\n\r\n\n"] {
        #expect(try sandbox.run("import", "-", stdin: header) == .failed(1, none + hint))
        #expect(try sandbox.run("import", "-", "-n", stdin: header) == .failed(1, none + hint))
      }
      #expect(try sandbox.run("import", "-", "--format", "json", stdin: " [ ]\n") == .failed(1, none))
      let missing = "customers: can't open \"gone.csv\": No such file or directory"
      #expect(try sandbox.run("import", "gone.csv") == .failed(3, missing))
      #expect(try sandbox.run("import", ".") == .failed(1, "customers: can't read \".\": Is a directory"))
      #expect(try sandbox.run("import").code == 2)
    }
    // If there was no list, none was created.
    let new = try CLISandbox()
    #expect(try new.run("import", "-", stdin: "name,note\n").code == 1)
    #expect(try new.names.isEmpty)
  }

  @Test func `a string that is too long prevents the import`() throws {
    let sandbox = try CLISandbox.withLetters()
    let path = try sandbox.write(
      "name,note\nAnn,x\nBob," + String(repeating: "y", count: 16_000_001) + "\n", to: "long.csv")
    try sandbox.expectUntouched { () throws in
      let told = """
        customers: \(path):3:1: a row of more than 16000000 bytes begins here; is a quote not closed?
        Nothing was imported.
        """
      #expect(try sandbox.run("import", path) == .failed(1, told))
    }
    try sandbox.expectSound()
  }

  @Test func `fields can be separated by another character`() throws {
    let sandbox = try CLISandbox()
    let file = "name;phone\nAnn Lee;\"1;2\"\n"
    #expect(try sandbox.run("import", "-", "--delimiter", ",", stdin: file).code == 4)
    #expect(try sandbox.run("import", "-", "-q", "--delimiter", ";", stdin: file) == .done())
    #expect(try sandbox.sqlite("SELECT last_name, phone FROM customers") == "Lee|1;2\n")
    for delimiter in ["", ";;", "\"", "\n", "é"] {
      let result = try sandbox.run("import", "-", "--delimiter", delimiter, stdin: file)
      #expect(result.code == 2 && result.errors.contains("--delimiter must be one ASCII character or tab"))
    }
    #expect(try sandbox.run("import", "-", "--format", "json", "--delimiter", ";", stdin: "[]").code == 2)
  }
}
