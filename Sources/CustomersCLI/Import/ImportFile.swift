internal import CustomersFiles
internal import CustomersFormats

/// A customer as it is in a file; `OutputRecord` is one as it is in the list.
typealias FileRecord = CustomersFormats.Record

/// The customers of a file in any format, one after another.
final class ImportFile {
  /// The name of the file in messages.
  var name: String { source.name }
  private let source: ImportSource
  private var decoder: TextDecoder
  /// The start of the text, which is examined before reading.
  private var head: [UInt8]?
  private var reader: any RecordReader = Nobody()
  /// The names of the columns, if all customers of the file have the same.
  private(set) var columns: [String]?
  /// The delimiter of a table, if it was detected.
  private(set) var recognizedDelimiter: Character?
  /// Whether the file is a spreadsheet-safe export.
  private var isDefused = false
  private let progress: ProgressBar

  /// Starts reading: first the names of the columns, if any.
  ///
  /// - Throws: a `Failure` if the content does not have the format.
  init(_ source: ImportSource, _ options: ImportOptions, _ progress: ProgressBar) throws {
    self.source = source
    self.progress = progress
    decoder = TextDecoder(options.encoding) { try source.read() }
    try FileContent(bytes: source.peek()).prove(options.format, of: source.name, at: source.path)
    let head = try decoder.next()
    self.head = head
    try FileContent(text: head).prove(options.format, of: source.name, at: source.path)
    let readChunk = { [unowned self] in try self.readChunk() }
    switch options.format {
    case .json, .ndjson: reader = JSONReader(readChunk: readChunk)
    case .vcard: reader = VCardReader(readChunk: readChunk)
    case .csv, .tsv, .table, .markdown, .ids:
      if options.dialect == nil { recognizedDelimiter = Delimiter.recognized(in: head) }
      let dialect = options.dialect ?? .separated(by: recognizedDelimiter ?? ",")
      let records = try CSVRecords(dialect, hasHeader: options.hasHeader, readChunk: readChunk)
      isDefused = options.hasHeader && records.columns.contains(SpreadsheetMark.header)
      columns = isDefused ? records.columns.map(original) : records.columns
      reader = records
    }
  }

  /// The next customer, or nil after the last.
  ///
  /// - Throws: `MalformedRow`, `ParseError`, or what reading throws.
  func next() throws -> FileRecord? {
    guard var record = try reader.next() else { return nil }
    guard isDefused, let columns else { return record }
    record.columns = columns
    record.values = record.values.map { .text(SpreadsheetText.original($0.plain)) }
    return record
  }

  /// The name of a column before the export made it safe.
  private func original(_ column: String) -> String {
    column == SpreadsheetMark.header ? String(column.dropFirst()) : SpreadsheetText.original(column)
  }

  /// The last row, as it is in the file but in UTF-8; nil if the format has no rows.
  var rowBytes: [UInt8]? { (reader as? CSVRecords).map { Array($0.rowBytes) } }

  /// The start of a file with some of the rows.
  var header: [UInt8] {
    decoder.mark + ((reader as? CSVRecords).map { decoder.encode($0.header) } ?? [])
  }

  /// The failure if the file has no customers.
  var emptiness: Failure {
    guard source.position > 0 else { return Failure(code: .failed, message: "\(name): the file is empty") }
    return Failure(
      code: .failed, message: "\(name): there are no customers in the file",
      hint: (columns ?? []).isEmpty ? nil : "the first line names the columns, unless --no-header is given")
  }

  /// Bytes of UTF-8 as they are in the file.
  func encoded(_ bytes: [UInt8]) -> [UInt8] { decoder.encode(bytes) }

  private func readChunk() throws -> [UInt8] {
    progress.advance(to: source.position, of: source.size)
    if let head {
      self.head = nil
      return head
    }
    return try decoder.next()
  }
}

/// A placeholder until there is a reader.
private struct Nobody: RecordReader {
  mutating func next() throws -> FileRecord? { nil }
}
