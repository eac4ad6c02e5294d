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
    let chosen = options.delimiter.map(TableDialect.separated) ?? dialect
    detectedDelimiter = chosen == nil ? TableReader.detectDelimiter(in: head) : nil
    records = try CSVRecords(
      chosen ?? .separated(by: detectedDelimiter ?? ","), hasHeader: options.hasHeader, readChunk: readChunk)
    isDefused = options.hasHeader && records.columns.contains(SpreadsheetMark.header)
    columns = isDefused ? records.columns.map(TableReader.original) : records.columns
  }

  mutating func next() throws -> Record? {
    guard isDefused else { return try records.next() }
    guard var record = try records.next() else { return nil }
    record.columns = columns
    record.values = record.values.map { .text(SpreadsheetText.original($0.plain)) }
    return record
  }

  /// The last row, in UTF-8.
  var rowBytes: [UInt8] { Array(records.rowBytes) }

  /// The row that names the columns, in UTF-8; empty if there is none.
  var header: [UInt8] { records.header }

  /// The name of a column before the export made it safe.
  private static func original(_ column: String) -> String {
    column == SpreadsheetMark.header ? String(column.dropFirst()) : SpreadsheetText.original(column)
  }

  private static let candidates: [Character] = [",", ";", "\t", "|"]

  /// The character with which most columns match a field or, if none do, with which there are most columns.
  ///
  /// - Parameter head: the start of the file in UTF-8.
  /// - Returns: a comma, semicolon, tab or vertical bar.
  private static func detectDelimiter(in head: [UInt8]) -> Character {
    var best = (character: candidates[0], fitting: 0, count: 1)
    for character in candidates {
      var pieces = [head]
      var reader = CSVReader(.separated(by: character)) { pieces.popLast() ?? [] }
      guard let columns = try? reader.next()?.fields else { continue }
      let fitting = columns.count { ColumnTarget(column: $0).isText }
      if (fitting, columns.count) > (best.fitting, best.count) {
        best = (character, fitting, columns.count)
      }
    }
    return best.character
  }
}
