/// Reads the content lines of a vCard (RFC 6350, section 3.2), unfolded.
///
/// Lines may end in CR LF or LF. A fold may be inside a UTF-8 sequence, as old programs write it.
struct VCardLines {
  private var input: ByteInput
  /// The bytes of the card so far; the caller sets it to 0 between cards.
  var size = 0

  init(_ input: ByteInput) { self.input = input }

  /// The next line without its end, and its number from 1; nil at the end.
  mutating func next() throws -> (text: String, number: Int)? {
    guard try input.peek() != nil else { return nil }
    let number = input.line
    var bytes: [UInt8] = []
    var checker = UTF8Checker()
    while let byte = try input.peek() {
      if byte == 0x0a {
        input.advance()
        guard let next = try input.peek(), next == 0x20 || next == 0x09 else { break }
        input.advance()
      } else if byte == 0x0d {
        input.advance()
        // A CR that does not end a line is kept as text, although it is not allowed.
        if try input.peek() != 0x0a { bytes.append(byte) }
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
}
