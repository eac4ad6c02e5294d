import CustomersTestSupport
import Foundation
import Testing

/// Files that are not UTF-8, and strings that mean "no value".
@Suite(.onThreads) struct ImportEncodingTests {
  private static let text = "name,note\r\nZoë 山田,\"€ “x” 😀\r\ny\"\r\nÉmile,ÿ\r\n"

  private func notes(_ sandbox: CLISandbox) throws -> String {
    try sandbox.sqlite(
      #"SELECT first_name || '|' || last_name || '|' || note FROM customers ORDER BY "order""#)
  }

  @Test(arguments: [
    (String.Encoding.utf16LittleEndian, [0xff, 0xfe] as [UInt8], [] as [String]),
    (.utf16BigEndian, [0xfe, 0xff], []),
    (.utf16LittleEndian, [0xff, 0xfe], ["--encoding", "utf-16"]),
    (.utf16BigEndian, [], ["--encoding", "utf-16"]),
    (.utf8, [0xef, 0xbb, 0xbf], []),
    (.utf8, [], ["--encoding", "UTF-8"]),
  ])
  func `unicode in every form`(encoding: String.Encoding, mark: [UInt8], words: [String]) throws {
    let sandbox = try CLISandbox()
    let bytes = try #require(ImportEncodingTests.text.data(using: encoding))
    try sandbox.write(mark + bytes, to: "list.csv")
    #expect(try sandbox.run(words: ["import", "list.csv", "-q"] + words) == .done())
    #expect(try notes(sandbox) == "Zoë|山田|€ “x” 😀\r\ny\nÉmile||ÿ\n")
  }

  @Test(arguments: [("latin1", String.Encoding.isoLatin1), ("windows-1252", .windowsCP1252)])
  func `old files, every byte of them`(name: String, encoding: String.Encoding) throws {
    let sandbox = try CLISandbox()
    // Bytes without a character in Windows 1252 are control characters of Latin-1.
    let undefined: Set<UInt8> = name == "latin1" ? [] : [0x81, 0x8d, 0x8f, 0x90, 0x9d]
    let bytes = (UInt8(0x80)...0xff).filter { !undefined.contains($0) }
    let text = try #require(String(data: Data(bytes), encoding: encoding))
    try sandbox.write(Array("name,note\nAnn,".utf8) + bytes + Array("\n".utf8), to: "list.csv")
    #expect(try sandbox.run("import", "list.csv", "--encoding", name, "-q") == .done())
    #expect(
      try sandbox.sqlite("SELECT hex(note) FROM customers") == text.utf8.map { String(format: "%02X", $0) }
        .joined() + "\n")
    let recognized = try sandbox.run("import", "list.csv", "-y")
    #expect(recognized.errors.hasPrefix("note: the file was read as "), "\(recognized)")
  }

  @Test func `half a character is reported with its position`() throws {
    let sandbox = try CLISandbox.withLetters()
    func utf16(_ units: [UInt16]) -> [UInt8] { units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] } }
    let start = [0xfeff] + Array("name\nAnn\n".utf16)
    let hint = "\nNothing was imported."
    for (units, rest, message) in [
      (start + [0xd83d, 0x41], [], "list.csv:3: unpaired surrogate (byte 21 of the file)"),
      (start + [0x41, 0xde00], [], "list.csv:3: unpaired surrogate (byte 23 of the file)"),
      (start + [0xd83d], [], "list.csv:3: the file ends within a character (byte 21 of the file)"),
      (start, [0x41], "list.csv:3: the file ends within a character (byte 21 of the file)"),
    ] as [([UInt16], [UInt8], String)] {
      try sandbox.write(utf16(units) + rest, to: "list.csv")
      try sandbox.expectUntouched { () throws in
        #expect(try sandbox.run("import", "list.csv") == .failed(1, "customers: \(message)\(hint)"))
      }
    }
    for bytes in [
      [0x80], [0xc3], [0xc3, 0x41], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0x80],
    ] as [[UInt8]] {
      try sandbox.write(Array("name,note\nAnn,x\nZoë,\"\n".utf8) + bytes + Array("\"\n".utf8), to: "list.csv")
      try sandbox.expectUntouched { () throws in
        let result = try sandbox.run("import", "list.csv")
        #expect(
          result.code == 1 && result.errors.contains("     line 4:1: not UTF-8: "), "\(bytes) \(result)")
      }
    }
  }

  @Test func `an unknown encoding is reported`() throws {
    let told = """
      customers: --encoding must be utf-8, utf-16, latin1, windows-1252, mac-roman, windows-1250, windows-1251, windows-1253, windows-1254, iso-8859-2, iso-8859-5, iso-8859-7, iso-8859-9, iso-8859-15, or koi8-r, not "ebcdic"
      hint: to import another encoding: iconv -f NAME -t UTF-8 FILE | customers import -
      """
    #expect(
      try CLISandbox().run("import", "-", "--encoding", "ebcdic", stdin: "name\nA\n") == .failed(2, told))
  }

  @Test func `a string means an empty value only on request`() throws {
    let sandbox = try CLISandbox()
    let file = "name,phone,favorite,Zip\nAnn NULL,NULL,,NULL\nNULL,NULLS,yes,1\n"
    let noted = try sandbox.run("import", "-", stdin: file)
    #expect(noted.errors.hasPrefix("note: \"NULL\" is imported as text; to leave it out: --null NULL\n"))
    #expect(
      try sandbox.run("import", "-", "-q", "--null", "NULL", stdin: file.replacing("\nNULL,", with: "\nEve,"))
        == .done())
    #expect(
      try sandbox.sqlite(
        #"SELECT first_name, last_name, phone, is_favorite, extra FROM customers ORDER BY "order""#)
          == """
          Ann|NULL|NULL|0|{"Zip":"NULL"}
          NULL||NULLS|1|{"Zip":"1"}
          Ann|NULL||0|{}
          Eve||NULLS|1|{"Zip":"1"}

          """)
  }

  @Test func `a file without a header has columns with numbers`() throws {
    let sandbox = try CLISandbox()
    let words = ["import", "-", "--no-header", "--map", "2=name,3=phone"]
    #expect(
      try sandbox.run(words: words + ["-n"], stdin: "x,Ann Lee,1\ny,Bob,2\n")
        == .done(
          """
          2 → first_name and last_name
          3 → phone
          Extra columns: 1
          The first customer:
            First name: Ann
            Last name:  Lee
            Phone:      1
            1:          x
          Would add "Ann Lee" and "Bob".
          Would import 2 customers; the list would have 2 rows.
          """
        ))
    #expect(try sandbox.run(words: words + ["-q"], stdin: "x,Ann Lee,1\ny,Bob,2\n") == .done())
    #expect(
      try sandbox.sqlite("SELECT first_name, phone, extra FROM customers")
        == "Ann|1|{\"1\":\"x\"}\nBob|2|{\"1\":\"y\"}\n")
  }
}
