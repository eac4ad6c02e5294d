internal import CustomersTerminalText

/// A JSON value, which keeps the order of its keys.
public enum JSON: Sendable {
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

  /// The value in one line (RFC 8259).
  ///
  /// It can't control a terminal: such characters are escaped, including those that JSON would allow.
  public var text: String {
    switch self {
    case .string(let text): JSON.quote(text)
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let pairs):
      "{" + pairs.map { "\(JSON.quote($0.0)):\($0.1.text)" }.joined(separator: ",") + "}"
    case .raw(let text): text.escapingUnsafe(JSON.escapeOrSpace)
    }
  }

  private static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted.escapingUnsafe(escape) + "\""
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
  public var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .json(let text): .raw(text)
    }
  }
}
