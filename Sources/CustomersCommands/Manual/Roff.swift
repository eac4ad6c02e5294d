internal import CustomersText

/// Text for `man`, in the language of man(7); ASCII, so that it can be shown anywhere.
enum Roff {
  /// A paragraph in short lines; text between backquotes is bold.
  static func prose(_ text: String) -> String {
    var isCode = false
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { part in
      defer { isCode.toggle() }
      return isCode ? bold(String(part)) : escaped(String(part))
    }
    let lines = filled(parts.joined().split(separator: " ").map(String.init), width: 77)
    // A period at the end of a line would be followed by a wider gap than elsewhere.
    return lines.map { protected($0) + ($0.hasSuffix(".") ? "\\&\n" : "\n") }.joined()
  }

  /// Text without styles.
  static func plain(_ text: String) -> String { escaped(text) }

  /// An item of a list and its meaning.
  static func item(_ styledTag: String, _ text: String) -> String {
    ".TP\n" + protected(styledTag) + "\n" + prose(text)
  }

  /// Preformatted lines.
  static func example(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return ".nf\n.RS 4\n" + lines.map { protected(escaped(String($0))) + "\n" }.joined() + ".RE\n.fi\n"
  }

  static func bold(_ text: String) -> String { text.isEmpty ? "" : "\\fB\(escaped(text))\\fP" }

  /// Literal words in bold, placeholders (in uppercase) in italics.
  static func usage(_ usage: String) -> String {
    var styled = ""
    var rest = usage[...]
    while let first = rest.first {
      let isWord = isInWord(first)
      let part = rest.prefix { isInWord($0) == isWord }
      rest = rest.dropFirst(part.count)
      let text = escaped(String(part))
      styled += isWord ? (first.isUppercase ? "\\fI\(text)\\fP" : "\\fB\(text)\\fP") : text
    }
    return styled
  }

  private static func isInWord(_ letter: Character) -> Bool { letter.isLetter || letter == "-" }

  /// The text with roff's special characters replaced.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": "\\(dq"
      case "…": "..."
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// A line that roff does not read as a request.
  private static func protected(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}
