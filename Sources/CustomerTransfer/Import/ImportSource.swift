internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The bytes of a file that is imported and their digest.
final class ImportSource {
  private let input: InputFile
  private var sha = SHA256()
  /// Bytes that were examined before reading.
  private var waiting: [UInt8]?
  /// The digest of the whole file, once known.
  private var knownDigest: String?

  /// Opens the file; a pipe is copied to an unnamed file.
  init(_ input: InputFile) throws { self.input = try input.kept() }

  /// Where the last bytes that were read out of order end.
  private var offset: Int?
  var position: Int { offset ?? input.position }
  var size: Int { input.size }

  /// The bytes from an offset on, for a format that is read out of order; its digest must be known.
  func read(at offset: Int, upTo count: Int) throws -> [UInt8] {
    let bytes = try input.read(at: offset, upTo: count)
    self.offset = offset + bytes.count
    return bytes
  }

  /// The next bytes, without consuming them.
  func peek() throws -> [UInt8] {
    let bytes = try waiting ?? read()
    waiting = bytes
    return bytes
  }

  /// The next bytes; none at the end.
  func read() throws -> [UInt8] {
    if let waiting {
      self.waiting = nil
      return waiting
    }
    let bytes = try input.read()
    if knownDigest == nil { sha.update(bytes) }
    return bytes
  }

  /// The SHA-256 of the bytes read so far; at the end, of the whole file.
  var digest: String { knownDigest ?? sha.hexadecimal }

  /// Goes back to the start.
  func rewind() throws {
    try input.rewind()
    (sha, waiting, offset) = (SHA256(), nil, nil)
  }

  /// The SHA-256 of the whole file; then reads from the start again.
  func wholeDigest() throws -> String {
    if let knownDigest { return knownDigest }
    if position > 0 { try rewind() }
    while !(try read().isEmpty) {}
    let digest = sha.hexadecimal
    knownDigest = digest
    try rewind()
    return digest
  }
}

/// The customers of a file in any format, one after another.
final class CustomerFile {
  private let source: ImportSource
  private var decoder: TextDecoder
  /// The sheet of a spreadsheet, whose text takes the place of the file's.
  private let sheet: SheetText?
  /// The start of the text, which is examined before reading.
  private var head: [UInt8]?
  private var reader: (any RecordReader)?
  /// The names of the columns, if all customers in the file have the same.
  private(set) var columns: [String]?
  private let chosenEncoding: FileEncoding?
  private let onProgress: ((Int, Int) throws -> Void)?
  /// Counts the steps.
  let budget = ReadingBudget()

  /// Starts reading: first the names of the columns, if any.
  ///
  /// - Throws: `TransferError` if the content does not have the format, `ParseError`, or what reading throws.
  init(
    _ source: ImportSource, _ options: ImportOptions, onProgress: ((Int, Int) throws -> Void)?
  ) throws {
    self.source = source
    self.onProgress = onProgress
    chosenEncoding = options.encoding
    let format = options.format
    guard let makeReader = format.makeReader else { throw TransferError.unreadableFormat(format) }
    let (first, kind) = try (source.peek(), FileContent.foreignKind(source.peek()))
    if format.isBinary, !first.isEmpty {
      guard kind == FileContent.zip else {
        throw TransferError.foreignFormat(kind: kind ?? "no spreadsheet", expected: format)
      }
      _ = try source.wholeDigest()
      sheet = try Workbook(size: source.size, source.read).sheet(options.sheet)
    } else {
      guard kind == nil else { throw TransferError.foreignFormat(kind: kind ?? "", expected: format) }
      sheet = nil
    }
    decoder = TextDecoder(sheet == nil ? options.encoding : .utf8) { [sheet] in
      try sheet?.next() ?? source.read()
    }
    let head = try decoder.next()
    self.head = head
    for other in FileFormat.readable {
      guard let signature = other.signature, signature.kind != format.signature?.kind, signature.matches(head)
      else { continue }
      throw TransferError.otherFormat(other, kind: signature.kind, expected: format)
    }
    if format.hasExactColumns, format.signature?.matches(head) == false, TableShape.isTable(head) {
      throw TransferError.otherFormat(.csv, kind: "a table", expected: format)
    }
    reader = try makeReader(options, head, budget) { [unowned self] in try self.readChunk() }
    columns = table?.columns
  }

  /// The next customer or nil after the last.
  ///
  /// - Throws: `MalformedRow`, `ParseError`, or what reading throws.
  func next() throws -> Record? {
    guard let record = try reader?.next() else { return nil }
    budget.spend(record.values.count)
    try budget.check(line: record.line)
    return record
  }

  /// What reads a table.
  var table: TableReader? { reader as? TableReader }

  /// The encoding, if it was recognized by the bytes of the text and is not UTF-8.
  var detectedEncoding: FileEncoding? {
    guard chosenEncoding == nil, decoder.mark.isEmpty, let encoding = decoder.encoding, encoding != .utf8
    else { return nil }
    return encoding
  }

  /// The last row, card, or entry, as it is in the file but in UTF-8; nil if the format has none.
  var rowBytes: [UInt8]? { reader?.lastBytes }

  /// How many groups of customers were skipped.
  var skippedGroups: Int { reader?.skippedGroups ?? 0 }

  /// The start of a file with some of the rows.
  private(set) lazy var header = decoder.mark + (table.map { encoded($0.records.header) } ?? [])

  /// Bytes of UTF-8 as in the file; the rows of a spreadsheet are CSV.
  func encoded(_ bytes: [UInt8]) -> [UInt8] {
    guard sheet != nil else { return decoder.encode(bytes) }
    var row: [UInt8] = []
    var reader = CSVReader(.tsv, readChunk: onePiece(bytes))
    while let fields = try? reader.next()?.fields { _ = CSVWriter().append(fields, to: &row) }
    return row
  }

  /// What the types of cells say of the columns, once all rows were read.
  var cellKinds: [String: CellKind] {
    guard let sheet, let table else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: table.columns.enumerated().compactMap { index, name in
        sheet.kind(of: index, below: table.records.headerLine).map { (name, $0) }
      })
  }

  /// The error if the file has no customers.
  var emptiness: TransferError {
    source.position > 0 ? .noCustomers(columns: columns ?? []) : .emptyFile
  }

  /// Says that the rows that were read are in the list so far.
  ///
  /// - Parameter part: which part of them, from 0 to 1.
  /// - Throws: what the receiver throws.
  func advance(by part: Double) throws {
    try onProgress?(source.size + Int(Double(source.size) * part), source.size)
  }

  private func readChunk() throws -> [UInt8] {
    try onProgress?(source.position, source.size)
    let bytes = try head ?? decoder.next()
    head = nil
    budget.add(bytes: bytes.count)
    return bytes
  }
}
