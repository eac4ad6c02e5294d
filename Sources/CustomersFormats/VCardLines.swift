/// Reads the content lines of a vCard (RFC 6350, section 3.2) or of LDIF (RFC 2849), unfolded.
///
/// Lines may end in LF, CR LF, CR or CR CR LF. A fold may be inside a UTF-8 sequence, as old programs write it.
struct VCardLines {
  private var input: ByteInput
  /// The number of the next line, if CR alone ends lines.
  private var extraLines = 0
  /// The bytes of the card so far; the caller sets it to 0 between cards.
  var size = 0

  init(_ input: ByteInput) { self.input = input }

  /// The next line without its end, and its number from 1; nil at the end.
  mutating func next() throws -> (text: String, number: Int)? {
    guard try input.peek() != nil else { return nil }
    let number = input.line + extraLines
    var bytes: [UInt8] = []
    var checker = UTF8Checker()
    while let byte = try input.peek() {
      if byte == 0x0a || byte == 0x0d {
        try skipLineEnd()
        if continuesSoftly(bytes) { break }
        guard let next = try input.peek(), next == 0x20 || next == 0x09 else { break }
        input.advance()
      } else {
        guard checker.accepts(byte) else { throw input.problem("not UTF-8") }
        bytes.append(byte)
        input.advance()
        if checker.isBetweenCharacters { bytes += try input.run { 0x20..<0x80 ~= $0 } }
      }
      guard size + bytes.count <= customerByteLimit else {
        throw input.problem("a card has more than \(customerByteLimit) bytes")
      }
    }
    guard checker.isBetweenCharacters else { throw ParseError(line: number, message: "not UTF-8") }
    size += bytes.count
    return (String(decoding: bytes, as: UTF8.self), number)
  }

  /// Whether a line ends within a value that is quoted-printable; a space after it belongs to the value.
  private func continuesSoftly(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == UInt8(ascii: "=") else { return false }
    let head = String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    return head.uppercased().contains("QUOTED-PRINTABLE")
  }

  private mutating func skipLineEnd() throws {
    var returns = 0
    while try input.peek() == 0x0d {
      input.advance()
      returns += 1
      // Of CR CR without LF, each ends a line.
      if returns == 2, try input.peek() != 0x0a { break }
    }
    if try input.peek() == 0x0a { input.advance() } else { extraLines += 1 }
  }
}
