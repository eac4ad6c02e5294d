import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Foundation
import Testing

/// Cards that name the encoding of a string, as phones and old address books write them.
@Suite(.onThreads) struct CharsetTests {
  private static let encodings: [(String, String.Encoding, String)] = [
    ("WINDOWS-1250", .windowsCP1250, "Łukasz Żak"), ("windows-1251", .windowsCP1251, "Иван"),
    ("cp1253", .windowsCP1253, "Ελένη"), ("Windows-1254", .windowsCP1254, "Işıl Çağrı"),
    ("ISO-8859-2", .isoLatin2, "Łukasz Żák"),
  ]

  private func card(_ parameters: String, _ value: [UInt8]) -> [UInt8] {
    Array("BEGIN:VCARD\nVERSION:2.1\nFN;\(parameters):".utf8) + value + Array("\nEND:VCARD\n".utf8)
  }

  @Test(arguments: encodings)
  func `a string is read in the encoding that its line names`(
    name: String, encoding: String.Encoding, text: String
  ) throws {
    let bytes = try [UInt8](#require(text.data(using: encoding)))
    let quoted = bytes.map { String(format: "=%02X", $0) }.joined()
    let cards = [
      card("CHARSET=\(name);ENCODING=QUOTED-PRINTABLE", Array(quoted.utf8)), card("CHARSET=\(name)", bytes),
    ]
    for card in cards {
      #expect(try Reading.vcard(card).lines == ["name=\(text)"])
      // Not in the encoding that a file of Western languages would have.
      var pieces = [card]
      var decoder = TextDecoder { pieces.popLast() ?? [] }
      #expect(try Reading.vcard(decoder.next()).lines == ["name=\(text)"])
    }
  }

  @Test(
    arguments: [
      (FileEncoding.iso8859Part5, "Иван №", [0xb8, 0xd2, 0xd0, 0xdd, 0x20, 0xf0]),
      (.iso8859Part7, "Ελένη", [0xc5, 0xeb, 0xdd, 0xed, 0xe7]),
      (.iso8859Part9, "Işıl", [0x49, 0xfe, 0xfd, 0x6c]),
      (.iso8859Part15, "Œuvre €", [0xbc, 0x75, 0x76, 0x72, 0x65, 0x20, 0xa4]),
      (.koi8R, "Иван", [0xe9, 0xd7, 0xc1, 0xce]), (.windows1250, "Łódź", [0xa3, 0xf3, 0x64, 0x9f]),
    ] as [(FileEncoding, String, [UInt8])])
  func `a file is read in an encoding that is named, and its bytes are found again`(
    encoding: FileEncoding, text: String, bytes: [UInt8]
  ) throws {
    var pieces = [bytes]
    var decoder = TextDecoder(encoding) { pieces.popLast() ?? [] }
    let read = try decoder.next()
    #expect(String(decoding: read, as: UTF8.self) == text && decoder.encode(read) == bytes)
  }

  @Test(arguments: ["SHIFT_JIS", "GB2312", "Big5", "EUC-KR", "UTF-16"])
  func `a string in an encoding that is not known is refused with its line`(name: String) throws {
    let encoded = card("CHARSET=\(name);ENCODING=QUOTED-PRINTABLE", Array("=8E=52=93=63".utf8))
    let problem = try Reading.vcard(encoded).problem
    #expect(problem?.line == 3 && problem?.message.contains("iconv") == true)
    var pieces = [card("CHARSET=\(name)", [0x8e, 0x52, 0x93, 0x63])]
    var decoder = TextDecoder { pieces.popLast() ?? [] }
    #expect(throws: ParseError.self) { try decoder.next() }
    // ASCII is the same in each of them.
    #expect(try Reading.vcard(card("CHARSET=\(name)", Array("Ann".utf8))).lines == ["name=Ann"])
  }

  @Test func `the mark of DOS at the end of a file is no part of it`() throws {
    for text in [["Ann\u{1a}"], ["Ann", "\u{1a}\u{1a}"], ["An", "n\u{1a}", "\u{1a}"]] {
      var pieces = text.reversed().map { Array($0.utf8) }
      var decoder = TextDecoder { pieces.popLast() ?? [] }
      var read: [UInt8] = []
      while case let piece = try decoder.next(), !piece.isEmpty { read += piece }
      #expect(String(decoding: read, as: UTF8.self) == "Ann")
    }
    var pieces = [Array("n".utf8), Array("Ann\u{1a}".utf8)]
    var decoder = TextDecoder { pieces.popLast() ?? [] }
    #expect(try decoder.next() == Array("Ann".utf8) && decoder.next() == Array("\u{1a}n".utf8))
  }
}
