internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The kinds of styled text on a terminal and their colors.
enum Style: CaseIterable, Sendable {
  /// A heading of help or the header of a table.
  case heading
  case sectionTitle
  /// Less important text, such as an id.
  case detail
  case favorite
  /// A match of a search.
  case match
  case error, warning, hint

  /// The parameters of the escape sequence, of the sixteen colors that every terminal has (ECMA-48, SGR).
  fileprivate var parameters: String {
    switch self {
    case .heading: "1"
    case .sectionTitle: "1;36"
    case .detail: "2"
    case .favorite: "33"
    case .match: "1;31"
    case .error: "1;31"
    case .warning: "33"
    case .hint: "36"
    }
  }
}

/// Adds the style, if colors are on and the text is not empty.
func styled(_ text: String, _ style: Style?, if isOn: Bool) -> String {
  guard isOn, let style, !text.isEmpty else { return text }
  return "\u{1b}[\(style.parameters)m\(text)\u{1b}[0m"
}

extension Style {
  /// Whether a string is an escape sequence of a style or that of its end.
  static func isSequence(_ text: String) -> Bool {
    text == "\u{1b}[0m" || allCases.contains { text == "\u{1b}[\($0.parameters)m" }
  }
}

func withoutStyles(_ text: String) -> String {
  text.split(separator: "\u{1b}", omittingEmptySubsequences: false).enumerated()
    .map { $0 == 0 ? $1 : $1.drop { $0 != "m" }.dropFirst() }.joined()
}

extension Session {
  /// Writes a line on standard error.
  ///
  /// On a terminal, the word before its colon is colored.
  func writeAside(_ line: String) throws {
    try errors.write(styledMessage(line, if: hasColor(errors)) + "\n")
  }
}

/// The line of a message, with its first word (error, warning, or hint) in color.
func styledMessage(_ line: String, if isOn: Bool) -> String {
  let kinds: [(String, Style)] = [
    ("customers:", .error), ("warning:", .warning), ("note:", .warning), ("hint:", .hint),
  ]
  guard let (word, style) = kinds.first(where: { line.hasPrefix($0.0 + " ") }) else { return line }
  return styled(word, style, if: isOn) + line.dropFirst(word.count)
}

/// Highlights matches of a search in a string.
struct Highlight: Sendable {
  let search: TextSearch

  /// The text with matches in their color and the rest in a style.
  func marked(_ text: String, _ style: Style?) -> String {
    var marked = ""
    var index = text.startIndex
    for range in search.ranges(in: text) {
      marked += styled(String(text[index..<range.lowerBound]), style, if: true)
      marked += styled(String(text[range]), .match, if: true)
      index = range.upperBound
    }
    return marked + styled(String(text[index...]), style, if: true)
  }
}

/// Text in a format for programs, which a user may see.
///
/// A terminal gets escapes instead of control characters; a pipe or a file gets the data unchanged.
final class ShownText {
  private let isTerminal: Bool
  private var hasChanged = false

  init(_ stream: Stream) { isTerminal = stream.isTerminal }

  /// What a terminal shows of a string; nil for a pipe or a file.
  var text: ((String) -> String)? { isTerminal ? { self.text($0) } : nil }

  private func text(_ text: String) -> String {
    let shown = printableLines(text)
    // Equal strings may have different scalars.
    if !shown.utf8.elementsEqual(text.utf8) { hasChanged = true }
    return shown
  }

  /// Notes that the terminal did not get the data unchanged.
  func sayIfChanged(_ session: Session) throws {
    guard hasChanged else { return }
    try session.writeAside(
      "note: control and invisible characters are shown as escapes; a pipe or a file gets them unchanged")
  }
}
