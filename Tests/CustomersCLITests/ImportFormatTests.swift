import Foundation
import Testing

/// What is CSV, and what is not.
@Suite struct ImportFormatTests {
  @Test(arguments: [
    ("plain", "name,note\nAnn,x\nBob,y\n"),
    ("CR LF", "name,note\r\nAnn,x\r\nBob,y\r\n"),
    ("no end of the last line", "name,note\nAnn,x\nBob,y"),
    ("a byte order mark", "\u{feff}name,note\nAnn,x\nBob,y\n"),
    ("a quoted header behind a mark", "\u{feff}\"name\",note\nAnn,x\nBob,y\n"),
    ("empty lines at the end", "name,note\nAnn,x\nBob,y\n\n\r\n\n"),
    ("empty lines between", "name,note\n\nAnn,x\n\nBob,y\n"),
    ("quotes that need not be", "\"name\",\"note\"\n\"Ann\",\"x\"\n\"Bob\",\"y\"\n"),
    ("another order of columns", "note,name\nx,Ann\ny,Bob\n"),
  ])
  func `one list, written in many ways`(_: String, file: String) throws {
    let desk = try Desk()
    #expect(try desk.run("import", "-", stdin: file) == .done("Imported 2 customers; the list has 2 rows."))
    #expect(
      try desk.sqlite(#"SELECT first_name, last_name, note FROM customers ORDER BY "order""#)
        == "Ann||x\nBob||y\n")
  }

  @Test func `quoted fields keep commas, quotes and line ends`() throws {
    let desk = try Desk()
    let file = "name,note\nAnn,\"a, \"\"b\"\"\r\nc\nd\"\nBob,\"\"\"\"\nEve,\"\"\n"
    #expect(try desk.run("import", "-", "-q", stdin: file) == .done())
    let notes = try jsonArray(desk.run("list", "--json").output).compactMap { $0["note"] as? String }
    #expect(notes == ["a, \"b\"\r\nc\nd", "\"", ""])
    // And what list writes as CSV comes in again as it was.
    let csv = try desk.run("list", "--format", "csv").output
    let other = try Desk()
    #expect(try other.run("import", "-", "-q", stdin: csv) == .done())
    #expect(try jsonArray(other.run("list", "--json").output).compactMap { $0["note"] as? String } == notes)
  }

  @Test func `an empty line is no customer, also in a file of one column`() throws {
    let result = try Desk().run("import", "-", stdin: "name\nAnn\n\nBob\n\n")
    #expect(result == .done("Imported 2 customers; the list has 2 rows."))
  }

  @Test func `every line with too few or too many fields is told, and nothing goes in`() throws {
    let desk = try Desk.withLetters()
    let file = "name,note\nAnn,x\nBob\nEve,\"two\nlines\"\nFay,a,b\nGus,y\nHal,1,2,3\n"
    let message = """
      customers: standard input: 3 lines have not 2 fields as the header has
           line 3: 1 fields
           line 6: 3 fields
           line 8: 4 fields
      hint: is a comma not quoted? nothing was imported
      """
    try desk.expectUntouched { () throws in
      #expect(try desk.run("import", "-", stdin: file) == .failed(1, message))
      let json = try desk.run("import", "-", "--json", stdin: file).errors
      #expect(
        try (jsonObject(json)["error"] as? [String: Any])?["details"] as? [String] == [
          "     line 3: 1 fields", "     line 6: 3 fields", "     line 8: 4 fields",
        ])
    }
    let many = "name,note\n" + String(repeating: "Ann\n", count: 25)
    let lines = try desk.run("import", "-", stdin: many).errors.split(separator: "\n")
    #expect(lines.count == 23 && lines[21] == "     … and 5 more")
  }

  @Test(arguments: [
    ("name,note\nAnn,x\nBob,\"y\nz\n", "3: a quoted field begins here and never ends"),
    ("name,note\nAnn,\"x\"y\n", "2: text after a closing quote; a quote inside a field is doubled"),
    ("name,note\nAnn,x\nBo\u{0}b,\u{1}\nEve,\"\n", "4: a quoted field begins here and never ends"),
  ])
  func `what can't be read without guessing is told with its line`(file: String, message: String) throws {
    let desk = try Desk.withLetters()
    let path = try desk.write(file, to: "list.csv")
    let told = "customers: \(path):\(message)\nhint: nothing was imported"
    try desk.expectUntouched { () throws in
      #expect(try desk.run("import", path) == .failed(1, told))
      #expect(try desk.run("import", path, "-n") == .failed(1, told))
    }
  }

  @Test func `bytes that are no UTF-8 are told with their line`() throws {
    let desk = try Desk.withLetters()
    let lines = Array("name,note\nAnn,x\nZo".utf8)
    try desk.write(lines + [0xeb] + Array(",latin\n".utf8), to: "latin.csv")
    try desk.write([0xff, 0xfe] + Array("n\u{0}a\u{0}".utf8), to: "utf16.csv")
    let told = "not UTF-8\nhint: nothing was imported"
    try desk.expectUntouched { () throws in
      #expect(try desk.run("import", "latin.csv") == .failed(1, "customers: latin.csv:3: \(told)"))
      #expect(try desk.run("import", "utf16.csv") == .failed(1, "customers: utf16.csv:1: \(told)"))
    }
  }

  @Test func `an empty file, a header alone, a missing file, a folder`() throws {
    let desk = try Desk.withLetters()
    try desk.expectUntouched { () throws in
      #expect(
        try desk.run("import", "-", stdin: "") == .failed(1, "customers: standard input: the file is empty"))
      #expect(try desk.run("import", "-", stdin: "\u{feff}").code == 1)
      let missing = "customers: can't open \"gone.csv\": No such file or directory"
      #expect(try desk.run("import", "gone.csv") == .failed(3, missing))
      #expect(try desk.run("import", ".") == .failed(1, "customers: .: can't read: Is a directory"))
      #expect(try desk.run("import").code == 2)
    }
    let none = "Imported 0 customers; the list has 6 rows."
    #expect(try desk.run("import", "-", stdin: "name,note\n") == .done(none))
    #expect(try desk.run("import", "-", stdin: "name,note") == .done(none))
  }

  @Test func `a text that is too long for the file keeps all out`() throws {
    let desk = try Desk.withLetters()
    let path = try desk.write(
      "name,note\nAnn,x\nBob," + String(repeating: "y", count: 16_000_001) + "\n", to: "long.csv")
    try desk.expectUntouched { () throws in
      let told = "customers: \(desk.file): a text is longer than 16,000,000 bytes"
      #expect(try desk.run("import", path) == .failed(1, told))
    }
    try desk.expectSound()
  }
}
