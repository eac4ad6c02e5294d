/// What a command prints its result in.
enum Format: String, CaseIterable, Sendable {
  case table, csv, tsv, json, ndjson, vcard
}

/// A text attribute of a terminal.
enum Style: String, Sendable {
  case bold = "1"
  case dim = "2"
}

/// Adds the attribute, if colours are on and there is text to carry it.
func styled(_ text: String, _ style: Style, if isOn: Bool) -> String {
  isOn && !text.isEmpty ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
}
