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
  /// What stands between two parts of a JSON array, besides the comma.
  private let gap: String
  private var separator = ""

  /// Without columns, what suits the format is written of each customer; `isOneLine` makes a JSON array
  /// a part of a line.
  init(
    _ session: Session, _ format: Format, _ list: borrowing CustomerList, columns: [Column]? = nil,
    isOneLine: Bool = false
  ) throws {
    output = session.output
    self.format = format
    outline = try list.outline()
    self.columns = columns ?? Column.all
    table = TableWriter(session, outline, largestID: try list.largestID(), columns: columns)
    rows = CSVWriter(separator: format == .tsv ? "\t" : ",")
    gap = isOneLine ? "" : "\n"
    hasHeader = !session.invocation.has("--no-header")
  }

  func begin() throws {
    switch format {
    case .csv where hasHeader, .tsv where hasHeader: try write(columns.map(\.name))
    case .json: try output.write("[")
    case .table, .csv, .tsv, .ndjson, .vcard: break
    }
  }

  func header(_ section: CustomerSection) throws { if format == .table { try table.header(section) } }

  func footer(_ section: CustomerSection) throws { if format == .table { try table.footer(section) } }

  func row(_ customer: Customer) throws {
    switch format {
    case .table, .vcard: try table.row(customer)
    case .csv, .tsv: try write(columns.map { $0.value(customer, outline).plain })
    case .ndjson: try output.write(Record.json(customer, outline, columns).text + "\n")
    case .json:
      try output.write(separator + gap + Record.json(customer, outline, columns).text)
      separator = ","
    }
  }

  func end() throws { if format == .json { try output.write("\(gap)]\(gap)") } }

  /// A list shows everything, also what no other program could read back.
  private func write(_ values: [String]) throws { try output.write { _ = rows.append(values, to: &$0) } }
}
