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
    table = try TableWriter(session, outline, largestID: list.largestID(), columns: columns)
    gap = isOneLine ? "" : "\n"
    hasHeader = !session.invocation.has("--no-header")
  }

  func begin() throws {
    switch format {
    case .csv where hasHeader: try output.write(csvRecord(columns.map(\.name)))
    case .tsv where hasHeader: try output.write(csvRecord(columns.map(\.name), separator: "\t"))
    case .json: try output.write("[")
    case .table, .csv, .tsv, .ndjson: break
    }
  }

  func header(_ section: Section) throws { if format == .table { try table.header(section) } }

  func footer(_ section: Section) throws { if format == .table { try table.footer(section) } }

  func row(_ customer: Customer) throws {
    switch format {
    case .table: try table.row(customer)
    case .csv: try output.write(csvRecord(values(customer)))
    case .tsv: try output.write(csvRecord(values(customer), separator: "\t"))
    case .ndjson: try output.write(Record.json(customer, outline, columns).text + "\n")
    case .json:
      try output.write(separator + gap + Record.json(customer, outline, columns).text)
      separator = ","
    }
  }

  func end() throws { if format == .json { try output.write("\(gap)]\(gap)") } }

  private func values(_ customer: Customer) -> [String] {
    columns.map { $0.value(customer, outline).plain }
  }
}
