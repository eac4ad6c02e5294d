internal import CustomersFormats
internal import CustomersTerminalText

/// An error in a line of a script and its position.
struct ScriptDiagnostic: Error {
  var code = ExitCode.usage
  var message: String
  var details: [String] = []
  /// The rows or sections that may have been meant, for a program.
  var candidates: [JSON] = []
  var hint: String?
  /// The name of the script, as given.
  var file = ""
  /// The physical line, from 1.
  var line: Int
  /// That line's text.
  var source: String
  /// The offending part, in Unicode scalars from 0; nil for all of it.
  var range: Range<Int>?
}

extension ScriptDiagnostic {
  /// The maximum width of an excerpt.
  private static let width = 120

  /// The line with the offending part marked below, as compilers do; for a long line, only its surroundings.
  var excerpt: [String] {
    let scalars = Array(source.unicodeScalars)
    let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? 0
    let range = (range ?? first..<scalars.count).clamped(to: 0..<scalars.count)
    let start = range.lowerBound > Self.width / 2 ? range.lowerBound - Self.width / 3 : 0
    let before = (start > 0 ? "…" : "") + printable(Self.text(scalars[start..<range.lowerBound]))
    let marked = cut(printable(Self.text(scalars[range].prefix(Self.width))), to: Self.width)
    let after = printable(Self.text(scalars[range.upperBound...].prefix(Self.width)))
    let number = padded("", to: max(0, 5 - String(line).count)) + "\(line) | "
    let margin = String(repeating: " ", count: number.count + displayWidth(before))
    return [
      number + cut(before + marked + after, to: Self.width),
      margin + "^" + String(repeating: "~", count: max(0, displayWidth(marked) - 1)),
    ]
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
