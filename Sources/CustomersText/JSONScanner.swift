/// Reads JSON strictly (RFC 8259) from a stream of bytes.
struct JSONScanner {
  /// How deeply objects and arrays may be nested, so that no file can overflow the stack.
  static let depthLimit = 64

  var input: ByteInput
  /// Whether null is returned as JSON instead of being omitted.
  var keepsNull = false
  /// The value that is being read, as written; nil if only its meaning is needed.
  private var written: [UInt8]?
  /// The number of bytes read of the customer's keys and values.
  private var size = 0

  init(_ input: ByteInput) { self.input = input }

  /// Reads the object that starts here: keys and values in order.
  mutating func customer() throws -> [(name: String, value: Record.Value)] {
    var columns: [(name: String, value: Record.Value)] = []
    size = 0
    try object(depth: 1) { scanner, name in
      scanner.size += name.utf8.count
      if let value = try scanner.columnValue() { columns.append((name, value)) }
    }
    return columns
  }

  /// Skips whitespace; nil at the end.
  mutating func peekPastSpace() throws -> UInt8? {
    while let byte = try input.peek(), byte <= 0x20 {
      if byte == 0x0a {
        try take()
      } else {
        let run = try input.run(of: JSONScanner.space)
        guard !run.isEmpty else { break }
        try keep(run)
      }
    }
    return try input.peek()
  }

  /// Consumes the byte that was peeked.
  mutating func take() throws {
    if written != nil, let byte = try input.peek() {
      written?.append(byte)
      try checkSize(written?.count ?? 0)
    }
    input.advance()
  }

  /// Keeps consumed bytes, if the value is needed as written.
  mutating func keep(_ bytes: ArraySlice<UInt8>) throws {
    guard written != nil else { return }
    written?.append(contentsOf: bytes)
    try checkSize(written?.count ?? 0)
  }

  /// Checks that a value of so many bytes still fits in the customer.
  func checkSize(_ count: Int) throws {
    guard size + count <= customerByteLimit else {
      throw input.problem("a customer has more than \(customerByteLimit) bytes")
    }
  }

  /// A value of the customer itself; nil for null.
  private mutating func columnValue() throws -> Record.Value? {
    switch try peekPastSpace() {
    case UInt8(ascii: "\""):
      let text = try string()
      size += text.utf8.count
      return .text(text)
    case UInt8(ascii: "n"):
      try word("null")
      return keepsNull ? .json("null") : nil
    default:
      written = []
      _ = try value(depth: 2)
      let text = String(decoding: written ?? [], as: UTF8.self)
      size += text.utf8.count
      written = nil
      return .json(text)
    }
  }

  private mutating func object(
    depth: Int, member: (inout JSONScanner, String) throws -> Void
  ) throws {
    var names: Set<[UInt8]> = []
    try sequence(depth: depth, end: UInt8(ascii: "}")) { scanner in
      guard try scanner.peekPastSpace() == UInt8(ascii: "\"") else {
        throw scanner.wrong("expected a quoted key")
      }
      let doubled = scanner.input.problem("duplicate key")
      let name = try scanner.string()
      guard names.insert(Array(name.utf8)).inserted else { throw doubled }
      guard names.count <= customerColumnLimit else {
        throw scanner.input.problem("an object has more than \(customerColumnLimit) names")
      }
      guard try scanner.peekPastSpace() == UInt8(ascii: ":") else {
        throw scanner.wrong("expected : after the key")
      }
      try scanner.take()
      try member(&scanner, name)
    }
  }

  /// Reads the items between brackets, separated by commas.
  private mutating func sequence(
    depth: Int, end: UInt8, element: (inout JSONScanner) throws -> Void
  ) throws {
    guard depth <= JSONScanner.depthLimit else {
      throw input.problem("nested too deeply (limit \(JSONScanner.depthLimit))")
    }
    try take()
    guard try peekPastSpace() != end else { return try take() }
    while true {
      try element(&self)
      switch try peekPastSpace() {
      case end: return try take()
      case UInt8(ascii: ","): try take()
      default: throw wrong("expected , or \(Character(Unicode.Scalar(end)))")
      }
    }
  }

  /// The problem with the next byte or with its absence.
  func wrong(_ message: String) -> ParseError {
    input.isAtEnd ? input.problem("unexpected end of file") : input.problem(message)
  }
}

extension JSONScanner {
  /// Reads the value that starts here, with all that is in it.
  mutating func value(depth: Int = 1) throws -> JSON {
    switch try peekPastSpace() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"):
      var members: [(String, JSON)] = []
      try object(depth: depth) { members.append(($1, try $0.value(depth: depth + 1))) }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSON] = []
      try sequence(depth: depth, end: UInt8(ascii: "]")) { values.append(try $0.value(depth: depth + 1)) }
      return .array(values)
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
      // A value of the customer is kept as a whole.
      let isKept = written != nil
      if !isKept { written = [] }
      defer { if !isKept { written = nil } }
      let start = written?.count ?? 0
      try number()
      let text = String(decoding: (written ?? [])[start...], as: UTF8.self)
      return Int(text).map(JSON.int) ?? .raw(text)
    default: throw wrong("expected a value: \"string\", number, true, false, null, [ or {")
    }
  }
}

/// Strings, numbers, and words.
extension JSONScanner {
  /// Reads the string that starts here.
  ///
  /// - Returns: its value, with escapes resolved.
  mutating func string() throws -> String {
    let unclosed = input.problem("a string begins here and never ends")
    var text: [UInt8] = []
    var checker = UTF8Checker()
    try take()
    while let byte = try input.peek() {
      let column = input.column
      let run = try input.run(of: JSONScanner.plain)
      if let wrong = checker.firstWrong(in: run) {
        throw ParseError(line: input.line, column: column + wrong, message: "not UTF-8")
      }
      text += run
      try keep(run)
      if run.isEmpty {
        guard checker.isBetweenCharacters else { throw input.problem("not UTF-8") }
        if byte == JSONScanner.quote {
          try take()
          return String(decoding: text, as: UTF8.self)
        }
        guard byte == JSONScanner.backslash else {
          throw input.problem("control character in a string; write \\n, \\t, \\u…")
        }
        text.append(contentsOf: String(try escape()).utf8)
      }
      try checkSize(text.count)
    }
    throw unclosed
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  /// What a string has as it is.
  private static let plain = ByteSet { $0 >= 0x20 && $0 != quote && $0 != backslash }
  private static let digit = ByteSet { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  private static let space = ByteSet { $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }

  /// Reads an escape; of two UTF-16 units if it starts a surrogate pair.
  private mutating func escape() throws -> Unicode.Scalar {
    let alone = input.problem("unpaired surrogate")
    try take()
    guard try input.peek() == UInt8(ascii: "u") else { return try letterEscape() }
    let unit = try hexadecimalUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), try input.peek() == UInt8(ascii: "\\") else { throw alone }
    try take()
    guard try input.peek() == UInt8(ascii: "u") else { throw alone }
    let second = try hexadecimalUnit()
    let pair = 0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(second & 0x3ff))
    guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(pair) else { throw alone }
    return scalar
  }

  private mutating func letterEscape() throws -> Unicode.Scalar {
    let scalar: Unicode.Scalar
    switch try input.peek() {
    case UInt8(ascii: "\""): scalar = "\""
    case UInt8(ascii: "\\"): scalar = "\\"
    case UInt8(ascii: "/"): scalar = "/"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{c}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    default: throw wrong("expected one of \" \\ / b f n r t u after \\")
    }
    try take()
    return scalar
  }

  /// Reads `u` and four digits.
  private mutating func hexadecimalUnit() throws -> UInt16 {
    try take()
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = try input.peek().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw wrong("expected four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
      try take()
    }
    return unit
  }

  /// Reads a number, which stays as written, however many digits it has.
  mutating func number() throws {
    if try input.peek() == UInt8(ascii: "-") { try take() }
    if try input.peek() == UInt8(ascii: "0") { try take() } else { try digits() }
    if try input.peek() == UInt8(ascii: ".") {
      try take()
      try digits()
    }
    if let byte = try input.peek(), byte | 0x20 == UInt8(ascii: "e") {
      try take()
      if let sign = try input.peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { try take() }
      try digits()
    }
  }

  private mutating func digits() throws {
    var run = try input.run(of: JSONScanner.digit)
    guard !run.isEmpty else { throw wrong("expected a digit") }
    while !run.isEmpty {
      try keep(run)
      run = try input.run(of: JSONScanner.digit)
    }
  }

  /// Reads `true`, `false`, or `null`.
  mutating func word(_ word: StaticString) throws {
    for byte in word.description.utf8 {
      guard try input.peek() == byte else { throw wrong("expected \(word)") }
      try take()
    }
  }
}

/// What a reader reads of bytes that are in memory: all of them, then none.
package func onePiece(_ bytes: [UInt8]) -> () -> [UInt8] {
  var pieces = [bytes]
  return { pieces.popLast() ?? [] }
}

/// A stream of bytes that keeps track of the line and the byte within the line.
///
/// A UTF-8 byte order mark at the start is skipped and not counted.
package struct ByteInput {
  private let readChunk: () throws -> [UInt8]
  private var piece: [UInt8] = []
  private var index = 0
  private var isAtStart = true
  private var isLastPiece = false
  /// The column of the chunk's first byte, if the whole chunk were in this line.
  private var firstColumn = 1
  /// The line of the next byte, from 1.
  package private(set) var line = 1

  /// The bytes since the mark that are in pieces before this one; nil without a mark.
  private var marked: [UInt8]?
  private var markIndex = 0

  /// Reads chunks until an empty one comes; after that it asks for no more.
  package init(readChunk: @escaping () throws -> [UInt8]) { self.readChunk = readChunk }

  /// The position of the next byte in its line, from 1.
  package var column: Int { firstColumn + index }

  /// Whether `peek` found nothing.
  package var isAtEnd: Bool { isLastPiece && index == piece.count }

  /// A problem with the next byte.
  package func problem(_ message: String) -> ParseError {
    ParseError(line: line, column: column, message: message)
  }

  /// The next byte, without consuming it; nil at the end.
  package mutating func peek() throws -> UInt8? {
    while index == piece.count {
      guard try fill() else { return nil }
    }
    return piece[index]
  }

  /// Consumes the byte that `peek` returned.
  package mutating func advance() {
    if piece[index] == 0x0a {
      line += 1
      firstColumn = -index
    }
    index += 1
  }

  /// Consumes and returns the next bytes of the current chunk that belong together.
  ///
  /// Returns none at the end, or if the next byte does not belong. The set must not have the line feed.
  package mutating func run(of set: ByteSet) throws -> ArraySlice<UInt8> {
    guard try peek() != nil else { return [] }
    let start = index
    index = set.end(in: piece, from: index)
    return piece[start..<index]
  }

  /// Keeps the bytes from the next one on.
  package mutating func mark() { (marked, markIndex) = ([], index) }

  /// The bytes since the mark that were consumed.
  package var bytesSinceMark: [UInt8] { (marked ?? []) + piece[markIndex..<index] }

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

/// Some of the 256 bytes; runs of them are found with few instructions each, in a debug build, too.
package struct ByteSet: Sendable {
  private let members: [Bool]

  /// Takes the bytes that belong.
  package init(where belongs: (UInt8) -> Bool) { members = (UInt8.min...UInt8.max).map(belongs) }

  /// The index of the first byte from `start` on that is not one of them; the count if all are.
  package func end(in bytes: [UInt8], from start: Int) -> Int {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe members.withUnsafeBufferPointer { members in
        guard let base = bytes.baseAddress, let table = members.baseAddress else { return start }
        let end = bytes.count
        var index = start
        while index < end, unsafe table[Int(base[index])] { index &+= 1 }
        return index
      }
    }
  }
}

/// Finds the first byte that can't be UTF-8 (RFC 3629, section 4).
package struct UTF8Checker {
  private var missing = 0
  /// Between which bytes the next one of the character is.
  private var (least, greatest): (UInt8, UInt8) = (0x80, 0xbf)

  /// Starts between characters.
  package init() {}

  /// Whether the last character is complete.
  package var isBetweenCharacters: Bool { missing == 0 }

  /// The offset of the first byte that may not follow the ones before it; nil if all may.
  package mutating func firstWrong(in bytes: ArraySlice<UInt8>) -> Int? {
    if missing == 0, (try? UTF8Span(validating: bytes.span)) != nil { return nil }
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard accepts(bytes[index]) else { return index - bytes.startIndex }
      index += 1
    }
    return nil
  }

  /// Whether the byte may follow the ones before it.
  package mutating func accepts(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard byte >= least, byte <= greatest else { return false }
      missing -= 1
      (least, greatest) = (0x80, 0xbf)
      return true
    }
    if byte < 0x80 { return true }
    guard byte >= 0xc2, byte <= 0xf4 else { return false }
    missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
    // Neither longer than needed, nor a surrogate, nor after U+10FFFF.
    if byte == 0xe0 { least = 0xa0 }
    if byte == 0xed { greatest = 0x9f }
    if byte == 0xf0 { least = 0x90 }
    if byte == 0xf4 { greatest = 0x8f }
    return true
  }
}
