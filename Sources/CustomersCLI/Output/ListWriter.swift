internal import CustomerStore
internal import CustomersFormats

/// Writes customers one after another, in any format.
final class ListWriter {
  private let session: Session
  private let output: Stream
  private let format: Format
  private let outline: ListOutline
  private let columns: [OutputColumn]
  private let customers: CustomerColumns
  private let table: TableWriter
  private let hasHeader: Bool
  private let rows: CSVWriter
  private var shown: ShownText
  private var json: JSONWriter
  private let isOneLine: Bool

  /// Creates a writer for these columns, or for the default columns of the format.
  ///
  /// Matches are highlighted on a terminal; `isOneLine` writes a JSON array on one line.
  init(
    _ session: Session, _ format: Format, _ list: borrowing CustomerList, columns: [OutputColumn]? = nil,
    search: TextSearch? = nil, isOneLine: Bool = false
  ) throws {
    self.session = session
    output = session.output
    self.format = format
    outline = try list.outline()
    self.columns = columns ?? OutputColumn.all
    customers = CustomerColumns(
      outline, largestID: try list.largestID(), columns: columns, search: search)
    table = session.table(customers.tableColumns, in: format, marking: search)
    rows = CSVWriter(format == .tsv ? .tsv : .csv)
    shown = ShownText(session.output)
    json = JSONWriter(session.output, isOneLine: isOneLine)
    self.isOneLine = isOneLine
    hasHeader = !session.invocation.has("--no-header")
  }

  func begin() throws {
    switch format {
    case .csv where hasHeader, .tsv where hasHeader: try write(columns.map(\.name))
    case .json: try json.beginArray()
    case .table, .markdown, .csv, .tsv, .ndjson, .vcard, .ids: break
    }
  }

  /// Writes the title of a section, if there are several.
  func header(_ section: CustomerSection) throws {
    guard format.isTable, outline.sections.count > 1 else { return }
    try table.title(section.title.isEmpty ? "(no title)" : section.title)
  }

  func footer(_ section: CustomerSection) throws {
    guard format.isTable, outline.sections.count > 1, !section.footer.isEmpty else { return }
    try table.footer(section.footer)
  }

  func row(_ customer: Customer) throws {
    switch format {
    case .table, .markdown, .vcard: try table.row(customers.cells(customer))
    case .ids: try output.write("@\(customer.id.rawValue)\n")
    case .csv, .tsv: try write(columns.map { $0.value(customer, outline).plain })
    case .ndjson: try output.write(OutputRecord.json(customer, outline, columns).text + "\n")
    case .json: try json.element(OutputRecord.json(customer, outline, columns))
    }
  }

  func end() throws {
    if format.isTable { try table.end() }
    try shown.sayIfChanged(session)
    guard format == .json else { return }
    try json.endArray()
    if !isOneLine { try output.write("\n") }
  }

  /// A list shows everything, even what no other program could read.
  private func write(_ values: [String]) throws {
    let values = values.map { shown.text($0) }
    try output.write { _ = rows.append(values, to: &$0) }
  }
}
