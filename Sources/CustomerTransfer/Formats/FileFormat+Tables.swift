internal import CustomerStore
internal import CustomersText

extension FileFormat {
  /// Comma-separated values (RFC 4180); an import detects the delimiter.
  package static let csv = FileFormat(
    name: "csv", summary: "Comma-separated values, with a header line.", fileExtensions: ["csv", "txt"],
    isTable: true,
    makeReader: { options, head, _, readChunk in
      try TableReader(options, nil, head: head, readChunk)
    },
    makeWriter: { TableFileWriter(.csv, $0, $1) })

  /// Tab-separated values, one line per customer: a tab, line break, or backslash inside a field is written
  /// `\t`, `\n`, `\r` or `\\`.
  package static let tsv = FileFormat(
    name: "tsv", summary: "Tab-separated values, with a header line.", fileExtensions: ["tsv", "tab"],
    isTable: true,
    makeReader: { options, head, _, readChunk in try TableReader(options, .tsv, head: head, readChunk) },
    makeWriter: { TableFileWriter(.tsv, $0, $1) })

  /// A spreadsheet of Excel and LibreOffice; an import reads the first sheet, or the one that the options name.
  package static let xlsx = FileFormat(
    name: "xlsx", summary: "A spreadsheet, with dates and numbers as such.", fileExtensions: ["xlsx"],
    isTable: true, isBinary: true,
    limit: "a NUL character, more than 32,767 letters in a value, or more rows before it than a sheet has",
    makeReader: { options, head, _, readChunk in try TableReader(options, .tsv, head: head, readChunk) },
    makeWriter: { WorkbookWriter($0, hasHeader: $1.hasHeader) })
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
    return append(
      options.isSpreadsheetSafe ? SpreadsheetMark.marking(layout.columns) : layout.columns, to: &bytes)
  }

  var hasLog: Bool { layout.hasLog }

  func append(_ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]) -> Bool {
    append(layout.row(customer, in: section, log), to: &bytes)
  }

  private func append(_ values: [String], to bytes: inout [UInt8]) -> Bool {
    rows.append(layout.shown.map { values.map($0) } ?? values, to: &bytes)
  }
}

/// The mark by which an import recognizes defused fields: an apostrophe before the name of a column that is no extra one.
enum SpreadsheetMark {
  /// The first name, as in files of older versions, or the first of the others that the file has.
  private static let columns =
    [CustomerField.firstName.column, "name"] + ExportLayout.fixed + ExportLayout.identifying
  private static let marked = Set(columns.map { "'" + $0 })

  /// Whether it is the name of a column with the mark.
  static func isMarked(_ name: String) -> Bool { marked.contains(name) }

  /// Marks one of the names.
  static func marking(_ names: [String]) -> [String] {
    guard let chosen = columns.first(where: names.contains) else { return names }
    return names.map { $0 == chosen ? "'" + $0 : $0 }
  }
}

/// Reads the customers of a csv or tsv file.
struct TableReader: RecordReader {
  private(set) var records: CSVRecords
  let columns: [String]
  /// The delimiter, if it was detected.
  let detectedDelimiter: Character?
  /// Whether the file is a spreadsheet-safe export.
  private let isDefused: Bool
  /// Whether rows end at their last value, as those of a sheet.
  private let leavesOutEnds: Bool
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
    leavesOutEnds = options.format.isBinary
    detectedDelimiter = fixed == nil ? shape.delimiter : nil
    records = try CSVRecords(
      shape.dialect, hasHeader: options.hasHeader, skipping: shape.rowsBefore,
      fillsShortRows: options.fillsShortRows || leavesOutEnds, readChunk: readChunk)
    if options.hasHeader, options.mapping.isEmpty, shape.looksLikeCustomer(records.columns) {
      throw TransferError.noHeader
    }
    isDefused = options.hasHeader && records.columns.contains(where: SpreadsheetMark.isMarked)
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

  /// The name of a column before the export made it safe.
  private static func original(_ column: String) -> String {
    SpreadsheetMark.isMarked(column) ? String(column.dropFirst()) : SpreadsheetText.original(column)
  }

  /// The rows before the one that names the columns, each as one text.
  var notes: [String] { records.notes.map { $0.joined(separator: " ") } }

  /// The line of the first row that has fewer fields than columns and how many have.
  var filled: (first: Int, count: Int) { leavesOutEnds ? (0, 0) : records.filled }
}

/// What the start of a table shows: the character between its fields and where its header is.
struct TableShape {
  /// How the rows are read.
  private(set) var dialect: TableDialect
  /// The character between the fields.
  private(set) var delimiter: Character = ","
  /// How many rows come before the one that names the columns.
  private(set) var rowsBefore = 0

  /// Examines the start of a string.
  ///
  /// - Parameters:
  ///   - head: the start of the text in UTF-8.
  ///   - fixed: the dialect, if known.
  ///   - hasHeader: whether a row names the columns.
  init(_ head: [UInt8], _ fixed: TableDialect?, hasHeader: Bool) {
    if let named = TableShape.namedDelimiter(head) {
      (delimiter, dialect, rowsBefore) = (named, fixed ?? .separated(by: named), 1)
      return
    }
    var best: (dialect: TableDialect, header: Header)?
    for candidate in fixed.map({ [$0] }) ?? TableShape.candidates.map(TableDialect.separated) {
      guard let header = Header(head, candidate, mayFollowNotes: hasHeader) else { continue }
      // Texts have commas in them more often than the other characters.
      let isBetter = best.map { header.count > 1 ? !(header < $0.header) : $0.header < header }
      if isBetter ?? true { best = (candidate, header) }
    }
    dialect = best?.dialect ?? fixed ?? .csv
    if case .separated(let character) = dialect { delimiter = character }
    rowsBefore = best?.header.rowsBefore ?? 0
  }

  private static let candidates: [Character] = [",", ";", "\t", "|"]

  /// The character that Excel names in a line before the header, as in `sep=;`.
  private static func namedDelimiter(_ head: [UInt8]) -> Character? {
    let line = String(decoding: head.prefix(16).prefix { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self)
    guard line.count == 5, line.lowercased().hasPrefix("sep="), let last = line.last,
      ImportOptions.isDelimiter(last)
    else { return nil }
    return last
  }

  /// Whether a string starts with the names of columns.
  static func isTable(_ head: [UInt8]) -> Bool {
    candidates.contains { character in
      Header(head, .separated(by: character), mayFollowNotes: true).map {
        $0.rowsBefore == 0 && $0.understood > 1
      } ?? false
    }
  }

  /// Whether the names of columns are rather the values of a customer: one is an e-mail address, or most are
  /// numbers.
  func looksLikeCustomer(_ columns: [String]) -> Bool {
    let values = columns.filter { !$0.isEmpty }
    let numbers = values.count { value in
      value.utf8.count { 0x30...0x39 ~= $0 } >= 5 && !value.contains(where: \.isLetter)
    }
    return values.contains(where: \.isEMail) || numbers > 0 && !columns.contains { ColumnMeaning($0) != nil }
  }
}

/// The row that most likely names the columns.
private struct Header: Comparable {
  /// How many of its names are understood.
  let understood: Int
  let count: Int
  let rowsBefore: Int
  /// How many rows from it on have as many fields; 0 if that is one field.
  private(set) var regular = 0

  /// Finds it among the first rows; nil if there are none.
  ///
  /// It is the first row, unless shorter ones come before a row of which more is understood, such as the notes
  /// of LinkedIn.
  init?(_ head: [UInt8], _ dialect: TableDialect, mayFollowNotes: Bool) {
    var reader = CSVReader(dialect, readChunk: onePiece(head))
    var best: (understood: Int, count: Int, rowsBefore: Int)?
    var longest = 0
    var counts: [Int] = []
    for index in 0..<20 {
      guard let row = try? reader.next() else { break }
      counts.append(row.fields.count)
      // Notes would not have two names that are understood.
      if let best, !mayFollowNotes || best.rowsBefore == 0 && best.understood > 1 { continue }
      let filled = row.fields.count { !$0.isEmpty }
      // No table has more names than this; values between delimiters may be any number.
      let understood = mayFollowNotes ? row.fields.prefix(1000).count { ColumnMeaning($0) != nil } : 0
      if best.map({ understood > 1 && understood > $0.understood && filled > longest }) ?? true {
        best = (understood, row.fields.count, index)
      }
      longest = max(longest, filled)
    }
    guard let best else { return nil }
    (understood, count, rowsBefore) = best
    if count > 1 { regular = counts[rowsBefore...].count { [count] in $0 == count } }
  }

  static func < (left: Header, right: Header) -> Bool {
    (left.understood, left.regular, left.count) < (right.understood, right.regular, right.count)
  }
}
