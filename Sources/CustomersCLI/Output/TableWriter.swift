internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

/// Writes a table row by row, in constant memory.
///
/// The first rows determine the widths of the columns. In later rows, a longer text is cut on a terminal;
/// elsewhere it shifts the rest of its line.
final class TableWriter {
  private enum Line {
    case title(String)
    case row([TableCell])
    case footer(String)
  }

  /// The number of rows, or bytes, that determine the widths.
  static let decisiveRows = 1000
  private static let decisiveBytes = 1_000_000

  private let output: Stream
  private let columns: [TableColumn]
  private let lineWidth: Int?
  private let makeRenderer: (ColumnLayout) -> any TableRenderer
  /// Nil until the layout is determined.
  private var renderer: (any TableRenderer)?
  /// The rows to write then.
  private var lines: [Line] = []
  private var rowCount = 0
  private var byteCount = 0

  /// Creates a writer; on a terminal no line is wider than `lineWidth`.
  init(
    _ output: Stream, _ columns: [TableColumn], lineWidth: Int?,
    _ makeRenderer: @escaping (ColumnLayout) -> any TableRenderer
  ) {
    self.output = output
    self.columns = columns
    self.lineWidth = lineWidth
    self.makeRenderer = makeRenderer
  }

  /// Writes a title above the rows to come.
  func title(_ text: String) throws { try take(.title(text)) }

  func row(_ cells: [TableCell]) throws {
    rowCount += 1
    byteCount += cells.reduce(0) { $0 + $1.text.utf8.count }
    try take(.row(cells))
  }

  /// Writes a line below the rows.
  func footer(_ text: String) throws { try take(.footer(text)) }

  func end() throws { if renderer == nil { try decide(areAll: true) } }

  private func take(_ line: Line) throws {
    if renderer != nil { return try write(line) }
    lines.append(line)
    if rowCount >= Self.decisiveRows || byteCount >= Self.decisiveBytes { try decide(areAll: false) }
  }

  private func decide(areAll: Bool) throws {
    let rows = lines.compactMap { line in if case .row(let cells) = line { cells } else { nil } }
    let layout = ColumnLayout(columns, rows: rows, areAll: areAll, lineWidth: lineWidth)
    var renderer = makeRenderer(layout)
    if !rows.isEmpty { try output.write { renderer.begin(&$0) } }
    self.renderer = renderer
    for line in lines { try write(line) }
    lines = []
  }

  private func write(_ line: Line) throws {
    try output.write { bytes in
      switch line {
      case .title(let text): renderer?.title(text, to: &bytes)
      case .row(let cells): renderer?.row(cells, to: &bytes)
      case .footer(let text): renderer?.footer(text, to: &bytes)
      }
    }
  }
}

/// Appends the lines of a table, each with its line break, in one form.
protocol TableRenderer {
  /// Appends the header, if there is a row.
  mutating func begin(_ bytes: inout [UInt8])
  mutating func title(_ text: String, to bytes: inout [UInt8])
  mutating func row(_ cells: [TableCell], to bytes: inout [UInt8])
  mutating func footer(_ text: String, to bytes: inout [UInt8])
}

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
