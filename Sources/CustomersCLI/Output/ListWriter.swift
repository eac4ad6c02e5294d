internal import CustomerStore
internal import Formats

/// Writes customers one after another, in any format.
final class ListWriter {
  private let output: Stream
  private let format: Format
  private let outline: Outline
  private let columns: [Column]
  private let table: TableWriter
  private let hasHeader: Bool
  private let rows: CSVWriter
  private var json: JSONWriter
  private let isOneLine: Bool

  /// Without columns, what suits the format is written of each customer; `isOneLine` makes a JSON array
  /// a part of a line.
  init(
    _ session: Session, _ format: Format, _ list: borrowing CustomerList, columns: [Column]? = nil,
    search: TextSearch? = nil, isOneLine: Bool = false
  ) throws {
    output = session.output
    self.format = format
    outline = try list.outline()
    self.columns = columns ?? Column.all
    table = TableWriter(
      session, outline, largestID: try list.largestID(), columns: columns,
      search: search)
    rows = CSVWriter(separator: format == .tsv ? "\t" : ",")
    json = JSONWriter(session.output, isOneLine: isOneLine)
    self.isOneLine = isOneLine
    hasHeader = !session.invocation.has("--no-header")
  }

  func begin() throws {
    switch format {
    case .csv where hasHeader, .tsv where hasHeader: try write(columns.map(\.name))
    case .json: try json.beginArray()
    case .table, .csv, .tsv, .ndjson, .vcard, .ids: break
    }
  }

  func header(_ section: CustomerSection) throws { if format == .table { try table.header(section) } }

  func footer(_ section: CustomerSection) throws { if format == .table { try table.footer(section) } }

  func row(_ customer: Customer) throws {
    switch format {
    case .table, .vcard: try table.row(customer)
    case .ids: try output.write("@\(customer.id.rawValue)\n")
    case .csv, .tsv: try write(columns.map { $0.value(customer, outline).plain })
    case .ndjson: try output.write(Record.json(customer, outline, columns).text + "\n")
    case .json: try json.element(Record.json(customer, outline, columns))
    }
  }

  func end() throws {
    guard format == .json else { return }
    try json.endArray()
    if !isOneLine { try output.write("\n") }
  }

  /// A list shows everything, also what no other program could read back.
  private func write(_ values: [String]) throws { try output.write { _ = rows.append(values, to: &$0) } }
}
