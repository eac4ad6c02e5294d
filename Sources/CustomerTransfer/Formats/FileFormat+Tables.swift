internal import CustomerStore
internal import CustomersFormats

extension FileFormat {
  /// Comma-separated values (RFC 4180); an import detects the delimiter.
  public static let csv = FileFormat(
    name: "csv", summary: "Comma-separated values, with a header line.", fileExtensions: ["csv", "txt"],
    isTable: true,
    makeReader: { options, head, _, readChunk in
      try TableReader(options, nil, head: head, readChunk)
    },
    makeWriter: { TableFileWriter(.csv, $0, $1) })

  /// Tab-separated values, one line per customer: a tab, line break, or backslash inside a field is written
  /// `\t`, `\n`, `\r` or `\\`.
  public static let tsv = FileFormat(
    name: "tsv", summary: "Tab-separated values, with a header line.", fileExtensions: ["tsv", "tab"],
    isTable: true,
    makeReader: { options, head, _, readChunk in try TableReader(options, .tsv, head: head, readChunk) },
    makeWriter: { TableFileWriter(.tsv, $0, $1) })
}

/// Writes customers as rows, after a row with the names of the columns.
private struct TableFileWriter: CustomerWriter {
  private let layout: ExportLayout
  private let options: ExportOptions
  private let rows: CSVWriter

  init(_ dialect: TableDialect, _ layout: ExportLayout, _ options: ExportOptions) {
    self.layout = layout
    self.options = options
    rows = CSVWriter(dialect, isSpreadsheetSafe: options.isSpreadsheetSafe, usesCRLF: options.usesCRLF)
  }

  func begin(_ bytes: inout [UInt8]) -> Bool {
    guard options.hasHeader else { return true }
    let first = CustomerField.firstName.column
    return append(
      layout.columns.map { options.isSpreadsheetSafe && $0 == first ? SpreadsheetMark.header : $0 },
      to: &bytes)
  }

  func append(_ customer: Customer, in section: String, to bytes: inout [UInt8]) -> Bool {
    append(layout.values(customer, section), to: &bytes)
  }

  private func append(_ values: [String], to bytes: inout [UInt8]) -> Bool {
    rows.append(layout.shown.map { values.map($0) } ?? values, to: &bytes)
  }
}

/// The mark by which an import recognizes defused fields: an apostrophe before the name of a column.
enum SpreadsheetMark {
  static let header = "'" + CustomerField.firstName.column
}
