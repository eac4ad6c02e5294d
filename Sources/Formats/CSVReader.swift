/// Reads CSV (RFC 4180) record by record from bytes that come in pieces; memory for one record.
///
/// Quotes, separators and line ends inside quotes, doubled quotes, LF or CR LF, a UTF-8 byte order mark
/// and empty lines at the end are all right. What can't be read without guessing is an error.
public struct CSVReader {
  private let nextPiece: () throws -> [UInt8]
  private let separator: UInt8
  private var bytes: [UInt8] = []
  private var index = 0
  private var line = 1
  private var isAtStart = true

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - separator: the byte between fields.
  ///   - nextPiece: gives the next bytes, none at the end.
  public init(separator: Character = ",", nextPiece: @escaping () throws -> [UInt8]) {
    self.separator = separator.asciiValue ?? 0x2c
    self.nextPiece = nextPiece
  }

  /// A record and the line (from 1) that it begins in.
  public struct Record: Equatable, Sendable {
    /// The fields, unquoted.
    public var fields: [String]
    /// The line of its first byte.
    public var line: Int
  }

  /// Why a file can't be read as CSV.
  public enum Problem: Error, Equatable, Sendable {
    /// A quoted field that begins in this line never ends.
    case unclosedQuote(line: Int)
    /// After a closing quote comes something else than a separator or the end of the line.
    case textAfterQuote(line: Int)
    /// The bytes are no UTF-8.
    case invalidText(line: Int)
  }

  /// The next record, or nil at the end.
  ///
  /// - Throws: `Problem`, or what reading throws.
  public mutating func next() throws -> Record? {
    try skipByteOrderMark()
    let start = line
    var fields: [String] = []
    var field: [UInt8] = []
    while true {
      guard let byte = try peek() else {
        guard !fields.isEmpty || !field.isEmpty else { return nil }
        fields.append(try text(field, start))
        return Record(fields: fields, line: start)
      }
      switch byte {
      case 0x22 where field.isEmpty:
        fields.append(try text(try quotedField(), start))
        guard try endOfField() else { return Record(fields: fields, line: start) }
        // A separator at the very end of the file begins one more, empty field.
        if try peek() == nil { return Record(fields: fields + [""], line: start) }
      case separator:
        index += 1
        fields.append(try text(field, start))
        field = []
        if try peek() == nil { return Record(fields: fields + [""], line: start) }
      case 0x0a, 0x0d:
        try endLine()
        fields.append(try text(field, start))
        return Record(fields: fields, line: start)
      default:
        index += 1
        field.append(byte)
      }
    }
  }

  /// Reads on from an opening quote to the closing one.
  private mutating func quotedField() throws -> [UInt8] {
    let start = line
    var field: [UInt8] = []
    index += 1
    while let byte = try peek() {
      index += 1
      if byte == 0x22 {
        guard try peek() == 0x22 else { return field }
        index += 1
      } else if byte == 0x0a {
        line += 1
      }
      field.append(byte)
    }
    throw Problem.unclosedQuote(line: start)
  }

  /// Steps over what ends a quoted field.
  ///
  /// - Returns: whether another field follows in the record.
  private mutating func endOfField() throws -> Bool {
    switch try peek() {
    case nil: return false
    case separator:
      index += 1
      return true
    case 0x0a, 0x0d:
      try endLine()
      return false
    default: throw Problem.textAfterQuote(line: line)
    }
  }

  private mutating func endLine() throws {
    if try peek() == 0x0d { index += 1 }
    if try peek() == 0x0a { index += 1 }
    line += 1
  }

  private mutating func skipByteOrderMark() throws {
    guard isAtStart else { return }
    isAtStart = false
    _ = try peek()
    while bytes.count < 3 {
      let piece = try nextPiece()
      if piece.isEmpty { break }
      bytes += piece
    }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
  }

  private mutating func peek() throws -> UInt8? {
    if index == bytes.count {
      bytes = try nextPiece()
      index = 0
      if bytes.isEmpty { return nil }
    }
    return bytes[index]
  }

  private func text(_ bytes: [UInt8], _ line: Int) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Problem.invalidText(line: line) }
    return text
  }
}
