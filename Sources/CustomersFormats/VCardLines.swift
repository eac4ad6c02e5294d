/// Reads the content lines of a vCard (RFC 6350, section 3.2) or of LDIF (RFC 2849), unfolded.
///
/// Lines may end in LF, CR LF, CR, or CR CR LF. A fold may be inside a UTF-8 sequence, as old programs write it.
struct VCardLines {
  private var input: ByteInput
  /// The number of the next line, if CR alone ends lines.
  private var extraLines = 0
  /// The length of the card so far.
  private var size = 0
  /// How far the last line was searched for the end of its head, and whether it is quoted-printable, once known.
  private var head: (searched: Int, isSoft: Bool?) = (0, nil)

  /// Whether reading has ended because there was no end of a card in sight.
  private(set) var isEndless = false

  private let budget: ReadingBudget

  init(_ input: ByteInput, _ budget: ReadingBudget) { (self.input, self.budget) = (input, budget) }

  /// Starts a card.
  mutating func begin() {
    size = 0
    input.mark()
  }

  /// Says that no end of a card is in sight.
  mutating func endCards() { isEndless = true }

  /// The bytes of the card so far, as in the file.
  var bytes: [UInt8] { input.bytesSinceMark }

  /// The next line without its end and its number from 1; nil at the end.
  mutating func next() throws -> (text: String, number: Int)? {
    guard try input.peek() != nil else { return nil }
    let number = input.line + extraLines
    var bytes: [UInt8] = []
    head = (0, nil)
    var checker = UTF8Checker()
    // That of a line which is not UTF-8, and says so.
    var encoding: TextEncoding?
    while let byte = try input.peek() {
      if byte == 0x0a || byte == 0x0d {
        try skipLineEnd()
        if continuesSoftly(bytes) { break }
        guard let next = try input.peek(), next == 0x20 || next == 0x09 else { break }
        input.advance()
      } else {
        if encoding == nil, !checker.accepts(byte) {
          encoding = TextEncoding.named(in: bytes).flatMap { TextEncoding(charset: $0) }
          guard encoding != nil, encoding != .utf8 else {
            let problem = input.problem("not UTF-8")
            try skipLine()
            throw problem
          }
        }
        bytes.append(byte)
        input.advance()
        if encoding == nil, checker.isBetweenCharacters { bytes += try input.run { 0x20..<0x80 ~= $0 } }
      }
      guard size + bytes.count <= customerByteLimit else {
        isEndless = true
        throw input.problem("a card has more than \(customerByteLimit) bytes")
      }
    }
    if let encoding { bytes = ByteTable.decode(bytes, encoding) }
    guard encoding != nil || checker.isBetweenCharacters else {
      throw ParseError(line: number, message: "not UTF-8")
    }
    size += bytes.count
    budget.spend(bytes.count)
    return (String(decoding: bytes, as: UTF8.self), number)
  }

  /// Whether a line ends within a value that is quoted-printable; a space after it belongs to the value.
  ///
  /// The head is looked at once, however many ends of lines follow it.
  private mutating func continuesSoftly(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == UInt8(ascii: "=") else { return false }
    if head.isSoft == nil, let colon = bytes[head.searched...].firstIndex(of: UInt8(ascii: ":")) {
      budget.spend(colon)
      let text = String(decoding: bytes[..<colon], as: UTF8.self)
      head.isSoft = text.uppercased().contains("QUOTED-PRINTABLE")
    }
    budget.spend(bytes.count - head.searched)
    head.searched = bytes.count
    return head.isSoft ?? false
  }

  /// Goes on to the next line.
  private mutating func skipLine() throws {
    while let byte = try input.peek(), byte != 0x0a, byte != 0x0d { input.advance() }
    if try input.peek() != nil { try skipLineEnd() }
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
