import CustomerTransfer
import CustomersText
import CustomersTestSupport
import Foundation
import Testing

/// Files that do not say how they are encoded.
@Suite(.onThreads) struct EncodingGuessTests {
  /// Returns the encoding that a decoder recognizes, and the text that it gives.
  private func decode(_ bytes: [UInt8]) throws -> (encoding: FileEncoding?, text: String) {
    var pieces = [bytes]
    var decoder = TextDecoder { pieces.popLast() ?? [] }
    var text: [UInt8] = []
    while case let piece = try decoder.next(), !piece.isEmpty { text += piece }
    return (decoder.encoding, String(decoding: text, as: UTF8.self))
  }

  @Test(arguments: [
    ("name,note\nZoë,café\n", String.Encoding.utf8, FileEncoding.utf8),
    ("name,note\nAnn,x\n", .isoLatin1, .utf8), ("name,note\nZoë,café\n", .utf16LittleEndian, .utf16),
    ("name,note\nZoë,café\n", .utf16BigEndian, .utf16),
    ("名前,メモ\n山田,電話\n佐藤,手紙\n鈴木,\n", .utf16LittleEndian, .utf16),
    ("name,note\nZoë,café\n", .isoLatin1, .windows1252),
    ("Straße,Größe\nGrün,“ja”\n", .windowsCP1252, .windows1252),
    ("name\nO’Brien\nZoë\n", .windowsCP1252, .windows1252),
    ("Name,Note\nAnn Lee,“VIP” – call Monday\n", .windowsCP1252, .windows1252),
    ("Café Noir,Joe’s “best” coffee – 5 €\n", .windowsCP1252, .windows1252),
    ("Ann,‘VIP’\nBob,wait… Mon–Fri\n", .windowsCP1252, .windows1252),
    ("Ann,„VIP“\nBob,„nur Montag“, „5 Tage“\n", .windowsCP1252, .windows1252),
    ("Ann,„VIP”\nBob said—“yes”\n", .windowsCP1252, .windows1252),
  ])
  func `the bytes show the encoding`(text: String, written: String.Encoding, expected: FileEncoding) throws {
    let bytes = try [UInt8](#require(text.data(using: written)))
    let found = try decode(bytes)
    #expect(found.encoding == expected && found.text == text)
  }

  @Test(
    arguments: [
      (
        "Zoë Müller, José",
        [0x5a, 0x6f, 0x91, 0x20, 0x4d, 0x9f, 0x6c, 0x6c, 0x65, 0x72, 0x2c, 0x20, 0x4a, 0x6f, 0x73, 0x8e]
      ),
      (
        "Société, L’Été, Hélène",
        [
          0x53, 0x6f, 0x63, 0x69, 0x8e, 0x74, 0x8e, 0x2c, 0x20, 0x4c, 0xd5, 0x83, 0x74, 0x8e, 0x2c, 0x20,
          0x48, 0x8e, 0x6c, 0x8f, 0x6e, 0x65,
        ]
      ),
    ] as [(String, [UInt8])])
  func `old Macs have accents where Windows has punctuation`(text: String, bytes: [UInt8]) throws {
    let found = try decode(bytes)
    #expect(found.encoding == .macRoman && found.text == text)
  }

  @Test(arguments: [
    "Zoë,lunedì\nÎle d'Oléron,île\n", "Muñoz\nSimón\nÑandú\n", "Noë\n", "lunedì, martedì\n", "MALMÖ\n",
    "São João\nCamões\n", "Åsa på Öland\n", "Ñuñoa\nmercoledì\n", "Núñez\n", "Ibáñez\n", "Peñón\n",
    "informação\n",
  ])
  func `old Macs have letters where words may have them`(text: String) throws {
    let letters: [Unicode.Scalar: UInt8] = [
      "Å": 0x81, "Ñ": 0x84, "Ö": 0x85, "ã": 0x8b, "å": 0x8c, "é": 0x8e, "ë": 0x91, "ì": 0x93, "î": 0x94,
      "ñ": 0x96, "ó": 0x97, "õ": 0x9b, "ú": 0x9c, "Î": 0xeb, "á": 0x87, "ç": 0x8d,
    ]
    let found = try decode(text.unicodeScalars.map { try letters[$0] ?? #require(UInt8(exactly: $0.value)) })
    #expect(found.encoding == .macRoman && found.text == text)
  }

  @Test func `text in Shift_JIS is refused with what to do`() throws {
    for text in ["名前,電話\n田中太郎,03-1234\n", "Name,Phone\nAnn,1\n表示 ソフト,2\n"] {
      let bytes = try [UInt8](#require(text.data(using: .shiftJIS)))
      let error = #expect(throws: ParseError.self) { try decode(bytes) }
      #expect(error?.message.contains("iconv -f CP932 -t UTF-8") == true)
    }
    for text in ["Zoë,Müller\nFrançois,Égalité\n", "ÄÖÜ,äöü\nàéèùç,ß\n", "“€”,’tja’\n"] {
      #expect(try !EncodingGuess.isShiftJIS([UInt8](#require(text.data(using: .windowsCP1252)))), "\(text)")
    }
  }

  @Test func `UTF-8 with a mistake, or cut within a character, is UTF-8`() {
    #expect(EncodingGuess.legacy(Array("é".utf8) + [0x41, 0xe9, 0x41]) == nil)
    #expect(EncodingGuess.legacy(Array("Ann é".utf8.dropLast())) == nil)
    #expect(EncodingGuess.legacy(Array("Ann".utf8)) == nil)
    #expect(EncodingGuess.legacy([0x41, 0xe9, 0x41]) == .windows1252)
    #expect(EncodingGuess.legacy([0x81, 0x20, 0xe9, 0x41]) == .latin1)
  }
}
