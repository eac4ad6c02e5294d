/// Text from the data as it may go to a terminal: what could steer the terminal or reorder the line
/// (controls C0 and C1, delete, bidi and line separators) is shown as a visible escape.
func printable(_ text: String) -> String {
  text.escapingUnsafe(escape)
}

/// Printable text in quotation marks.
func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

extension String {
  /// The text with what could steer a terminal replaced by escapes; mostly there is nothing to replace.
  func escapingUnsafe(_ escape: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: isUnsafe) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if isUnsafe(scalar) {
        escaped += escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7f..<0xa0: true
  case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
  default: false
  }
}

private func escape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
