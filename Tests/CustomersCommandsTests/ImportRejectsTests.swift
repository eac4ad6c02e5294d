import CustomersTestSupport
import Foundation
import Testing

/// `import --rejects`: the good rows go in, the bad ones into a file.
@Suite(.onThreads) struct ImportRejectsTests {
  private static let good = ["Ann,1,yes\r\n", "\"Bob\",\"2\r\n3\",no\n", "Eve,,"]
  private static let bad = [
    "Fay,1\r\n", "Gus,\"a\"b,no\n", "Hal,x,perhaps\n", "Ida,1,2,3\n", "J\u{0},,\n", "Kim,\"two\nlines\"\r\n",
  ]

  @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .isoLatin1])
  func `bad rows are written unchanged`(encoding: String.Encoding) throws {
    let sandbox = try CLISandbox.withLetters()
    let header = "name,note é,favorite\r\n"
    let (good, bad) = (ImportRejectsTests.good, ImportRejectsTests.bad)
    let mark: [UInt8] = encoding == .utf16LittleEndian ? [0xff, 0xfe] : []
    let text = header + bad[0] + good[0] + bad[1] + bad[2] + good[1] + bad[3] + bad[4] + bad[5] + good[2]
    try sandbox.write(mark + (try #require(text.data(using: encoding))), to: "list.csv")
    let words =
      ["import", "list.csv", "--rejects", "bad.csv"]
      + (encoding == .isoLatin1 ? ["--encoding", "latin1"] : [])
    let details = """
           line 2: expected 3 fields, found 2: Fay,1
           line 4:8: text after a closing quote; a quote inside a field is doubled: Gus,"a"b,no
           line 5: column 3 is imported as is_favorite, which must be yes, no, true, false, 1, or 0: Hal,x,perhaps
           line 8: expected 3 fields, found 4: Ida,1,2,3
           line 9:2: a NUL byte: J\\u{0},,
           line 10: expected 3 fields, found 2: Kim,"two
      """
    let kept = "note: columns without a field, kept as extra columns: note é\n"
    let rehearsal = try sandbox.expectUntouched { try sandbox.run(words: words + ["-n"]) }
    #expect(rehearsal.output.hasSuffix("Would import 3 customers; the list would have 9 rows.\n"))
    #expect(
      rehearsal.errors
        == "customers: 6 rows can't be imported and would be written to \"bad.csv\"\n\(details)\n")
    #expect(try sandbox.names == ["customers.sqlite", "list.csv"])
    let result = try sandbox.run(words: words)
    #expect(
      result
        == .done(
          "Imported 3 customers; the list has 9 rows.",
          errors: "\(kept)customers: 6 rows can't be imported and were written to \"bad.csv\"\n\(details)"))
    #expect(try sandbox.order == "A B C D Ann Bob Eve | X Y")
    let rejected = try Data(contentsOf: URL(filePath: sandbox.folder + "/bad.csv"))
    #expect(try Array(rejected) == mark + #require((header + bad.joined()).data(using: encoding)))
    #expect(try sandbox.shell("stat -c %a bad.csv") == .done("600"))
    #expect(try sandbox.run(words: words).code == 4)
    let json = try jsonObject(sandbox.run(words: words + ["--yes", "--json"]).output)
    #expect(json["imported"] as? Int == 3 && json["rejected"] as? Int == 6)
    let rows = try #require(json["rejected_rows"] as? [[String: Any]])
    #expect(rows.count == 6 && rows[1]["line"] as? Int == 4 && rows[1]["column"] as? Int == 8)
    #expect(rows[1]["text"] as? String == "Gus,\"a\"b,no")
  }

  @Test func `bad cards are written unchanged, and the others are imported`() throws {
    let sandbox = try CLISandbox()
    func card(_ line: String) -> String { "BEGIN:VCARD\nVERSION:3.0\n\(line)\nEND:VCARD\n" }
    try sandbox.write(card("FN:Ann") + card("no colon") + card("FN:Bob"), to: "list.vcf")
    let refused = try sandbox.run("import", "list.vcf")
    #expect(
      refused.code == 1
        && refused.errors.contains("list.vcf: 1 row can't be imported\n     line 7: expected a"))
    let nameless = try sandbox.expectUntouched { try sandbox.run("import", "list.vcf", "--rejects", "-") }
    #expect(nameless.code == 2 && nameless.errors.contains("--rejects needs a file name"), "\(nameless)")
    let result = try sandbox.run("import", "list.vcf", "--rejects", "bad.vcf")
    #expect(
      result.code == 0 && result.errors.contains("1 row can't be imported and was written to \"bad.vcf\""),
      "\(result)")
    #expect(try sandbox.order == "Ann Bob")
    #expect(try sandbox.shell("cat bad.vcf").output == card("no colon"))
    let entries = "dn: a\ncn: Cid\n\ndn: b\nno colon\n\n"
    let words = ["import", "-", "--format", "ldif", "--rejects", "bad.ldif", "-q"]
    #expect(try sandbox.run(words: words, stdin: entries) == .done())
    #expect(try sandbox.shell("cat bad.ldif").output == "dn: b\nno colon\n\n")
  }

  @Test func `the file of rejected rows exists only if there are some and the import succeeds`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("import", "-", "-q", "--rejects", "bad.csv", stdin: "name\nI\n") == .done())
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("import", "-", "--rejects", "bad.csv", stdin: "name\nA,b\nC\n\"D\n").code == 1)
      #expect(
        try sandbox.run("import", "-", "--rejects", "bad.csv", "--at", "99", stdin: "name\nA,b\nC\n").code
          == 3)
    }
    #expect(try sandbox.names == ["customers.sqlite"])
    #expect(try sandbox.run("import", "-", "--rejects", "x", "--format", "json", stdin: "[]").code == 2)
    try sandbox.write("name\nI\n", to: "list.csv")
    #expect(try sandbox.run("import", "list.csv", "--rejects", "list.csv", "--yes").code == 4)
    #expect(try sandbox.run("import", "list.csv", "--rejects", "customers.sqlite", "--yes").code == 4)
    try sandbox.expectSound()
  }

  @Test func `the imported file is not replaced, whatever its name`() throws {
    let sandbox = try CLISandbox.withLetters()
    let text = "name\nAnn\nBob,1\n"
    try sandbox.write(text, to: "list.csv")
    #expect(try sandbox.shell("ln -s list.csv link; ln list.csv twin") == .done())
    for name in ["list.csv", "./list.csv", "link", "twin"] {
      let result = try sandbox.expectUntouched {
        try sandbox.run("import", "list.csv", "--rejects", name, "--yes")
      }
      #expect(result.code == 4 && result.errors.contains("is also the input"), "\(name): \(result)")
    }
    #expect(try sandbox.shell("cat list.csv").output == text)
  }

  @Test func `the bad rows are on the disk before the others are in the list`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("name\nAnn\nBob,1\n", to: "list.csv")
    let traced = try sandbox.shell(
      """
      strace -f -y -o ../trace -e trace=fsync,unlink "$CUSTOMERS" import list.csv --rejects bad.csv -q
      cat ../trace
      """)
    let calls = traced.output.split(separator: "\n")
    let rows = try #require(
      calls.firstIndex { $0.contains("fsync(") && $0.contains("/bad.csv.") }, "\(traced)")
    // SQLite commits by removing the journal.
    let commit = try #require(calls.firstIndex { $0.contains("customers.sqlite-journal\"") }, "\(traced)")
    #expect(rows < commit, "\(traced)")
  }

  @Test func `invalid UTF-8 is a bad row`() throws {
    let sandbox = try CLISandbox()
    let row: [UInt8] = [0x5a, 0x6f, 0xeb, 0x0a]
    // With a character in UTF-8, the file is not in an older encoding.
    try sandbox.write(Array("name\nAnn\n".utf8) + row + Array("Bób\n".utf8), to: "list.csv")
    #expect(try sandbox.run("import", "list.csv", "-q", "--rejects", "bad.csv") == .done())
    #expect(try sandbox.order == "Ann Bób")
    #expect(
      try Array(Data(contentsOf: URL(filePath: sandbox.folder + "/bad.csv"))) == Array("name\n".utf8) + row)
  }
}
