internal import CustomersFormats
internal import CustomersTerminalText

/// A Markdown table; each section has a heading and its own table.
struct MarkdownTable: TableRenderer {
  private let columns: [ColumnLayout.Column]
  private var needsHeader = true
  private var isFirst = true

  init(_ layout: ColumnLayout) { columns = layout.columns }

  mutating func begin() -> String { "" }

  mutating func title(_ text: String) -> String {
    defer { (needsHeader, isFirst) = (true, false) }
    return (isFirst ? "" : "\n") + "## \(Markdown.escaped(text))\n\n"
  }

  mutating func row(_ cells: [TableCell]) -> String {
    defer { (needsHeader, isFirst) = (false, false) }
    let header =
      needsHeader ? Markdown.header(columns.map(\.title), areNumbers: columns.map(\.isNumber)) : ""
    return header + Markdown.line(columns.map { cells[$0.index].text })
  }

  func footer(_ text: String) -> String { "\n\(Markdown.escaped(text))\n" }
}
