internal import CustomersPlatform

/// Reads a table, CSV (RFC 4180) or TSV, row by row from a stream of UTF-8 bytes, with memory for one row.
///
/// It accepts quotes, separators, and line ends inside quotes, doubled quotes, LF, CR, or CR LF, and empty
/// lines. What can't be read without guessing is an error.
public struct CSVReader {
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
  public init(_ dialect: TableDialect = .csv, readChunk: @escaping () throws -> [UInt8]) {
    separator = dialect.separator
    hasEscapes = dialect.hasEscapes
    self.readChunk = readChunk
  }

  /// A row, and the line (from 1) that it starts in.
  public struct Row: Equatable, Sendable {
    /// The fields, unquoted.
    public var fields: [String]
    /// The line of its first byte.
    public var line: Int
  }

  /// The bytes of the last row, with its line end.
  public var rowBytes: ArraySlice<UInt8> { buffer[rowStart..<rowEnd] }

  /// The next row or nil at the end; empty lines are skipped.
  ///
  /// - Throws: `MalformedRow`, after which reading may go on; `ParseError`, after which it may not; or what
  ///   reading throws.
  public mutating func next() throws -> Row? {
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
