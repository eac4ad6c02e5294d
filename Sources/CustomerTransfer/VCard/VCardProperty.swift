internal import CustomerStore

/// One parsed content line of a vCard (RFC 6350, section 3.3; RFC 2426; vCard 2.1).
struct VCardProperty {
  /// The group, the name, and the parameters as written; the name in capitals unless it begins with X-.
  let head: String
  /// The name in capitals, without the group.
  let name: String
  /// The name that this property shares with others, such as `item1`; empty without one.
  let group: String
  /// The value as written.
  private(set) var value: String
  /// From 1 for the most preferred to 100 for the least; 101 if not specified.
  private(set) var preference = 101
  /// Whether the value is a URI where a string would be usual.
  private(set) var isURI = false
  /// Whether the value is encoded as in vCard 2.1.
  private(set) var isQuotedPrintable = false
  /// Whether the value is encoded in base 64, perhaps in several lines.
  private(set) var isBase64 = false
  /// What it is for, in lowercase, such as `work`.
  private(set) var types: [String] = []
  private var charset: String?

  /// Parses a line; nil if it has no name or no colon.
  init?(_ line: String, _ budget: ReadingBudget? = nil) {
    budget?.spend(line.utf8.count)
    guard let colon = VCardProperty.first(UInt8(ascii: ":"), in: line[...]) else { return nil }
    let head = line[..<colon]
    let parts = VCardProperty.split(head, at: UInt8(ascii: ";"))
    let names = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard names.allSatisfy(VCardProperty.isName), let last = names.last else { return nil }
    name = last.uppercased()
    group = names.count > 1 ? names[0].lowercased() : ""
    value = String(line[line.utf8.index(after: colon)...])
    let written = name.hasPrefix("X-") ? String(last) : name
    self.head = head[..<last.startIndex] + written + head[last.endIndex...]
    for parameter in parts.dropFirst() { read(parameter) }
  }

  /// The property with a value in UTF-8, without the parameters that say how it was encoded; nil if the encoding is not
  /// known.
  var decoded: VCardProperty? {
    guard isQuotedPrintable || charset != nil else { return self }
    guard let text = isQuotedPrintable ? QuotedPrintable.decoded(value, charset: charset) : value else {
      return nil
    }
    let escaped = VCardProperty.escapingLineEnds(text)
    let parts = VCardProperty.split(head[...], at: UInt8(ascii: ";"))
    let kept = parts.filter { part in
      let word = part.uppercased()
      return !word.contains("QUOTED-PRINTABLE") && !word.hasPrefix("CHARSET=")
    }
    return VCardProperty(kept.joined(separator: ";") + ":" + escaped) ?? self
  }

  /// The text with each CR LF, LF, or CR as `\n`.
  private static func escapingLineEnds(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x0a || $0 == 0x0d }) else { return text }
    var escaped: [UInt8] = []
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0d || byte == 0x0a && last != 0x0d {
        escaped += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      } else if byte != 0x0a {
        escaped.append(byte)
      }
      last = byte
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// The property with another preference, from 1 to 100, or with none.
  func withPreference(_ number: Int?) -> VCardProperty {
    let parts = VCardProperty.split(head[...], at: UInt8(ascii: ";")).filter {
      !$0.uppercased().hasPrefix("PREF=")
    }
    let preference = number.map { ["PREF=\($0)"[...]] } ?? []
    let head = (parts.prefix(1) + preference + parts.dropFirst()).joined(separator: ";")
    return VCardProperty(head + ":" + value) ?? self
  }

  /// The property of a card of version 2.1, in which a comma separates nothing.
  var withEscapedCommas: VCardProperty {
    guard VCardProperty.listed.contains(name), value.utf8.contains(UInt8(ascii: ",")) else { return self }
    var isEscaped = false
    var escaped = ""
    for scalar in value.unicodeScalars {
      if scalar == ",", !isEscaped { escaped += "\\" }
      isEscaped = scalar == "\\" && !isEscaped
      escaped.unicodeScalars.append(scalar)
    }
    return VCardProperty(head + ":" + escaped) ?? self
  }

  /// Whether its value goes on in the next line, as in vCard 2.1.
  var endsSoftly: Bool { isQuotedPrintable && value.utf8.last == UInt8(ascii: "=") }

  /// Puts the next line in place of the sign at the end of the value.
  mutating func `continue`(with line: String, _ budget: ReadingBudget) {
    budget.spend(line.utf8.count)
    value.unicodeScalars.removeLast()
    value += line
  }

  /// Adds a line of base 64 to the value.
  mutating func append(_ text: String) { value += text.trimmed }

  var isEmpty: Bool {
    VCardProperty.structured.contains(name) ? value.allSatisfy { $0 == ";" } : value.isEmpty
  }

  /// The value, if it is one text.
  var text: String { VCardText.unescape(value[...]) }

  var line: String { head + ":" + value }

  private mutating func read(_ parameter: Substring) {
    let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let key = parts.count == 2 ? parts[0].uppercased() : "TYPE"
    for value in VCardProperty.split(parts[parts.count - 1], at: UInt8(ascii: ",")) {
      // A quoted list, as in TYPE="work,voice", has commas of its own.
      for word in value.filter({ $0 != "\"" }).uppercased().split(separator: ",").map(String.init) {
        read(key, word)
      }
    }
  }

  private mutating func read(_ key: String, _ word: String) {
    switch (key, word) {
    case ("PREF", _):
      if let number = Int(word), 1...100 ~= number { preference = min(preference, number) }
    case ("TYPE", "PREF"): preference = min(preference, 1)
    case ("VALUE", "URI"): isURI = true
    case ("ENCODING", "QUOTED-PRINTABLE"), ("TYPE", "QUOTED-PRINTABLE"): isQuotedPrintable = true
    case ("ENCODING", "BASE64"), ("ENCODING", "B"), ("TYPE", "BASE64"): isBase64 = true
    case ("CHARSET", _): charset = word
    case ("TYPE", _): types.append(word.lowercased())
    default: break
    }
  }

  /// The first separator outside quotation marks.
  private static func first(_ separator: UInt8, in text: Substring) -> String.Index? {
    var isQuoted = false
    return text.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == separator && !isQuoted
    }
  }

  private static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
    var parts: [Substring] = []
    var rest = text
    while let end = first(separator, in: rest) {
      parts.append(rest[..<end])
      rest = rest[rest.utf8.index(after: end)...]
    }
    return parts + [rest]
  }

  /// Whether it may be a name; some programs write signs in it, which stay.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") }
  }
}

extension VCardProperty {
  /// The properties whose value has components.
  static let structured: Set = ["N", "ADR", "ORG"]

  /// The properties whose value, or each component of it, may be taken for a list since vCard 3.0.
  fileprivate static let listed: Set = ["FN", "N", "ADR", "NICKNAME"]

  /// The properties of vCard 4.0 (IANA's registry of vCard elements) and 3.0 (RFC 2426).
  static let registered: Set = [
    "ADR", "AGENT", "ANNIVERSARY", "BDAY", "BIRTHPLACE", "CALADRURI", "CALURI", "CATEGORIES", "CLASS",
    "CLIENTPIDMAP", "CONTACT-URI", "CREATED", "DEATHDATE", "DEATHPLACE", "EMAIL", "EXPERTISE", "FBURL", "FN",
    "GENDER", "GEO", "GRAMGENDER", "HOBBY", "IMPP", "INTEREST", "JSPROP", "KEY", "KIND", "LABEL", "LANG",
    "LANGUAGE", "LOGO", "MAILER", "MEMBER", "N", "NAME", "NICKNAME", "NOTE", "ORG", "ORG-DIRECTORY", "PHOTO",
    "PRODID", "PROFILE", "PRONOUNS", "RELATED", "REV", "ROLE", "SOCIALPROFILE", "SORT-STRING", "SOUND",
    "SOURCE", "TEL", "TITLE", "TZ", "UID", "URL", "XML",
  ]
}

extension VCardProperty {
  /// The line as vCard 4.0 has it: without types that have no name, and with a URI in place of base 64.
  var inVersion4: String {
    var parts = head.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    let name = parts.removeFirst()
    let isMarked = preference == 1 && !head.uppercased().contains("PREF=")
    let isOld = isBase64 || isMarked || parts.contains { !$0.contains("=") }
    guard isOld, !head.contains("\"") else { return line }
    var parameters: [String] = []
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      let (key, values) = pair.count == 2 ? (pair[0].uppercased(), pair[1]) : ("TYPE", part)
      switch key {
      case "ENCODING": break
      case "TYPE":
        let words = values.split(separator: ",").map { $0.lowercased() }
        for word in words where word != "pref" && word != "base64" && !(isBase64 && word.count > 2) {
          parameters.append("TYPE=\(word)")
        }
      default: parameters.append(part)
      }
    }
    if isMarked { parameters.append("PREF=1") }
    let value = isBase64 ? "data:\(mediaType);base64,\(value)" : value
    return ([name] + parameters).joined(separator: ";") + ":" + value
  }

  /// The media type of a value in base 64.
  private var mediaType: String {
    let type = types.first { !["base64", "pref", "home", "work"].contains($0) } ?? ""
    return switch (name, type) {
    case (_, let type) where type.contains("/"): type
    case ("PHOTO", ""), ("LOGO", ""): "image/jpeg"
    case ("PHOTO", let type), ("LOGO", let type): "image/\(type == "jpg" ? "jpeg" : type)"
    case ("SOUND", let type) where !type.isEmpty: "audio/\(type)"
    default: "application/octet-stream"
    }
  }
}

/// How text is written in a vCard value (RFC 6350, section 3.4).
enum VCardText {
  /// The text with special characters escaped.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\\", ",", ";":
        escaped.unicodeScalars.append("\\")
        escaped.unicodeScalars.append(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The unescaped text; a backslash before any other character stays.
  static func unescape(_ value: Substring) -> String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return String(value) }
    var text = ""
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "n", "N": text.unicodeScalars.append("\n")
      case let meant? where [",", ";", "\\", ":"].contains(meant): text.unicodeScalars.append(meant)
      case let other:
        text.unicodeScalars.append(scalar)
        if let other { text.unicodeScalars.append(other) }
      }
    }
    return text
  }

  /// Texts as a list with commas.
  static func list(_ texts: [String]) -> String { texts.map(escape).joined(separator: ",") }

  /// The components of a structured value, unescaped.
  static func components(_ value: String) -> [String] { split(value, at: UInt8(ascii: ";")) }

  /// The parts of a value between separators that are not escaped, unescaped.
  static func split(_ value: String, at separator: UInt8) -> [String] {
    var components: [String] = []
    var start = value.startIndex
    var isEscaped = false
    for index in value.utf8.indices {
      let byte = value.utf8[index]
      if byte == separator, !isEscaped {
        components.append(unescape(value[start..<index]))
        start = value.utf8.index(after: index)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return components + [unescape(value[start...])]
  }

  /// The text as far as a vCard can hold it: line ends become LF; other controls except the tab are not
  /// allowed.
  static func carried(_ text: String) -> String {
    guard !isCarried(text) else { return text }
    var carried = ""
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if scalar == "\r" || scalar == "\n" && last != "\r" {
        carried.unicodeScalars.append("\n")
      } else if isAllowed(scalar) {
        carried.unicodeScalars.append(scalar)
      }
      last = scalar
    }
    return carried
  }

  /// Whether a line may contain the text.
  static func isLine(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isAllowed) }

  private static func isCarried(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || isAllowed($0) }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0x7f || scalar == "\t"
  }
}

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
    if let encoding = FileEncoding(charset: charset) {
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
