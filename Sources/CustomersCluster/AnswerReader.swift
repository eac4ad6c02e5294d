internal import CustomersPlatform
internal import CustomersSQLite

/// Reads the words of an answer, which may be malformed.
@safe struct AnswerReader {
  let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func word() throws(SQLiteError) -> UInt64 {
    guard bytes.count - position >= 8 else { throw .malformedAnswer }
    defer { position += 8 }
    return unsafe UInt64(
      littleEndian: bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      })
  }

  /// Reads text and returns its range without the terminating zero byte.
  mutating func text() throws(SQLiteError) -> Range<Int> {
    let start = position
    let length = unsafe bytes.withUnsafeBytes { bytes -> Int? in
      guard start < bytes.count, let base = bytes.baseAddress,
        let end = unsafe memchr(base + start, 0, bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(end) - (base + start)
    }
    guard let length else { throw .malformedAnswer }
    return try range(length, ending: 1)
  }

  /// Reads a blob, which its length precedes, and returns its range.
  mutating func blob() throws(SQLiteError) -> Range<Int> {
    let length = try word()
    guard length <= UInt64(bytes.count) else { throw .malformedAnswer }
    return try range(Int(length), ending: 0)
  }

  /// Skips bytes, up to the next whole word.
  mutating func skip(_ count: Int) throws(SQLiteError) { _ = try range(count, ending: 0) }

  private mutating func range(_ length: Int, ending: Int) throws(SQLiteError) -> Range<Int> {
    let padded = (length + ending + 7) & ~7
    guard bytes.count - position >= padded else { throw .malformedAnswer }
    defer { position += padded }
    return position..<position + length
  }

  mutating func string() throws(SQLiteError) -> String { String(decoding: bytes[try text()], as: UTF8.self) }
}

extension SQLiteError {
  /// A node sent an answer that can't be decoded.
  static let malformedAnswer = SQLiteError(
    code: .unreachable, message: "the node sent a malformed answer")

  /// The error of a connection that can't be made or was lost.
  static func unreachable(_ message: String) -> SQLiteError {
    SQLiteError(code: .unreachable, message: message)
  }
}
