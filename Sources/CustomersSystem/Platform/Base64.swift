/// Encodes bytes in Base64 (RFC 4648, §4), and decodes them.
///
/// Foundation has this too, but a program that links Foundation starts slowly.
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes, with padding. O(n)
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a string from `encode`; returns nil for any other text. O(n)
  package static func decode(_ text: String) -> [UInt8]? {
    decodeLoosely(text).flatMap { encode($0) == text ? $0 : nil }
  }

  /// Decodes a string as any program writes it: spaces and line ends do not count, nor does padding, or that it is missing;
  /// returns nil for a string with any other character. O(n)
  package static func decodeLoosely(_ text: String) -> [UInt8]? {
    let (letters, values) = (Array(text.utf8), values)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    var (bits, bitCount): (UInt32, UInt32) = (0, 0)
    var index = 0
    while index < letters.count {
      let value = values[Int(letters[index])]
      index += 1
      if value >= 64 {
        guard value == skipped else { return nil }
        continue
      }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    return bytes
  }

  /// The value of each byte.
  private static let values: [UInt8] = (UInt8.min...UInt8.max).map { byte in
    if let digit = digits.firstIndex(of: byte) { return UInt8(digit) }
    return byte == UInt8(ascii: "=") || byte <= 0x20 ? skipped : .max
  }
  private static let skipped: UInt8 = 64
}
