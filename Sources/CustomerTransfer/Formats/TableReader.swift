internal import CustomersFormats

/// Reads the customers of a csv or tsv file.
struct TableReader: RecordReader {
  private var records: CSVRecords
  /// The names of the columns.
  let columns: [String]
  /// The delimiter, if it was detected.
  let detectedDelimiter: Character?
  /// Whether the file is a spreadsheet-safe export.
  private let isDefused: Bool
  /// Whether the names of the columns are not those that are read.
  private let isRenamed: Bool

  /// Reads the names of the columns.
  ///
  /// - Parameters:
  ///   - options: the delimiter, and whether there is a header.
  ///   - dialect: the dialect without a delimiter in the options; nil to detect it.
  ///   - head: the start of the text in UTF-8.
  ///   - readChunk: returns the next bytes of UTF-8, none at the end.
  /// - Throws: `TransferError`, `ParseError`, or what reading throws.
  init(
    _ options: ImportOptions, _ dialect: TableDialect?, head: [UInt8],
    _ readChunk: @escaping () throws -> [UInt8]
  ) throws {
    if let delimiter = options.delimiter, !ImportOptions.isDelimiter(delimiter) {
      throw TransferError.invalidDelimiter
    }
    let fixed = options.delimiter.map(TableDialect.separated) ?? dialect
    let shape = TableShape(head, fixed, hasHeader: options.hasHeader)
    detectedDelimiter = fixed == nil ? shape.delimiter : nil
    records = try CSVRecords(
      shape.dialect, hasHeader: options.hasHeader, skipping: shape.rowsBefore,
      fillsShortRows: options.fillsShortRows, readChunk: readChunk)
    if options.hasHeader, options.mapping.isEmpty, shape.looksLikeCustomer(records.columns) {
      throw TransferError.noHeader
    }
    isDefused = options.hasHeader && records.columns.contains(SpreadsheetMark.header)
    let guessed =
      options.hasHeader || !options.mapping.isEmpty ? [:] : ColumnsByContent.names(head, shape.dialect)
    columns = records.columns.enumerated().map { [isDefused] index, column in
      guessed[index] ?? (isDefused ? TableReader.original(column) : column)
    }
    isRenamed = isDefused || !guessed.isEmpty
  }

  mutating func next() throws -> Record? {
    guard isRenamed else { return try records.next() }
    guard var record = try records.next() else { return nil }
    record.columns = columns
    if isDefused { record.values = record.values.map { .text(SpreadsheetText.original($0.plain)) } }
    return record
  }

  /// The last row, in UTF-8.
  var lastBytes: [UInt8]? { Array(records.rowBytes) }

  /// How many rows were skipped because they are empty or name the columns again.
  var skipped: (empty: Int, headers: Int) { (records.emptyRows, records.repeatedHeaders) }

  /// The row that names the columns, in UTF-8; empty if there is none.
  var header: [UInt8] { records.header }

  /// The name of a column before the export made it safe.
  private static func original(_ column: String) -> String {
    column == SpreadsheetMark.header ? String(column.dropFirst()) : SpreadsheetText.original(column)
  }

  /// The rows before the one that names the columns, each as one text.
  var notes: [String] { records.notes.map { $0.joined(separator: " ") } }

  /// The line of the first row that has fewer fields than columns and how many have.
  var filled: (first: Int, count: Int) { records.filled }
}
