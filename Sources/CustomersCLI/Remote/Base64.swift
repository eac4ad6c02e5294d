/// Bytes as a word in which no shell finds anything to do: letters, digits, `-` and `_` (RFC 4648, §5), after
/// a letter of its own.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text = [UInt8(ascii: "b")]
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0...group.count { text.append(digits[number >> (18 - 6 * index) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for a text that is none of these.
  static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("b") else { return nil }
    var bytes: [UInt8] = []
    let letters = Array(text.utf8.dropFirst())
    for start in stride(from: 0, to: letters.count, by: 4) {
      let group = letters[start..<min(start + 4, letters.count)]
      var number = 0
      for letter in group {
        guard let digit = digits.firstIndex(of: letter) else { return nil }
        number = number << 6 | digit
      }
      guard group.count > 1 else { return nil }
      number <<= 6 * (4 - group.count)
      for index in 0..<(group.count - 1) {
        bytes.append(UInt8(truncatingIfNeeded: number >> (16 - 8 * index)))
      }
    }
    return bytes
  }
}
