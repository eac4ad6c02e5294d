/// The encoding of bytes in vCard 2.1 (RFC 2045, section 6.7).
enum QuotedPrintable {
  /// The text that was encoded; a `=` that begins no byte stays.
  ///
  /// - Parameters:
  ///   - text: the encoded text, without soft line breaks.
  ///   - charset: the name of the encoding of its bytes; nil for UTF-8, or Windows 1252 if it is not.
  /// - Returns: the text.
  static func decoded(_ text: String, charset: String?) -> String {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "="), index + 2 < source.count,
        let byte = UInt8(String(decoding: source[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    return String(decoding: decode(bytes, charset?.uppercased()), as: UTF8.self)
  }

  private static func decode(_ bytes: [UInt8], _ charset: String?) -> [UInt8] {
    switch charset {
    case "ISO-8859-1"?, "LATIN1"?, "ISO8859-1"?, "WINDOWS-1252"?, "CP1252"?:
      ByteTable.decode(bytes, .windows1252)
    case "MACINTOSH"?, "X-MAC-ROMAN"?: ByteTable.decode(bytes, .macRoman)
    default: EncodingGuess.legacy(bytes + [0x0a]).map { ByteTable.decode(bytes, $0) } ?? bytes
    }
  }
}
