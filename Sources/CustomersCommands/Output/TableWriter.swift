internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

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

struct TableCell: ColumnCell, Sendable {
  let text: String
  var style: Style?
  /// Numbers are aligned on the right.
  var isNumber = false

  init(_ text: String, _ style: Style? = nil) {
    self.text = text
    self.style = style
  }

  init(_ cell: (text: String, isNumber: Bool)) { (text, isNumber) = cell }

  init(number: String) {
    text = number
    isNumber = true
  }

  init(_ number: Int) { self.init(number: String(number)) }
}

/// A table in aligned columns, as people read it on a terminal and in a pipe.
struct TextTable: TableRenderer {
  let layout: ColumnLayout
  var hasHeader = true
  var hasColor = false
  /// The words to highlight.
  var highlight: Highlight?

  func begin(_ bytes: inout [UInt8]) {
    guard hasHeader else { return }
    line(to: &bytes, highlight: nil) { TableCell($0.title, .heading) }
  }

  func title(_ text: String, to bytes: inout [UInt8]) { line(text, .sectionTitle, to: &bytes) }

  func footer(_ text: String, to bytes: inout [UInt8]) { line(text, .detail, to: &bytes) }

  func row(_ cells: [TableCell], to bytes: inout [UInt8]) {
    line(to: &bytes, highlight: hasColor ? highlight : nil) { cells[$0.index] }
  }

  private func line(
    to bytes: inout [UInt8], highlight: Highlight?, _ cell: (ColumnLayout.Column) -> TableCell
  ) {
    // The spaces up to the next text; after the last text of a line there are none.
    var blanks = 0
    var used = 0
    for column in layout.columns {
      let cell = cell(column)
      var (text, width) = measured(cell.text)
      if let lineWidth = layout.lineWidth {
        let room = min(column.width, lineWidth - used - blanks)
        if width > room {
          text = cut(text, to: room)
          width = displayWidth(text)
        }
      }
      let padding = max(0, column.width - width)
      if column.isNumber { blanks += padding }
      if width > 0 {
        bytes.append(contentsOf: repeatElement(0x20, count: blanks))
        bytes += (highlight?.marked(text, cell.style) ?? styled(text, cell.style, if: hasColor)).utf8
        used += blanks + width
        blanks = 0
      }
      blanks += (column.isNumber ? 0 : padding) + ColumnLayout.gap.utf8.count
    }
    bytes.append(0x0a)
  }

  /// What is shown of a string and its width.
  private func measured(_ text: String) -> (String, Int) {
    if let width = plainWidth(text) { return (text, width) }
    let shown = printable(text)
    return (shown, displayWidth(shown))
  }

  private func line(_ text: String, _ style: Style, to bytes: inout [UInt8]) {
    let text = printable(text)
    let shown = layout.lineWidth.map { cut(text, to: $0) } ?? text
    bytes += (styled(shown, style, if: hasColor) + "\n").utf8
  }
}

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
