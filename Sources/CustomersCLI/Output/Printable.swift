internal import Formats

/// Text from the data as it may go to a terminal: what could steer the terminal or reorder the line
/// (controls C0 and C1, delete, bidi and line separators) is shown as a visible escape.
func printable(_ text: String) -> String {
  text.escapingUnsafe(escape)
}

/// Printable text in quotation marks.
func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

private func escape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
