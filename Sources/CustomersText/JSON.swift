/// A JSON value, which keeps the order of its keys.
package enum JSON: Sendable {
  /// A string.
  case string(String)
  /// An integer.
  case int(Int)
  /// True or false.
  case bool(Bool)
  /// Values in order.
  case array([JSON])
  /// Keys and values in order; the caller must use each key once.
  case object([(String, JSON)])
  /// Text that is JSON already.
  case raw(String)

  /// The value null.
  package static let null = JSON.raw("null")

  /// The value in one line (RFC 8259).
  ///
  /// It can't control a terminal: such characters are escaped, including those that JSON would allow.
  package var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .string(let string): JSON.quote(string, to: &bytes)
    case .int(let number): bytes += String(number).utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let pairs):
      bytes.append(UInt8(ascii: "{"))
      for (index, (key, value)) in pairs.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSON.quote(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .raw(let json): bytes += json.escapingUnsafe(JSON.escapeOrSpace).utf8
    }
  }

  private static func quote(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if needsEscape(string) {
      var escaped = ""
      for scalar in string.unicodeScalars {
        switch scalar {
        case "\"": escaped += "\\\""
        case "\\": escaped += "\\\\"
        case "\n": escaped += "\\n"
        case "\r": escaped += "\\r"
        case "\t": escaped += "\\t"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      bytes += escaped.escapingUnsafe(escape).utf8
    } else {
      bytes += string.utf8
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ string: String) -> Bool {
    let bytes = string.utf8.span
    for index in bytes.indices where mayBeEscaped(bytes[index]) { return true }
    return false
  }

  private static func mayBeEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || mayBeginUnsafe(byte)
  }

  /// In JSON, line ends and tabs are never part of a string, only whitespace.
  private static func escapeOrSpace(_ scalar: Unicode.Scalar) -> String {
    scalar == "\n" || scalar == "\r" || scalar == "\t" ? " " : escape(scalar)
  }

  /// All unsafe scalars have one UTF-16 unit.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension Record.Value {
  /// The value as JSON.
  package var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .json(let text): .raw(text)
    }
  }
}

/// The members of a JSON object, each as it is written.
///
/// It changes the name of a member, or leaves one out, without reading the values: they keep every digit and
/// every space.
package struct JSONObject: Sendable {
  private let bytes: [UInt8]
  private var members: [(key: Range<Int>, value: Range<Int>)] = []

  /// Splits an object; nil if the text is not one.
  ///
  /// - Parameter text: a JSON value. It is only checked as far as the split needs.
  package init?(_ text: String) {
    bytes = Array(text.utf8)
    var index = bytes.startIndex
    guard next(&index) == UInt8(ascii: "{") else { return nil }
    index += 1
    guard next(&index) != UInt8(ascii: "}") else { return }
    while true {
      guard next(&index) == UInt8(ascii: "\""), let key = string(&index),
        next(&index) == UInt8(ascii: ":")
      else { return nil }
      index += 1
      guard next(&index) != nil, let value = value(&index) else { return nil }
      members.append((key, value))
      if bytes[index] == UInt8(ascii: "}") { return }
      index += 1
    }
  }

  /// A member of an object.
  package struct Member: Sendable {
    /// Its name; nil if it is not a string.
    package let name: String?
    /// Its name as it is written, with the quotes.
    package let key: String
    /// Its value as it is written.
    package let value: String
  }

  /// The members in their order.
  package var contents: [Member] {
    members.map { member in
      Member(
        name: name(of: member.key), key: String(decoding: bytes[member.key], as: UTF8.self),
        value: String(decoding: bytes[member.value], as: UTF8.self))
    }
  }

  /// The object with another name for the members that have this one or without them if it is nil.
  ///
  /// - Returns: nil if no member has the name; names are compared byte by byte.
  package func replacing(_ name: String, with newName: String?) -> String? {
    let areNamed = members.map { isNamed($0.key, name) }
    guard areNamed.contains(true) else { return nil }
    let newKey = newName.map { Array(JSON.string($0).text.utf8) }
    var text = [UInt8(ascii: "{")]
    for (member, isNamed) in zip(members, areNamed) where !isNamed || newKey != nil {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      if isNamed, let newKey { text += newKey } else { text += bytes[member.key] }
      text.append(UInt8(ascii: ":"))
      text += bytes[member.value]
    }
    text.append(UInt8(ascii: "}"))
    return String(decoding: text, as: UTF8.self)
  }

  private func isNamed(_ key: Range<Int>, _ name: String) -> Bool {
    let inner = bytes[key.lowerBound + 1..<key.upperBound - 1]
    guard inner.contains(UInt8(ascii: "\\")) else { return inner.elementsEqual(name.utf8) }
    return self.name(of: key)?.utf8.elementsEqual(name.utf8) ?? false
  }

  private func name(of key: Range<Int>) -> String? {
    let text = String(decoding: bytes[key], as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text.dropFirst().dropLast()) }
    guard case .text(let name)? = JSON.value(text) else { return nil }
    return name
  }

  /// Skips whitespace; nil at the end.
  private func next(_ index: inout Int) -> UInt8? {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0a, 0x0d, 0x09: index += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Skips the string that starts here.
  private func string(_ index: inout Int) -> Range<Int>? {
    let start = index
    index += 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return start..<index
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  /// Skips the value that starts here, up to the comma or brace after it.
  private func value(_ index: inout Int) -> Range<Int>? {
    let start = index
    var end = index
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        guard string(&index) != nil else { return nil }
        end = index
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ","), UInt8(ascii: "}"):
        if depth == 0 { return start..<end }
        if bytes[index] == UInt8(ascii: "}") { depth -= 1 }
      case UInt8(ascii: "]"): depth -= 1
      case 0x20, 0x0a, 0x0d, 0x09:
        index += 1
        continue
      default: break
      }
      index += 1
      end = index
    }
    return nil
  }
}

extension JSON {
  /// Reads a value.
  ///
  /// - Parameter text: only the value, without spaces around it, as strict as for ``JSONReader``.
  /// - Returns: the value; nil for any other text.
  package static func value(_ text: String) -> Record.Value? {
    let columns = try? JSON.columns(ofObject: "{\"\":\(text)}", keepsNull: true)
    guard let value = columns?.first?.value, columns?.count == 1 else { return nil }
    if case .json(let written) = value, !written.utf8.elementsEqual(text.utf8) { return nil }
    return value
  }
}
