internal import CustomersText

/// Converts the bytes of a file to UTF-8, chunk by chunk.
///
/// A byte order mark is dropped. UTF-8 is passed on unchanged: the reader reports invalid bytes and their
/// position.
package struct TextDecoder {
  private let readChunk: () throws -> [UInt8]
  /// The encoding of the file; before the first chunk, the one requested.
  package private(set) var encoding: FileEncoding?
  /// The most significant byte of a unit of UTF-16 comes first.
  private var isBigEndian = true
  private var hasMark = false
  /// The rest of a chunk that ends within a character.
  private var rest: [UInt8] = []
  private var isAtStart = true
  /// How many bytes of the end of the text so far may be marks of the end of the file.
  private var heldBack = 0
  private var position = (line: 1, byte: 0)

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - encoding: the encoding of the file; nil to take what the first piece looks like: UTF-8 unless a byte
  ///     order mark or its bytes say otherwise.
  ///   - readChunk: returns the next bytes, none at the end.
  package init(_ encoding: FileEncoding? = nil, readChunk: @escaping () throws -> [UInt8]) {
    self.encoding = encoding
    self.readChunk = readChunk
  }

  /// The next bytes of UTF-8; none at the end.
  ///
  /// - Throws: `ParseError` for invalid UTF-16 and what reading throws.
  package mutating func next() throws -> [UInt8] {
    while true {
      let piece = isAtStart ? try start() : try readChunk()
      if piece.isEmpty {
        guard rest.isEmpty else { throw problem("the file ends within a character") }
        return []
      }
      var text = try decode(piece)
      guard let last = text.lastIndex(where: { $0 != TextDecoder.endOfFile }) else {
        heldBack += text.count
        continue
      }
      let before = heldBack
      heldBack = text.count - last - 1
      text.removeLast(heldBack)
      return before > 0 ? Array(repeating: TextDecoder.endOfFile, count: before) + text : text
    }
  }

  /// The byte that DOS programs write at the end of a string, which is not a part of it.
  private static let endOfFile: UInt8 = 0x1a

  /// Reads as many bytes as a mark may have and determines the encoding.
  private mutating func start() throws -> [UInt8] {
    isAtStart = false
    var bytes: [UInt8] = []
    while bytes.count < 3 {
      let piece = try readChunk()
      if piece.isEmpty { break }
      bytes += piece
    }
    let isUTF16 = bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe])
    let order = isUTF16 ? nil : EncodingGuess.utf16Order(bytes)
    let found = try encoding ?? (isUTF16 || order != nil ? .utf16 : EncodingGuess.oneByte(in: bytes) ?? .utf8)
    encoding = found
    isBigEndian = order != .little
    switch found {
    case .utf16 where isUTF16:
      isBigEndian = bytes[0] == 0xfe
      hasMark = true
      bytes.removeFirst(2)
      position.byte = 2
    case .utf8 where bytes.starts(with: [0xef, 0xbb, 0xbf]):
      hasMark = true
      bytes.removeFirst(3)
    default: break
    }
    return bytes.isEmpty ? try readChunk() : bytes
  }

  private mutating func decode(_ piece: [UInt8]) throws -> [UInt8] {
    switch encoding ?? .utf8 {
    case .utf8: return piece
    case .utf16: return try decodeUTF16(rest + piece)
    case let other: return ByteTable.decode(piece, other)
    }
  }

  private mutating func decodeUTF16(_ bytes: [UInt8]) throws -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = 0
    while let first = unit(bytes, index) {
      var scalar = UInt32(first)
      var length = 2
      if UTF16.isLeadSurrogate(first) {
        guard let second = unit(bytes, index + 2) else { break }
        guard UTF16.isTrailSurrogate(second) else { throw problem("unpaired surrogate") }
        scalar = 0x10000 + ((UInt32(first) & 0x3ff) << 10 | UInt32(second) & 0x3ff)
        length = 4
      }
      guard let scalar = Unicode.Scalar(scalar) else { throw problem("unpaired surrogate") }
      text.append(contentsOf: String(Character(scalar)).utf8)
      if scalar == "\n" { position.line += 1 }
      index += length
      position.byte += length
    }
    rest = Array(bytes[index...])
    return text
  }

  /// The UTF-16 unit at an offset, if it is complete.
  private func unit(_ bytes: [UInt8], _ index: Int) -> UInt16? {
    guard index + 1 < bytes.count else { return nil }
    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  private func problem(_ text: String) -> ParseError {
    ParseError(line: position.line, message: "\(text) (byte \(position.byte + 1) of the file)")
  }
}

extension TextDecoder {
  /// The byte order mark, if any.
  package var mark: [UInt8] {
    guard hasMark else { return [] }
    if encoding == .utf16 { return isBigEndian ? [0xfe, 0xff] : [0xff, 0xfe] }
    return [0xef, 0xbb, 0xbf]
  }

  /// The bytes in the file for some of its UTF-8.
  package func encode(_ bytes: [UInt8]) -> [UInt8] {
    switch encoding ?? .utf8 {
    case .utf8: return bytes
    case .utf16:
      return String(decoding: bytes, as: UTF8.self).utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
        return isBigEndian ? [high, low] : [low, high]
      }
    case let other: return ByteTable.encode(String(decoding: bytes, as: UTF8.self), other)
    }
  }
}

extension FileEncoding {
  /// The encoding that a vCard names, such as `ISO-8859-1` or `cp1252`; nil if it is not one of UTF-8 and the one-byte
  /// encodings that are known.
  init?(charset: String) {
    let name = charset.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let found = FileEncoding.charsets[name] else { return nil }
    self = found
  }

  /// The name of the encoding that the head of a line of a vCard has; nil without one.
  static func named(in line: some Collection<UInt8>) -> String? {
    let head = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
    return head.firstRange(of: "CHARSET=").map { range in
      String(head[range.upperBound...].prefix { $0 != ";" })
    }
  }

  private static let charsets: [String: FileEncoding] = {
    var names: [String: FileEncoding] = [
      "ascii": .utf8, "usascii": .utf8, "latin1": .windows1252, "iso88591": .windows1252,
      "latin2": .iso8859Part2,
      "latin5": .iso8859Part9, "latin9": .iso8859Part15, "macintosh": .macRoman, "xmacroman": .macRoman,
    ]
    for encoding in allCases where encoding != .utf16 && encoding != .latin1 {
      let name = encoding.rawValue.filter { $0 != "-" }
      names[name] = encoding
      if name.hasPrefix("windows") { names[name.replacing("windows", with: "cp")] = encoding }
    }
    return names
  }()
}
