/// The encoding of bytes in vCard 2.1 (RFC 2045, section 6.7).
enum QuotedPrintable {
  /// The text that was encoded; a `=` that begins no byte stays.
  ///
  /// - Parameters:
  ///   - text: the encoded text, without soft line breaks.
  ///   - charset: the name of the encoding of its bytes; nil for UTF-8 or Windows 1252 if it is not.
  /// - Returns: the text; nil if the encoding is unknown.
  static func decoded(_ text: String, charset: String?) -> String? {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "="), index + 2 < source.count, let high = digit(source[index + 1]),
        let low = digit(source[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    guard let charset, !["UTF-8", "UTF8"].contains(charset) else {
      let found = EncodingGuess.legacy(bytes + [0x0a])
      return String(decoding: found.map { ByteTable.decode(bytes, $0) } ?? bytes, as: UTF8.self)
    }
    if let encoding = TextEncoding(charset: charset) {
      return String(decoding: encoding == .utf8 ? bytes : ByteTable.decode(bytes, encoding), as: UTF8.self)
    }
    // Encodings of several bytes also use controls.
    return bytes.contains { $0 < 0x09 || $0 == 0x1b } ? nil : String(validating: bytes, as: UTF8.self)
  }

  /// The value of a hexadecimal digit.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
