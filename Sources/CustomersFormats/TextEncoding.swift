/// How the characters of a file are written as bytes.
public enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  /// In the byte order given by the mark at the start; without one, in that of its ASCII characters, otherwise
  /// big-endian (RFC 2781, 4.3).
  case utf16 = "utf-16"
  /// ISO 8859-1: the first 256 characters of Unicode.
  case latin1
  /// Latin 1 with letters and symbols instead of most of the controls 80…9F.
  case windows1252 = "windows-1252"
  /// The encoding of old Macs.
  case macRoman = "mac-roman"
  /// Windows 1250, for the languages of Central Europe.
  case windows1250 = "windows-1250"
  /// Windows 1251, for Cyrillic.
  case windows1251 = "windows-1251"
  /// Windows 1253, for Greek.
  case windows1253 = "windows-1253"
  /// Windows 1254, for Turkish.
  case windows1254 = "windows-1254"
  /// ISO 8859-2, for the languages of Central Europe.
  case iso8859Part2 = "iso-8859-2"
  /// ISO 8859-5, for Cyrillic.
  case iso8859Part5 = "iso-8859-5"
  /// ISO 8859-7, for Greek.
  case iso8859Part7 = "iso-8859-7"
  /// ISO 8859-9, for Turkish.
  case iso8859Part9 = "iso-8859-9"
  /// ISO 8859-15: Latin 1 with the euro sign.
  case iso8859Part15 = "iso-8859-15"
  /// KOI8-R, for Russian.
  case koi8R = "koi8-r"
}

extension TextEncoding {
  /// The encoding that a vCard names, such as `ISO-8859-1` or `cp1252`; nil if it is not one of UTF-8 and the one-byte
  /// encodings that are known.
  init?(charset: String) {
    let name = charset.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let found = TextEncoding.charsets[name] else { return nil }
    self = found
  }

  /// The name of the encoding that the head of a line of a vCard has; nil without one.
  static func named(in line: some Collection<UInt8>) -> String? {
    let head = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
    return head.firstRange(of: "CHARSET=").map { range in
      String(head[range.upperBound...].prefix { $0 != ";" })
    }
  }

  private static let charsets: [String: TextEncoding] = {
    var names: [String: TextEncoding] = [
      "ascii": .utf8, "usascii": .utf8, "latin1": .windows1252, "iso88591": .windows1252,
      "latin2": .iso8859Part2,
      "latin5": .iso8859Part9, "latin9": .iso8859Part15, "macintosh": .macRoman, "xmacroman": .macRoman,
    ]
    for encoding in allCases where encoding != .utf16 && encoding != .latin1 {
      let name = encoding.rawValue.filter { $0 != "-" }
      names[name] = encoding
      if name.hasPrefix("windows") { names[name.replacing("windows", with: "cp")] = encoding }
    }
    return names
  }()
}
