internal import CustomerStore
internal import CustomersFormats

/// Writes customers one after another, in any format of a file.
final class ExportWriter {
  /// A customer has something that the format can't hold.
  struct NotCarried: Error {}

  private let session: Session
  private let format: Format
  private let layout: ExportLayout
  private let stream: Stream
  private let rows: CSVWriter
  private let isSpreadsheetSafe: Bool
  private let hasHeader: Bool
  private var json: JSONWriter
  private var shown: ShownText

  init(_ session: Session, _ format: Format, _ layout: ExportLayout, _ stream: Stream) {
    self.session = session
    self.format = format
    self.layout = layout
    self.stream = stream
    json = JSONWriter(stream)
    shown = ShownText(stream)
    isSpreadsheetSafe = session.invocation.has("--spreadsheet-safe")
    hasHeader = !session.invocation.has("--no-header")
    rows = CSVWriter(
      format == .tsv ? .tsv : .csv, isSpreadsheetSafe: isSpreadsheetSafe,
      usesCRLF: session.invocation.has("--crlf"))
  }

  func begin() throws {
    switch format {
    case .csv where hasHeader, .tsv where hasHeader:
      let first = isSpreadsheetSafe ? [SpreadsheetMark.header] : [layout.columns[0]]
      try write(first + layout.columns.dropFirst())
    case .json: try json.beginArray()
    case .markdown: try stream.write(MarkdownTable.header(layout.columns))
    case .csv, .tsv, .ndjson, .vcard, .table, .ids: break
    }
  }

  func write(_ customer: Customer, _ title: String) throws {
    switch format {
    case .csv, .tsv, .table, .ids: try write(layout.values(customer, title))
    case .ndjson: try stream.write(layout.json(customer, title).text + "\n")
    case .vcard: try stream.write(shown.text(layout.card(customer, title)))
    case .markdown: try stream.write(MarkdownTable.line(layout.values(customer, title)))
    case .json: try json.element(layout.json(customer, title))
    }
  }

  func end() throws {
    try shown.sayIfChanged(session)
    guard format == .json else { return }
    try json.endArray()
    try stream.write("\n")
  }

  private func write(_ values: [String]) throws {
    let values = values.map { shown.text($0) }
    try stream.write { bytes in
      if !rows.append(values, to: &bytes) { throw NotCarried() }
    }
  }
}

/// The mark by which an import recognizes defused fields: the apostrophe before the first column.
enum SpreadsheetMark {
  static let header = "'" + CustomerField.firstName.column
}
