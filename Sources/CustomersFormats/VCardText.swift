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
