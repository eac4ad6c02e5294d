import CustomerFixtures
import Foundation
import CustomersText
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Every encoding gives the same text, however the bytes come in.
@Suite(.onThreads) struct TextDecoderTests {
  private static let text = "aé€😀\n山\u{feff}\u{10ffff}\r\nz"

  /// Returns the text that a decoder gives for bytes in chunks of at most `most`.
  private func decode(_ bytes: [UInt8], _ encoding: FileEncoding?, most: Int, _ random: inout SplitMix64)
    throws
    -> (text: [UInt8], decoder: TextDecoder)
  {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      pieces.append(Array(rest.prefix(1 + random.below(most))))
      rest = rest.dropFirst(pieces[pieces.count - 1].count)
    }
    var left = pieces[...]
    var decoder = TextDecoder(encoding) { left.popFirst() ?? [] }
    var text: [UInt8] = []
    while case let piece = try decoder.next(), !piece.isEmpty { text += piece }
    return (text, decoder)
  }

  @Test(arguments: [
    (FileEncoding?.none, String.Encoding.utf8, [] as [UInt8]), (nil, .utf8, [0xef, 0xbb, 0xbf]),
    (nil, .utf16LittleEndian, [0xff, 0xfe]), (nil, .utf16BigEndian, [0xfe, 0xff]),
    (.utf16, .utf16BigEndian, []), (.utf16, .utf16LittleEndian, [0xff, 0xfe]), (.utf8, .utf8, []),
  ])
  func `unicode in pieces, and back`(encoding: FileEncoding?, written: String.Encoding, mark: [UInt8]) throws
  {
    let bytes = try [UInt8](#require(TextDecoderTests.text.data(using: written)))
    var random = SplitMix64(seed: 3)
    for most in [1, 2, 3, 5, 100] {
      let (text, decoder) = try decode(mark + bytes, encoding, most: most, &random)
      #expect(text == Array(TextDecoderTests.text.utf8), "pieces of \(most)")
      #expect(decoder.mark == mark && decoder.encode(text) == bytes)
    }
  }

  @Test(arguments: [(FileEncoding.latin1, String.Encoding.isoLatin1), (.windows1252, .windowsCP1252)])
  func `all bytes of an old encoding, and back`(encoding: FileEncoding, written: String.Encoding) throws {
    let bytes = (UInt8.min...UInt8.max).map { $0 }
    var random = SplitMix64(seed: 4)
    let (text, decoder) = try decode(bytes, encoding, most: 7, &random)
    #expect(decoder.encode(text) == bytes && decoder.mark.isEmpty)
    // Alone, 1A is the mark of DOS for the end of a file.
    for byte in bytes where byte != 0x1a {
      guard let character = String(data: Data([byte]), encoding: written) else { continue }
      #expect(try decode([byte], encoding, most: 1, &random).text == Array(character.utf8))
    }
  }

  @Test func `empty input gives an empty result`() throws {
    var random = SplitMix64(seed: 5)
    for bytes in [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]] {
      #expect(try decode(bytes, nil, most: 2, &random).text.isEmpty)
    }
    // A mark that is cut off is text, and no UTF-8.
    #expect(try decode([0xef, 0xbb], nil, most: 2, &random).text == [0xef, 0xbb])
    #expect(throws: ParseError(line: 1, message: "the file ends within a character (byte 3 of the file)")) {
      try decode([0xff, 0xfe, 0x41], nil, most: 2, &random)
    }
  }
}
