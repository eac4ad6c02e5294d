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
}
