internal import CustomersSystem
package import CustomersText

/// Reads a table, CSV (RFC 4180) or TSV, row by row from a stream of UTF-8 bytes, with memory for one row.
///
/// It accepts quotes, separators, and line ends inside quotes, doubled quotes, LF, CR, or CR LF, and empty
/// lines. What can't be read without guessing is an error.
package struct CSVReader {
  private let readChunk: () throws -> [UInt8]
  private let separator: UInt8
  private let hasEscapes: Bool
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  private var scan = CSVScan()
  /// Where the last row and the next row start in the buffer.
  private var rowStart = 0
  private var rowEnd = 0
  private var line = 1

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - dialect: how fields are separated and protected.
  ///   - readChunk: returns the next bytes, none at the end.
  package init(_ dialect: TableDialect = .csv, readChunk: @escaping () throws -> [UInt8]) {
    separator = dialect.separator
    hasEscapes = dialect.hasEscapes
    self.readChunk = readChunk
  }

  /// A row, and the line (from 1) that it starts in.
  package struct Row: Equatable, Sendable {
    /// The fields, unquoted.
    package var fields: [String]
    /// The line of its first byte.
    package var line: Int
  }

  /// The bytes of the last row, with its line end.
  package var rowBytes: ArraySlice<UInt8> { buffer[rowStart..<rowEnd] }

  /// The next row or nil at the end; empty lines are skipped.
  ///
  /// - Throws: `MalformedRow`, after which reading may go on; `ParseError`, after which it may not; or what
  ///   reading throws.
  package mutating func next() throws -> Row? {
    while try readRow() {
      let start = line
      let end = scan.end
      line += scan.lineCount
      if let fault = scan.fault { throw bad(problem(fault.text, at: fault.offset, from: start)) }
      if end.isBlank { continue }
      return Row(fields: try fields(from: start), line: start)
    }
    return nil
  }

  /// Finds the end of the next row, reading as far as necessary.
  private mutating func readRow() throws -> Bool {
    rowStart = rowEnd
    while true {
      if rowStart == buffer.count, isAtEnd { return false }
      let isWhole = unsafe buffer.withUnsafeBufferPointer { buffer in
        unsafe scan.row(UnsafeBufferPointer(rebasing: buffer[rowStart...]), separator, isLast: isAtEnd)
      }
      if (isWhole ? scan.end.offset : buffer.count - rowStart) > customerByteLimit {
        let text = "a row of more than \(customerByteLimit) bytes begins here; is a quote not closed?"
        throw problem(text, at: 0, from: line)
      }
      if isWhole {
        rowEnd = rowStart + scan.end.offset
        return true
      }
      if isAtEnd {
        throw problem("a quoted field starts here and never ends", at: scan.openQuote, from: line)
      }
      try readOn()
    }
  }

  /// Drops the rows before and reads at least as much as is left, so that a long row is not scanned once per
  /// chunk.
  private mutating func readOn() throws {
    buffer.removeFirst(rowStart)
    rowStart = 0
    rowEnd = 0
    let wanted = buffer.count * 2
    repeat {
      let piece = try readChunk()
      isAtEnd = piece.isEmpty
      buffer += piece
    } while !isAtEnd && buffer.count < wanted
  }

  private func bad(_ problem: ParseError) -> MalformedRow {
    MalformedRow(problem: problem, bytes: Array(rowBytes))
  }

  /// A problem at a byte of the row that starts in line `start`.
  private func problem(_ text: String, at offset: Int, from start: Int) -> ParseError {
    let before = buffer[rowStart..<rowStart + offset]
    let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? rowStart
    return ParseError(
      line: start + before.count { $0 == 0x0a }, column: rowStart + offset - lineStart + 1, message: text)
  }
}

extension CSVReader {
  private func fields(from start: Int) throws -> [String] {
    do {
      return try buffer.span.extracting(rowStart..<rowEnd).texts(scan.fields, hasEscapes: hasEscapes)
    } catch let error as UTF8.ValidationError {
      throw bad(problem("not UTF-8", at: error.byteOffsets.lowerBound, from: start))
    } catch let error as WrongEscape {
      let text = "invalid escape; use \\t, \\n, \\r, or \\\\"
      throw bad(problem(text, at: error.offset, from: start))
    }
  }
}

/// A backslash in a row of TSV that does not start an escape.
private struct WrongEscape: Error {
  /// Its offset from the first byte of the row.
  var offset: Int
}

extension Span<UInt8> {
  /// The values of fields.
  ///
  /// - Throws: `UTF8.ValidationError`, `WrongEscape`.
  fileprivate func texts(_ fields: [CSVScan.Field], hasEscapes: Bool) throws -> [String] {
    _ = try UTF8Span(validating: self)
    var texts: [String] = []
    texts.reserveCapacity(fields.count)
    for field in fields {
      // In a valid text, the bytes between two ASCII characters are valid, too.
      let bytes = extracting(field.start..<field.end)
      if hasEscapes, bytes.contains(TSVEscape.backslash) {
        texts.append(try bytes.unescaped(hasDoubledQuotes: field.hasDoubledQuotes, at: field.start))
      } else {
        texts.append(
          field.hasDoubledQuotes ? bytes.unquoted : unsafe String(copying: UTF8Span(unchecked: bytes)))
      }
    }
    return texts
  }

  private func contains(_ byte: UInt8) -> Bool {
    for index in indices where self[index] == byte { return true }
    return false
  }

  /// The text with each escape resolved; `start` is its offset in the row.
  private func unescaped(hasDoubledQuotes: Bool, at start: Int) throws -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var index = 0
    while index < count {
      let byte = self[index]
      if byte == TSVEscape.backslash {
        guard index + 1 < count, let meant = TSVEscape.byte(for: self[index + 1]) else {
          throw WrongEscape(offset: start + index)
        }
        bytes.append(meant)
        index += 2
      } else {
        bytes.append(byte)
        index += byte == 0x22 && hasDoubledQuotes ? 2 : 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with each doubled quote made single.
  private var unquoted: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var index = 0
    while index < count {
      bytes.append(self[index])
      index += self[index] == 0x22 ? 2 : 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The customers of a CSV file whose first row names the columns.
package struct CSVRecords: RecordReader {
  private var reader: CSVReader
  package let columns: [String]
  /// The row that names the columns, as it is in the file; empty if there is none.
  package let header: [UInt8]
  /// The line of the row that names the columns; 0 if there is none.
  package let headerLine: Int
  /// The first customer, if it was read to count the columns.
  private var waiting: CSVReader.Row?
  /// The rows before the one that names the columns.
  package private(set) var notes: [[String]] = []
  /// Whether each separator has a space after it, which is no part of a name or a value.
  private let isSpaced: Bool
  /// Whether a row may have fewer fields than columns: the last ones are then empty.
  private let fillsShortRows: Bool
  /// The first row with fewer fields than columns that was filled and how many were.
  package private(set) var filled: (first: Int, count: Int) = (0, 0)

  /// The fields of the row that names the columns; none if they say too little to be recognized.
  private let names: [String]
  /// How many rows were skipped because all their fields are empty.
  package private(set) var emptyRows = 0
  /// How many rows were skipped because they name the columns again.
  package private(set) var repeatedHeaders = 0

  /// Reads the row that names the columns.
  ///
  /// - Parameters:
  ///   - dialect: how fields are separated and protected.
  ///   - hasHeader: whether there is such a row; if not, the columns are called `1`, `2`, …
  ///   - skipping: how many rows come before the names of the columns or the first customer.
  ///   - fillsShortRows: whether a row may have fewer fields than there are columns.
  ///   - readChunk: returns the next bytes of UTF-8, none at the end.
  /// - Throws: `ParseError` or what reading throws.
  package init(
    _ dialect: TableDialect = .csv, hasHeader: Bool = true, skipping: Int = 0, fillsShortRows: Bool = false,
    readChunk: @escaping () throws -> [UInt8]
  ) throws {
    self.fillsShortRows = fillsShortRows
    reader = CSVReader(dialect, readChunk: readChunk)
    let first: CSVReader.Row?
    do {
      for _ in 0..<skipping { if let row = try reader.next() { notes.append(row.fields) } }
      first = try reader.next()
    } catch let row as MalformedRow { throw row.problem }
    // By hand, people write a space after each separator.
    var fields = first?.fields ?? []
    isSpaced = hasHeader && fields.count > 1 && fields.dropFirst().allSatisfy { $0.hasPrefix(" ") }
    if isSpaced { fields.dropSpaces() }
    guard fields.count <= customerColumnLimit else {
      throw ParseError(line: first?.line ?? 1, message: "more than \(customerColumnLimit) columns")
    }
    var unique = UniqueNames()
    columns = hasHeader ? fields.map { unique.take($0) } : fields.indices.map { String($0 + 1) }
    names = hasHeader && fields.count > 1 ? fields : []
    header = hasHeader ? Array(reader.rowBytes) : []
    waiting = hasHeader ? nil : first
    headerLine = hasHeader ? first?.line ?? 0 : 0
  }

  /// The bytes of the last row, with its line end.
  package var rowBytes: ArraySlice<UInt8> { reader.rowBytes }

  /// The next customer or nil after the last.
  ///
  /// - Throws: `MalformedRow` for a row that does not have one field per column or is not CSV; `ParseError`
  ///   if reading can't go on.
  package mutating func next() throws -> Record? {
    while true {
      let first = waiting
      waiting = nil
      guard var row = try first ?? reader.next() else { return nil }
      if isSpaced { row.fields.dropSpaces() }
      if row.fields.count > 1, row.fields.allSatisfy(\.isEmpty) {
        emptyRows += 1
        continue
      }
      if !names.isEmpty, row.fields[0] == names[0], row.fields == names {
        repeatedHeaders += 1
        continue
      }
      if row.fields.count != columns.count { try fill(&row) }
      return Record(columns: columns, values: row.fields.map { .text($0) }, line: row.line)
    }
  }

  /// Allows the empty last fields that a row leaves out or removes those that it has too many.
  private mutating func fill(_ row: inout CSVReader.Row) throws {
    if row.fields.dropFirst(columns.count).allSatisfy(\.isEmpty), row.fields.count > columns.count {
      row.fields.removeLast(row.fields.count - columns.count)
      return
    }
    let missing = columns.count - row.fields.count
    guard missing > 0, fillsShortRows else {
      let fields = columns.count == 1 ? "1 field" : "\(columns.count) fields"
      let problem = ParseError(line: row.line, message: "expected \(fields), found \(row.fields.count)")
      throw MalformedRow(problem: problem, bytes: Array(rowBytes), isShort: missing > 0)
    }
    filled = (filled.count == 0 ? row.line : filled.first, filled.count + 1)
  }
}

extension [String] {
  /// Drops the spaces before each field but the first.
  fileprivate mutating func dropSpaces() {
    for index in indices.dropFirst() where self[index].hasPrefix(" ") {
      self[index] = String(self[index].drop { $0 == " " })
    }
  }
}

/// Finds the fields of one row of CSV and its end.
struct CSVScan {
  /// The range of a field's text, without its quotes; offsets from the row's first byte.
  struct Field {
    var start: Int
    var end: Int
    var hasDoubledQuotes = false
  }

  private(set) var fields: [Field] = []
  /// The offset after the row and its line end, and whether nothing else follows.
  private(set) var end = (offset: 0, isBlank: false)
  /// How many lines the row has.
  private(set) var lineCount = 0
  /// The error in the row and its position.
  private(set) var fault: (text: String, offset: Int)?
  /// The opening quote of the field scanned last or the start of the row.
  private(set) var openQuote = 0

  /// Scans the row that starts with the first byte.
  ///
  /// - Parameters:
  ///   - bytes: the row and what follows it.
  ///   - separator: the byte between fields.
  ///   - isLast: whether nothing follows the bytes.
  /// - Returns: whether the bytes include the end of the row.
  @unsafe mutating func row(_ bytes: UnsafeBufferPointer<UInt8>, _ separator: UInt8, isLast: Bool) -> Bool {
    fields.removeAll(keepingCapacity: true)
    (lineCount, fault, openQuote) = (1, nil, 0)
    var index = 0
    repeat {
      let isQuoted = unsafe index < bytes.count && bytes[index] == 0x22
      let isWhole = unsafe isQuoted ? quoted(bytes, &index, isLast) : plain(bytes, &index, separator)
      guard isWhole, index < bytes.count || isLast else { return false }
      if unsafe isQuoted && index < bytes.count && !isEnd(bytes[index], separator) {
        fault = fault ?? ("text after a closing quote; a quote inside a field is doubled", index)
        while unsafe index < bytes.count && bytes[index] != 0x0a { index += 1 }
        guard index < bytes.count || isLast else { return false }
      }
    } while unsafe stepOverSeparator(bytes, &index, separator)
    guard let next = unsafe lineEnd(bytes, index, isLast) else { return false }
    end = (next, fields.count == 1 && index == 0)
    if fault == nil, let offset = unsafe find(0, bytes, 0..<next) { fault = ("a NUL byte", offset) }
    return true
  }

  /// Scans a field without quotes; what ends it is not consumed.
  @unsafe private mutating func plain(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ separator: UInt8
  ) -> Bool {
    let start = index
    let greatest = max(separator, 0x0d)
    while index < bytes.count {
      let byte = unsafe bytes[index]
      if byte <= greatest, byte == separator || byte == 0x0a || byte == 0x0d { break }
      index += 1
    }
    fields.append(Field(start: start, end: index))
    return true
  }

  /// Scans a field in quotes.
  ///
  /// - Returns: whether the closing quote is there.
  @unsafe private mutating func quoted(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ isLast: Bool
  ) -> Bool {
    openQuote = index
    index += 1
    var field = Field(start: index, end: index)
    while let quote = unsafe find(0x22, bytes, index..<bytes.count) {
      index = quote + 1
      guard index < bytes.count || isLast else { return false }
      guard unsafe index < bytes.count && bytes[index] == 0x22 else {
        field.end = quote
        fields.append(field)
        unsafe countLines(bytes, field)
        return true
      }
      field.hasDoubledQuotes = true
      index += 1
    }
    return false
  }

  @unsafe private mutating func countLines(_ bytes: UnsafeBufferPointer<UInt8>, _ field: Field) {
    var index = field.start
    while let end = unsafe find(0x0a, bytes, index..<field.end) {
      lineCount += 1
      index = end + 1
    }
  }

}

private func isEnd(_ byte: UInt8, _ separator: UInt8) -> Bool {
  byte == separator || byte == 0x0a || byte == 0x0d
}

@unsafe private func stepOverSeparator(
  _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ separator: UInt8
) -> Bool {
  guard unsafe index < bytes.count && bytes[index] == separator else { return false }
  index += 1
  return true
}

/// The offset after the line end at `index`; nil if it may continue after the bytes.
@unsafe private func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ isLast: Bool) -> Int? {
  guard index < bytes.count else { return index }
  guard unsafe bytes[index] == 0x0d else { return index + 1 }
  guard index + 1 < bytes.count else { return isLast ? index + 1 : nil }
  return unsafe bytes[index + 1] == 0x0a ? index + 2 : index + 1
}

/// Whether there is such a byte.
func contains(_ byte: UInt8, _ bytes: ArraySlice<UInt8>) -> Bool {
  unsafe bytes.withUnsafeBufferPointer { unsafe find(byte, $0, 0..<$0.count) != nil }
}

/// The offset of the first such byte in the range.
@unsafe func find(_ byte: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
  guard !range.isEmpty, let base = bytes.baseAddress else { return nil }
  guard let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count) else { return nil }
  return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
}
