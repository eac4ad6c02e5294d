internal import CustomersTerminalText

/// One line of text in a file for an editor: nothing is lost, and nothing controls a terminal.
///
/// A backslash is doubled; control characters are escaped, and so is whitespace at the ends, which editors
/// and people lose.
func escapedForEditor(_ text: String) -> String {
  let scalars = printable(doublingBackslashes(text)).unicodeScalars
  let isBlank: (Unicode.Scalar) -> Bool = \.properties.isWhitespace
  let start = scalars.firstIndex { !isBlank($0) } ?? scalars.endIndex
  let end = scalars.lastIndex { !isBlank($0) }.map(scalars.index(after:)) ?? scalars.endIndex
  func escape(_ blanks: Substring.UnicodeScalarView) -> String {
    blanks.map { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }.joined()
  }
  return escape(scalars[..<start]) + String(scalars[start..<end]) + escape(scalars[end...])
}

private func doublingBackslashes(_ text: String) -> String {
  var doubled = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    doubled.append(contentsOf: scalar == "\\" ? [scalar, scalar] : [scalar])
  }
  return String(doubled)
}

/// Parses a line that `escapedForEditor` or a user wrote.
///
/// - Throws: a `Failure` with code `usage` for an invalid escape.
func unescapedFromEditor(_ text: String) throws -> String {
  var plain = String.UnicodeScalarView()
  var rest = text.unicodeScalars[...]
  while let scalar = rest.popFirst() {
    plain.append(scalar == "\\" ? try escape(&rest) : scalar)
  }
  return String(plain)
}

private func escape(_ rest: inout Substring.UnicodeScalarView) throws -> Unicode.Scalar {
  switch rest.popFirst() {
  case "\\": return "\\"
  case "n": return "\n"
  case "r": return "\r"
  case "t": return "\t"
  case "u" where rest.first == "{":
    let digits = rest.dropFirst().prefix { $0 != "}" }
    rest = rest.dropFirst(digits.count + 2)
    if let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value) { return scalar }
    throw Failure.usage("no character has the code \\u{\(printable(String(digits)))}")
  default: throw Failure.usage("write a backslash twice")
  }
}

/// The lines of an edited text, trimmed, with their numbers from 1, without empty lines and comments.
func linesOfTemplate(_ text: String) -> [(number: Int, text: Substring.UnicodeScalarView)] {
  // By scalars: an accent must not hide the character before it, nor CR the LF.
  let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.enumerated().map { ($0 + 1, trimmed($1)) }.filter { !$1.isEmpty && $1.first != "#" }
}

/// Without whitespace at the ends.
func trimmed(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
  let isBlank: (Unicode.Scalar) -> Bool = { " \t\r\u{feff}".unicodeScalars.contains($0) }
  let start = text.drop(while: isBlank)
  let end = start.lastIndex { !isBlank($0) }.map(start.index(after:)) ?? start.startIndex
  return start[..<end]
}
