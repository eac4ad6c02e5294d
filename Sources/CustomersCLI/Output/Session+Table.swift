internal import CustomerStore

extension Session {
  /// A table on standard output, as aligned text or Markdown.
  func table(
    _ columns: [TableColumn], in format: OutputFormat = .table, hasHeader: Bool = true,
    marking search: TextSearch? = nil
  ) -> TableWriter {
    let hasColor = hasColor(output)
    let highlight = search.map(Highlight.init)
    guard format != .markdown else {
      return TableWriter(output, columns, lineWidth: nil) { MarkdownTable($0) }
    }
    return TableWriter(output, columns, lineWidth: output.isTerminal ? screen.columns : nil) {
      TextTable(layout: $0, hasHeader: hasHeader, hasColor: hasColor, highlight: highlight)
    }
  }
}
