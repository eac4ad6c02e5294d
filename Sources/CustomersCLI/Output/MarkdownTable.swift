internal import CustomersFormats
internal import CustomersTerminalText

/// A Markdown table; each section has a heading and its own table.
struct MarkdownTable: TableRenderer {
  private let columns: [ColumnLayout.Column]
  private var needsHeader = true
  private var isFirst = true

  init(_ layout: ColumnLayout) { columns = layout.columns }

  func begin(_ bytes: inout [UInt8]) {}

  mutating func title(_ text: String, to bytes: inout [UInt8]) {
    bytes += "\(isFirst ? "" : "\n")## \(Markdown.escaped(text))\n\n".utf8
    (needsHeader, isFirst) = (true, false)
  }

  mutating func row(_ cells: [TableCell], to bytes: inout [UInt8]) {
    if needsHeader {
      bytes += Markdown.header(columns.map(\.title), areNumbers: columns.map(\.isNumber)).utf8
    }
    bytes += Markdown.line(columns.map { cells[$0.index].text }).utf8
    (needsHeader, isFirst) = (false, false)
  }

  func footer(_ text: String, to bytes: inout [UInt8]) { bytes += "\n\(Markdown.escaped(text))\n".utf8 }
}
