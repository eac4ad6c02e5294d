/// A stream of bytes that keeps track of the line and the byte within the line.
///
/// A UTF-8 byte order mark at the start is skipped and not counted.
struct ByteInput {
  private let readChunk: () throws -> [UInt8]
  private var piece: [UInt8] = []
  private var index = 0
  private var isAtStart = true
  private var isLastPiece = false
  /// The column of the chunk's first byte, if the whole chunk were in this line.
  private var firstColumn = 1
  /// The line of the next byte, from 1.
  private(set) var line = 1

  /// The bytes since the mark that are in pieces before this one; nil without a mark.
  private var marked: [UInt8]?
  private var markIndex = 0

  /// Reads chunks until an empty one comes; after that it asks for no more.
  init(readChunk: @escaping () throws -> [UInt8]) { self.readChunk = readChunk }

  /// The position of the next byte in its line, from 1.
  var column: Int { firstColumn + index }

  /// Whether `peek` found nothing.
  var isAtEnd: Bool { isLastPiece && index == piece.count }

  /// A problem with the next byte.
  func problem(_ message: String) -> ParseError {
    ParseError(line: line, column: column, message: message)
  }

  /// The next byte, without consuming it; nil at the end.
  mutating func peek() throws -> UInt8? {
    while index == piece.count {
      guard try fill() else { return nil }
    }
    return piece[index]
  }

  /// Consumes the byte that `peek` returned.
  mutating func advance() {
    if piece[index] == 0x0a {
      line += 1
      firstColumn = -index
    }
    index += 1
  }

  /// Consumes and returns the next bytes of the current chunk that belong together.
  ///
  /// Returns none at the end, or if the next byte does not belong. `belongs` must be false for a line feed.
  mutating func run(where belongs: (UInt8) -> Bool) throws -> ArraySlice<UInt8> {
    guard try peek() != nil else { return [] }
    let start = index
    while index < piece.count, belongs(piece[index]) { index += 1 }
    return piece[start..<index]
  }

  /// Keeps the bytes from the next one on.
  mutating func mark() { (marked, markIndex) = ([], index) }

  /// The bytes since the mark that were consumed.
  var bytesSinceMark: [UInt8] { (marked ?? []) + piece[markIndex..<index] }

  private mutating func fill() throws -> Bool {
    if isLastPiece { return false }
    marked? += piece[markIndex...]
    defer { markIndex = index }
    firstColumn += piece.count
    piece = try readChunk()
    index = 0
    isLastPiece = piece.isEmpty
    if isAtStart { try skipByteOrderMark() }
    return !piece.isEmpty
  }

  private mutating func skipByteOrderMark() throws {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    isAtStart = false
    while !isLastPiece, piece.count < mark.count, mark.starts(with: piece) {
      let more = try readChunk()
      isLastPiece = more.isEmpty
      piece += more
    }
    guard piece.starts(with: mark) else { return }
    index = mark.count
    firstColumn = 1 - mark.count
  }
}

/// Finds the first byte that can't be UTF-8 (RFC 3629, section 4).
struct UTF8Checker {
  private var missing = 0
  private var range: ClosedRange<UInt8> = 0x80...0xbf

  /// Whether the last character is complete.
  var isBetweenCharacters: Bool { missing == 0 }

  /// Whether the byte may follow the ones before it.
  mutating func accepts(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard range.contains(byte) else { return false }
      missing -= 1
      range = 0x80...0xbf
      return true
    }
    switch byte {
    case 0..<0x80: return true
    case 0xc2...0xdf: missing = 1
    case 0xe0...0xef: missing = 2
    case 0xf0...0xf4: missing = 3
    default: return false
    }
    switch byte {
    case 0xe0: range = 0xa0...0xbf  // not longer than needed
    case 0xed: range = 0x80...0x9f  // no surrogates
    case 0xf0: range = 0x90...0xbf
    case 0xf4: range = 0x80...0x8f  // up to U+10FFFF
    default: break
    }
    return true
  }
}
