internal import CustomersTerminalText

/// A Markdown table (https://github.github.com/gfm/#tables-extension-); each section has a heading and its
/// own table.
struct MarkdownTable: TableRenderer {
  private let columns: [ColumnLayout.Column]
  private var needsHeader = true
  private var isFirst = true

  init(_ layout: ColumnLayout) { columns = layout.columns }

  mutating func begin() -> String { "" }

  mutating func title(_ text: String) -> String {
    defer { (needsHeader, isFirst) = (true, false) }
    return (isFirst ? "" : "\n") + "## \(Self.escaped(text))\n\n"
  }

  mutating func row(_ cells: [TableCell]) -> String {
    defer { (needsHeader, isFirst) = (false, false) }
    let header =
      needsHeader ? Self.header(columns.map(\.title), areNumbers: columns.map(\.isNumber)) : ""
    return header + Self.line(columns.map { cells[$0.index].text })
  }

  func footer(_ text: String) -> String { "\n\(Self.escaped(text))\n" }

  /// The header row and the delimiter row.
  static func header(_ titles: [String], areNumbers: [Bool] = []) -> String {
    let rules = titles.indices.map { areNumbers.indices.contains($0) && areNumbers[$0] ? "--:" : "---" }
    return line(titles) + "| \(rules.joined(separator: " | ")) |\n"
  }

  static func line(_ texts: [String]) -> String { "| \(texts.map(escaped).joined(separator: " | ")) |\n" }

  /// The text as literal Markdown in one cell.
  static func escaped(_ text: String) -> String {
    printableLines(text).reduce(into: "") { escaped, character in
      switch character {
      case "\n", "\r\n": escaped += "<br>"
      case "|", "\\", "`", "*", "_", "[", "]": escaped += "\\\(character)"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      default: escaped.append(character)
      }
    }
  }
}
