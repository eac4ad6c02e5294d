internal import CustomerStore
internal import CustomersText

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
    let bytes = Array(line.utf8)
    budget?.spend(bytes.count)
    let ends = VCardProperty.ends(bytes)
    guard let colon = ends.last, colon < bytes.count else { return nil }
    let nameEnd = VCardProperty.inName.end(in: bytes, from: 0)
    var dot = 0
    while dot < nameEnd, bytes[dot] != UInt8(ascii: ".") { dot += 1 }
    let nameStart = dot < nameEnd ? dot + 1 : 0
    guard nameEnd == ends[0], nameStart < nameEnd, dot > 0 else { return nil }
    let last = String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self)
    name = last.uppercased()
    group = nameStart > 0 ? String(decoding: bytes[..<dot], as: UTF8.self).lowercased() : ""
    value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    if name == last || name.hasPrefix("X-") {
      head = String(decoding: bytes[..<colon], as: UTF8.self)
    } else {
      head =
        String(decoding: bytes[..<nameStart], as: UTF8.self) + name
        + String(decoding: bytes[nameEnd..<colon], as: UTF8.self)
    }
    var index = 1
    while index < ends.count {
      read(bytes, ends[index - 1] + 1, ends[index])
      index += 1
    }
  }

  /// The property with a value in UTF-8, without the parameters that say how it was encoded; nil if the encoding is not
  /// known.
  var decoded: VCardProperty? {
    guard isQuotedPrintable || charset != nil else { return self }
    guard let text = isQuotedPrintable ? QuotedPrintable.decoded(value, charset: charset) : value else {
      return nil
    }
    let escaped = VCardProperty.escapingLineEnds(text)
    let kept = parts.filter { part in
      !Array(part.utf8).hasWord("QUOTED-PRINTABLE") && !part.uppercased().hasPrefix("CHARSET=")
    }
    return VCardProperty(kept.joined(separator: ";") + ":" + escaped) ?? self
  }

  /// The text with each CR LF, LF, or CR as `\n`.
  private static func escapingLineEnds(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard VCardLines.inLine.end(in: bytes, from: 0) < bytes.count else { return text }
    return VCardText.replacingLineEnds(bytes, by: "\\n")
  }

  /// The property with another preference, from 1 to 100, or with none.
  func withPreference(_ number: Int?) -> VCardProperty {
    let parts = parts.filter { !$0.uppercased().hasPrefix("PREF=") }
    let preference = number.map { ["PREF=\($0)"] } ?? []
    let head = (parts.prefix(1) + preference + parts.dropFirst()).joined(separator: ";")
    return VCardProperty(head + ":" + value) ?? self
  }

  /// The property of a card of version 2.1, in which a comma separates nothing.
  var withEscapedCommas: VCardProperty {
    guard VCardProperty.listed.contains(name) else { return self }
    let bytes = Array(value.utf8)
    var escaped: [UInt8] = []
    var (index, isEscaped) = (0, false)
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ","), !isEscaped { escaped.append(UInt8(ascii: "\\")) }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      escaped.append(byte)
      index += 1
    }
    guard escaped.count > bytes.count else { return self }
    return VCardProperty(head + ":" + String(decoding: escaped, as: UTF8.self)) ?? self
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
    guard isStructured, !value.isEmpty else { return value.isEmpty }
    let bytes = Array(value.utf8)
    return VCardProperty.separators.end(in: bytes, from: 0) == bytes.count
  }

  /// The value, if it is one text.
  var text: String { VCardText.unescape(value) }

  var line: String { head + ":" + value }

  /// Reads a parameter from `start` to `end`; a quoted list, as in TYPE="work,voice", has commas of its own.
  private mutating func read(_ bytes: [UInt8], _ start: Int, _ end: Int) {
    var index = start
    while index < end, bytes[index] != UInt8(ascii: "=") { index += 1 }
    let hasKey = index < end
    let key = hasKey ? String(decoding: bytes[start..<index], as: UTF8.self).uppercased() : "TYPE"
    index = hasKey ? index + 1 : start
    var word: [UInt8] = []
    while index < end {
      let byte = bytes[index]
      index += 1
      if byte != UInt8(ascii: "\""), byte != UInt8(ascii: ",") { word.append(byte) }
      guard byte == UInt8(ascii: ",") || index == end, !word.isEmpty else { continue }
      read(key, String(decoding: word, as: UTF8.self).uppercased())
      word.removeAll(keepingCapacity: true)
    }
  }

  private mutating func read(_ key: String, _ word: String) {
    switch key {
    case "TYPE": readType(word)
    case "PREF": if let number = Int(word), number > 0, number <= 100 { preference = min(preference, number) }
    case "VALUE": if word == "URI" { isURI = true }
    case "ENCODING":
      if word == "QUOTED-PRINTABLE" { isQuotedPrintable = true }
      if word == "BASE64" || word == "B" { isBase64 = true }
    case "CHARSET": charset = word
    default: break
    }
  }

  private mutating func readType(_ word: String) {
    switch word {
    case "PREF": preference = min(preference, 1)
    case "QUOTED-PRINTABLE": isQuotedPrintable = true
    case "BASE64": isBase64 = true
    default: types.append(word.lowercased())
    }
  }

  /// The name with the group, and each parameter.
  var parts: [String] {
    let bytes = Array(head.utf8)
    var start = 0
    return VCardProperty.ends(bytes).map { end in
      defer { start = end + 1 }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  /// Whether a line or its head has more than a name before the value.
  static func hasParameters(_ line: String) -> Bool {
    let bytes = Array(line.utf8)
    let end = inName.end(in: bytes, from: 0)
    return end < bytes.count && bytes[end] != UInt8(ascii: ":")
  }

  /// Where the name and each parameter of a line end, the last one at the colon, or the end of the line without one.
  private static func ends(_ bytes: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var (index, isQuoted) = (0, false)
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
        ends.append(index)
        if byte == UInt8(ascii: ":") { return ends }
      }
      index += 1
    }
    ends.append(index)
    return ends
  }

  /// What may be in a name; some programs write signs in it, which stay.
  private static let inName = ByteSet {
    $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":")
  }
}

extension [UInt8] {
  /// Whether a word in capitals is among them, in any case.
  func hasWord(_ word: String) -> Bool {
    let word = Array(word.utf8)
    var start = 0
    while start + word.count <= count {
      var length = 0
      while length < word.count, self[start + length] & 0xdf == word[length] & 0xdf { length += 1 }
      if length == word.count { return true }
      start += 1
    }
    return false
  }
}

extension VCardProperty {
  /// Whether the value has components.
  var isStructured: Bool { name == "N" || name == "ADR" || name == "ORG" }

  /// What is between components.
  fileprivate static let separators = ByteSet { $0 == UInt8(ascii: ";") }

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

  /// Whether a line with this head has a registered name or one that begins with X-, if it is a property at all.
  static func mayBeKnown(_ head: String) -> Bool {
    let part = head.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":") }
    let start = part.firstIndex(of: UInt8(ascii: ".")).map(part.index(after:)) ?? part.startIndex
    let name = (String(part[start...]) ?? "").uppercased()
    return registered.contains(name) || name.hasPrefix("X-")
  }
}

extension VCardProperty {
  /// The line as vCard 4.0 has it: without types that have no name, with a URI in place of base 64, and a day without
  /// dashes.
  var inVersion4: String {
    if let (day, clock) = moment { return "\(name):\(VCardProperty.written(day: day))\(clock)" }
    guard VCardProperty.hasParameters(head) else { return line }
    var parts = parts
    let name = parts.removeFirst()
    let isMarked = preference == 1 && !parts.contains { $0.uppercased().hasPrefix("PREF=") }
    let isOld = isBase64 || isMarked || parts.contains { !$0.utf8.contains(UInt8(ascii: "=")) }
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

  /// A birthday or an anniversary as the list has it: `1980-02-03`, or `--02-03` without the year; nil for any other value.
  ///
  /// A time of day beside it stays in the line, which the card keeps.
  var day: String? { moment?.day }

  /// The same of any property, whose other parameters of these names say nothing of the day.
  func day(ignoring ignored: Set<Substring>) -> String? { moment(ignoring: ignored)?.day }

  /// The day, and the time beside it without colons, such as `T101500Z`; empty for none, and for midnight, which Outlook and
  /// old phones write for none.
  private var moment: (day: String, clock: String)? {
    name == "BDAY" || name == "ANNIVERSARY" ? moment(ignoring: []) : nil
  }

  private func moment(ignoring ignored: Set<Substring>) -> (day: String, clock: String)? {
    var unknownYear: Int?
    for part in parts.dropFirst() {
      let pair = part.uppercased().split(separator: "=", maxSplits: 1)
      switch (pair.first, pair.last) {
      case ("VALUE", "DATE"), ("VALUE", "DATE-TIME"), ("VALUE", "DATE-AND-OR-TIME"): break
      case (let name?, _) where ignored.contains(name): break
      case ("VALUE", "TEXT"):
        return ColumnKinds.Column(.date).stored(writtenAlone: text, .today).flatMap {
          CalendarDay($0).map { ($0.description, "") }
        }
      case ("X-APPLE-OMIT-YEAR", let year?): unknownYear = Int(year)
      default: return nil
      }
    }
    let halves = value.split(separator: "T", maxSplits: 1)
    guard let date = halves.first, let day = VCardProperty.day(String(date)) else { return nil }
    let isYearless = date.hasPrefix("--") || day.parts.year == unknownYear
    let clock = halves.count == 1 ? "" : halves[1].filter { $0 != ":" }
    guard clock.allSatisfy("0123456789.,+-Zz".contains) else { return nil }
    let isMidnight = clock.prefix { !"+-Zz".contains($0) }.allSatisfy("0.".contains)
    return (isYearless ? day.withoutYear : day.description, isMidnight ? "" : "T" + clock)
  }

  /// The day in `19800203`, `1980-2-3`, `--0203`, or `--02-03`; one without a year is in 2000, a leap year.
  private static func day(_ date: String) -> CalendarDay? {
    let full = date.hasPrefix("--") ? "2000" + date.dropFirst(date.utf8.count == 6 ? 2 : 1) : date
    if full.utf8.count == 8, let number = Int(full) {
      return CalendarDay(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
    let parts = full.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard parts.count == 3, numbers.count == 3, parts[0].utf8.count == 4 else { return nil }
    return CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// A day of the list as a card has it: without dashes.
  static func written(day: String) -> String {
    (day.hasPrefix("--") ? "--" : "") + day.filter { $0 != "-" }
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
///
/// All of it looks at bytes, with loops that take few instructions for each in a debug build, too.
enum VCardText {
  private static let backslash = UInt8(ascii: "\\")
  private static let comma = UInt8(ascii: ",")
  private static let semicolon = UInt8(ascii: ";")
  private static let plain = ByteSet { $0 != 0x0a && $0 != backslash && $0 != comma && $0 != semicolon }
  private static let unescaped = ByteSet { $0 != backslash }
  private static let line = ByteSet { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
  private static let lines = ByteSet { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 || $0 == 0x0a }

  /// The text with special characters escaped.
  static func escape(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard plain.end(in: bytes, from: 0) < bytes.count else { return text }
    let (backslash, comma, semicolon) = (backslash, comma, semicolon)
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count + bytes.count / 4)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0a || byte == backslash || byte == comma || byte == semicolon { escaped.append(backslash) }
      escaped.append(byte == 0x0a ? UInt8(ascii: "n") : byte)
      index += 1
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// The unescaped text; a backslash before any other character stays.
  static func unescape(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return unescaped.end(in: bytes, from: 0) == bytes.count ? text : unescape(bytes, 0, bytes.count)
  }

  /// The unescaped text from `start` to `end`.
  private static func unescape(_ bytes: [UInt8], _ start: Int, _ end: Int) -> String {
    let (backslash, comma, semicolon) = (backslash, comma, semicolon)
    var text: [UInt8] = []
    var index = start
    while index < end {
      let byte = bytes[index]
      index += 1
      guard byte == backslash, index < end else {
        text.append(byte)
        continue
      }
      let next = bytes[index]
      index += 1
      if next | 0x20 == UInt8(ascii: "n") {
        text.append(0x0a)
      } else {
        if next != backslash, next != comma, next != semicolon, next != UInt8(ascii: ":") {
          text.append(byte)
        }
        text.append(next)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Texts as a list with commas.
  static func list(_ texts: [String]) -> String { texts.map(escape).joined(separator: ",") }

  /// The components of a structured value, unescaped.
  static func components(_ value: String) -> [String] { split(value, at: semicolon) }

  /// The parts of a value between separators that are not escaped, unescaped.
  static func split(_ value: String, at separator: UInt8) -> [String] {
    let (bytes, backslash) = (Array(value.utf8), backslash)
    var parts: [String] = []
    var (index, start, hasEscapes) = (0, 0, false)
    func part() -> String {
      hasEscapes ? unescape(bytes, start, index) : String(decoding: bytes[start..<index], as: UTF8.self)
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == separator {
        parts.append(part())
        (start, hasEscapes) = (index + 1, false)
      } else if byte == backslash {
        hasEscapes = true
        if index + 1 < bytes.count { index += 1 }
      }
      index += 1
    }
    parts.append(part())
    return parts
  }

  /// The text as far as a vCard can hold it: line ends become LF; other controls except the tab are not
  /// allowed.
  static func carried(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard lines.end(in: bytes, from: 0) < bytes.count else { return text }
    return replacingLineEnds(bytes, by: "\n") { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
  }

  /// The text with each CR LF, LF, or CR replaced, of whose other bytes some are kept.
  fileprivate static func replacingLineEnds(
    _ bytes: [UInt8], by end: String, keeping isKept: (UInt8) -> Bool = { $0 != 0x0a }
  ) -> String {
    var (replaced, last): ([UInt8], UInt8) = ([], 0)
    for byte in bytes {
      if byte == 0x0d || byte == 0x0a && last != 0x0d {
        replaced += end.utf8
      } else if isKept(byte) {
        replaced.append(byte)
      }
      last = byte
    }
    return String(decoding: replaced, as: UTF8.self)
  }

  /// Whether a line may contain the text.
  static func isLine(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return line.end(in: bytes, from: 0) == bytes.count
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
    if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { return byte - UInt8(ascii: "0") }
    let letter = byte & 0xdf
    return letter >= UInt8(ascii: "A") && letter <= UInt8(ascii: "F") ? letter - UInt8(ascii: "A") + 10 : nil
  }
}
