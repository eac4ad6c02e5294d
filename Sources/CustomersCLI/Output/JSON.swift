/// A JSON value, its keys in the order they were given.
enum JSON: Sendable {
  case string(String)
  case int(Int)
  case bool(Bool)
  case array([JSON])
  case object([(String, JSON)])
  /// Text that is JSON already.
  case raw(String)

  /// The value in one line (RFC 8259).
  var text: String {
    switch self {
    case .string(let text): JSON.quote(text)
    case .int(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let pairs):
      "{" + pairs.map { "\(JSON.quote($0.0)):\($0.1.text)" }.joined(separator: ",") + "}"
    case .raw(let text): JSON.escapingControls(text)
    }
  }

  /// Controls are escaped, also those of C1 and bidi that JSON would allow, so that JSON may go to a
  /// terminal.
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
    return escapingControls(quoted) + "\""
  }

  /// All of them are letters of one UTF-16 unit.
  private static func escapingControls(_ text: String) -> String {
    text.escapingUnsafe { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
