/// What a command prints its result in.
enum Format: String, CaseIterable, Sendable {
  case table, csv, tsv, json, ndjson, vcard, ids

  /// What a list of rows can be printed in.
  static let ofLists: [Format] = [.table, .csv, .tsv, .json, .ndjson, .ids]
  /// What a file of customers can be in.
  static let ofFiles: [Format] = [.csv, .tsv, .json, .ndjson, .vcard]
}

/// A text attribute of a terminal.
enum Style: String, Sendable {
  case bold = "1"
  case dim = "2"
}

/// The text as `styled` got it.
func withoutStyles(_ text: String) -> String {
  text.split(separator: "\u{1b}", omittingEmptySubsequences: false).enumerated()
    .map { $0 == 0 ? $1 : $1.drop { $0 != "m" }.dropFirst() }.joined()
}

/// Adds the attribute, if colours are on and there is text to carry it.
func styled(_ text: String, _ style: Style, if isOn: Bool) -> String {
  isOn && !text.isEmpty ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
}
