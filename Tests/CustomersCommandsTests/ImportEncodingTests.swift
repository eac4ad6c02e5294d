import CustomersTestSupport
import Foundation
import Testing

/// Files that are not UTF-8, and strings that mean "no value".
@Suite(.onThreads) struct ImportEncodingTests {
  @Test(arguments: try Transcript.sessions("ImportEncoding"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

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

  @Test func `names of columns in an encoding that was not recognized have a hint`() throws {
    let sandbox = try CLISandbox()
    let text = "\u{418}\u{43C}\u{44F};\u{413}\u{43E}\u{440}\u{43E}\u{434}\n\u{410};\u{411}\n"
    try sandbox.write([UInt8](#require(text.data(using: .windowsCP1251))), to: "list.csv")
    let hint = "; if letters are wrong, add --encoding NAME, or convert the file with iconv -t UTF-8"
    let refused = try sandbox.run("import", "list.csv")
    #expect(refused.code == 4 && refused.errors.contains(hint), "\(refused)")
    // Text that was read rightly has none.
    try sandbox.write("\u{518D};\u{898B}\nA;B\n", to: "list.csv")
    #expect(try !sandbox.run("import", "list.csv").errors.contains("iconv"))
  }
}
