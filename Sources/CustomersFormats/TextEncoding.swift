/// How the characters of a file are written as bytes.
public enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  /// In the byte order given by the mark at the start; without one, big-endian
  /// (RFC 2781, 4.3).
  case utf16 = "utf-16"
  /// ISO 8859-1: the first 256 characters of Unicode.
  case latin1
  /// Latin 1 with letters and symbols instead of most of the controls 80…9F.
  case windows1252 = "windows-1252"
}

/// The characters of a one-byte encoding.
enum ByteTable {
  /// The bytes 80…9F in Windows 1252 (https://encoding.spec.whatwg.org/#index-windows-1252).
  private static let windows: [UInt16] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
    0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
    0x153, 0x9d, 0x17e, 0x178,
  ]

  /// The bytes as UTF-8.
  static func decode(_ bytes: [UInt8], _ encoding: TextEncoding) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        let scalar = Unicode.Scalar(
          encoding == .windows1252 && byte < 0xa0 ? windows[Int(byte) - 0x80] : UInt16(byte))
        for unit in String(Character(scalar ?? "?")).utf8 { text.append(unit) }
      }
    }
    return text
  }

  /// The text as bytes; it must come from `decode`.
  static func encode(_ text: String, _ encoding: TextEncoding) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      if encoding == .windows1252, let index = windows.firstIndex(of: UInt16(scalar.value)) {
        return UInt8(index + 0x80)
      }
      return UInt8(scalar.value)
    }
  }
}
