/// Text from the data as it may go to a terminal.
///
/// What could steer the terminal or reorder the line (controls C0 and C1, delete, bidi, and line
/// separators), and what no one could see, is shown as a visible escape.
public func printable(_ text: String) -> String {
  guard plainWidth(text) == nil else { return text }
  guard text.unicodeScalars.contains(where: { isUnsafe($0) || isInvisible($0) }) else { return text }
  return text.escaping(escape) { scalars, index in
    isUnsafe(scalars[index]) || isInvisible(scalars[index]) && !hasEffect(index, scalars)
  }
}

/// Printable text in quotation marks.
public func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

/// Printable text that keeps its line breaks.
public func printableLines(_ text: String) -> String {
  let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.enumerated().map { index, line in
    let end = line.last == "\r" && index < lines.count - 1 ? "\r" : ""
    return printable(String(end.isEmpty ? line : line.dropLast())) + end
  }.joined(separator: "\n")
}

private func escape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
