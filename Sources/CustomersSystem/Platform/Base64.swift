/// Encodes bytes in Base64 (RFC 4648, §4), and decodes them.
///
/// Foundation has this too, but a program that links Foundation starts slowly.
public enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes, with padding. O(n)
  public static func encode(_ bytes: [UInt8]) -> String {
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
  public static func decode(_ text: String) -> [UInt8]? {
    decodeLoosely(text).flatMap { encode($0) == text ? $0 : nil }
  }

  /// Decodes a string as any program writes it: spaces and line ends do not count, nor does padding, or that it is missing;
  /// returns nil for a string with any other character. O(n)
  public static func decodeLoosely(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, bitCount): (UInt32, Int) = (0, 0)
    for letter in text.utf8 where letter != UInt8(ascii: "=") && letter > 0x20 {
      guard let value = values[letter] else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bytes
  }

  private static let values = Dictionary(
    uniqueKeysWithValues: digits.enumerated().map { ($1, UInt32($0)) })
}
