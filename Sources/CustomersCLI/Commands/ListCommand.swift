internal import Formats
internal import CustomerStore

extension Command {
  static let list = Command(
    name: "list", aliases: ["ls"], summary: "show the list, in order",
    usage: "[--section SECTION] [--limit N] [--offset N]",
    operands: 0...0,
    options: [
      .value("--section", "SECTION", "only this section, by title or @id"),
      .value("--limit", "N", "at most N rows"),
      .value("--offset", "N", "leave out the first N rows"),
      .flag("--no-header", "csv and tsv without the line of column names"),
    ],
    formats: [.table, .csv, .tsv, .json, .ndjson],
    run: { session in
      let format = try session.format()
      let offset = try session.invocation.count("--offset") ?? 0
      let limit = try session.invocation.count("--limit") ?? .max
      try session.read { list in
        let outline = try list.outline()
        let only = try session.section(outline)
        let writer = try ListWriter(session, format, outline, largestID: list.largestID())
        try writer.begin()
        var skip = offset
        var left = limit
        for section in outline.sections where only == nil || only?.id == section.id {
          let first = min(skip, section.count)
          skip -= first
          guard left > 0 else { break }
          try writer.header(section)
          try list.forEach(from: first + 1, in: section.id) { customer in
            try writer.row(customer)
            left -= 1
            return left > 0
          }
          try writer.footer(section)
        }
        try writer.end()
      }
      return .done
    })
}

/// Writes customers one after another, in any format.
private final class ListWriter {
  private let output: Stream
  private let format: Format
  private let outline: Outline
  private let table: TableWriter
  private let hasHeader: Bool
  private let rows: CSVWriter
  private var separator = "\n"

  init(_ session: Session, _ format: Format, _ outline: Outline, largestID: Int64) throws {
    output = session.output
    self.format = format
    self.outline = outline
    table = try TableWriter(session, outline, largestID: largestID)
    rows = CSVWriter(separator: format == .tsv ? "\t" : ",")
    hasHeader = !session.invocation.has("--no-header")
  }

  func begin() throws {
    switch format {
    case .csv where hasHeader, .tsv where hasHeader: try write(Record.columns)
    case .json: try output.write("[")
    case .table, .csv, .tsv, .ndjson, .vcard: break
    }
  }

  func header(_ section: Section) throws { if format == .table { try table.header(section) } }

  func footer(_ section: Section) throws { if format == .table { try table.footer(section) } }

  func row(_ customer: Customer) throws {
    switch format {
    case .table, .vcard: try table.row(customer)
    case .csv, .tsv: try write(Record.values(customer, outline))
    case .ndjson: try output.write(Record.json(customer, outline).text + "\n")
    case .json:
      try output.write(separator + Record.json(customer, outline).text)
      separator = ",\n"
    }
  }

  /// A list shows everything, also what no other program could read back.
  private func write(_ values: [String]) throws { try output.write { _ = rows.append(values, to: &$0) } }

  func end() throws { if format == .json { try output.write("\n]\n") } }
}
