/// What a text on a terminal is, of all that is marked; the one place that gives it a color.
enum Style: CaseIterable, Sendable {
  /// A heading of help, or the names of a table's columns.
  case heading
  case sectionTitle
  /// What matters less, such as an id.
  case detail
  case favorite
  /// What `find` was looking for.
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

/// Adds the style, if colors are on and there is text to carry it.
func styled(_ text: String, _ style: Style?, if isOn: Bool) -> String {
  guard isOn, let style, !text.isEmpty else { return text }
  return "\u{1b}[\(style.parameters)m\(text)\u{1b}[0m"
}

/// The text as `styled` got it.
func withoutStyles(_ text: String) -> String {
  text.split(separator: "\u{1b}", omittingEmptySubsequences: false).enumerated()
    .map { $0 == 0 ? $1 : $1.drop { $0 != "m" }.dropFirst() }.joined()
}
