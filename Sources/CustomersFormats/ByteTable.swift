/// The characters of a one-byte encoding.
enum ByteTable {
  /// The characters of the bytes from 80 on; none if they are those of Latin-1.
  private static func table(_ encoding: TextEncoding) -> [UInt16] {
    switch encoding {
    case .windows1250: ByteTables.windows1250
    case .windows1251: ByteTables.windows1251
    case .windows1252: ByteTables.windows1252
    case .windows1253: ByteTables.windows1253
    case .windows1254: ByteTables.windows1254
    case .iso8859Part2: ByteTables.iso8859Part2
    case .iso8859Part5: ByteTables.iso8859Part5
    case .iso8859Part7: ByteTables.iso8859Part7
    case .iso8859Part9: ByteTables.iso8859Part9
    case .iso8859Part15: ByteTables.iso8859Part15
    case .koi8R: ByteTables.koi8R
    case .macRoman: ByteTables.macRoman
    case .utf8, .utf16, .latin1: []
    }
  }

  /// The bytes as UTF-8.
  static func decode(_ bytes: [UInt8], _ encoding: TextEncoding) -> [UInt8] {
    let table = table(encoding)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        let index = Int(byte) - 0x80
        let scalar = Unicode.Scalar(index < table.count ? table[index] : UInt16(byte))
        for unit in String(Character(scalar ?? "?")).utf8 { text.append(unit) }
      }
    }
    return text
  }

  /// The text as bytes; it must come from `decode`.
  static func encode(_ text: String, _ encoding: TextEncoding) -> [UInt8] {
    let table = table(encoding)
    return text.unicodeScalars.map { scalar in
      if scalar.value >= 0x80, let index = table.firstIndex(of: UInt16(scalar.value)) {
        return UInt8(index + 0x80)
      }
      return UInt8(scalar.value)
    }
  }
}
