package import CustomersText

/// Reads customers from vCards 4.0 (RFC 6350), 3.0 (RFC 2426), and 2.1.
///
/// N, ORG, and NOTE become the columns `first_name`, `last_name`, `additional_names`, `name_prefix`,
/// `name_suffix`, `company`, `department`, and `note`; FN becomes `name` if N has no name. The preferred EMAIL,
/// TEL, and ADR become `email`, `phone`, and `address`, and the others, with their labels, lines of
/// `other_contacts`; CATEGORIES becomes `tags`. TITLE, NICKNAME, BDAY, ANNIVERSARY, and URL become the columns that
/// every list may have, and ROLE one of the same name. Every other line, and every line of which a column can't hold everything, is in the column
/// `vcard`, as it is written. So nothing of a card is lost.
///
/// An empty file has no customers. It needs memory for one card; see ``customerByteLimit`` and
/// ``customerColumnLimit``.
package struct VCardReader: RecordReader {
  private let budget: ReadingBudget
  private var lines: VCardLines
  private var columns: [String] = []
  /// How many cards of groups were skipped.
  package private(set) var skippedGroups = 0
  private var hasBegun = false
  private var isBetweenCards = true

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - budget: counts the steps.
  ///   - readChunk: returns the next bytes of the file, none at its end.
  package init(_ budget: ReadingBudget = ReadingBudget(), readChunk: @escaping () throws -> [UInt8]) {
    self.budget = budget
    lines = VCardLines(ByteInput(readChunk: readChunk), budget)
  }

  /// The bytes of the last card in UTF-8.
  package var lastBytes: [UInt8]? { lines.bytes }

  /// The customer of the next card or nil after the last; a card of a group is skipped.
  ///
  /// - Throws: `MalformedRow` for a card that can't be read, `ParseError` if the file is not of cards, or what reading
  ///   throws.
  package mutating func next() throws -> Record? {
    while true {
      lines.begin()
      do {
        guard let start = try begin() else { return nil }
        hasBegun = true
        let properties = try card(start)
        guard !properties.contains(where: { $0.isOfGroup }) || properties.contains(where: { $0.isOurs })
        else {
          skippedGroups += 1
          continue
        }
        return Record(VCardColumns(properties, budget).columns, line: start, sharing: &columns)
      } catch let problem as ParseError {
        guard hasBegun, !lines.isEndless else { throw problem }
        if !isBetweenCards {
          try lines.skip { VCardProperty($0).map { $0.name == "END" && $0.isAboutCard } ?? false }
          isBetweenCards = true
        }
        throw lines.malformed(problem)
      }
    }
  }

  /// The properties of a card, from the line after BEGIN to END.
  private mutating func card(_ start: Int) throws -> [VCardProperty] {
    isBetweenCards = false
    var properties: [VCardProperty] = []
    var isOld = false
    while let (property, line) = try nextProperty(after: &properties) {
      switch property.name {
      case "END":
        guard property.isAboutCard else { throw ParseError(line: line, message: "expected END:VCARD") }
        isBetweenCards = true
        return properties
      case "BEGIN":
        guard properties.last?.name == "AGENT", properties.last?.value.isEmpty == true else {
          throw ParseError(line: line, message: "BEGIN inside a card; is END:VCARD missing?")
        }
        properties[properties.count - 1].append(VCardText.escape(try agent(line)))
      case "VERSION":
        guard ["2.1", "3.0", "4.0", "2", "3", "4"].contains(property.word) else {
          throw ParseError(
            line: line, message: "only vCard 2.1, 3.0, and 4.0 can be read; save it as one of them")
        }
        isOld = property.word.hasPrefix("2")
      default: properties.append(isOld ? property.withEscapedCommas : property)
      }
      guard properties.count <= customerColumnLimit else {
        lines.endCards()
        throw ParseError(line: line, message: "a card has more than \(customerColumnLimit) properties")
      }
    }
    throw ParseError(line: start, message: "the card that starts here never ends; END:VCARD is missing")
  }

  /// Advances to the line after the next BEGIN.
  ///
  /// - Returns: the line of BEGIN; nil at the end.
  private mutating func begin() throws -> Int? {
    while let (text, line) = try lines.next() {
      if text.allSatisfy(\.isWhitespace) { continue }
      guard let property = VCardProperty(text), property.name == "BEGIN", property.isAboutCard else {
        throw ParseError(line: line, message: "expected BEGIN:VCARD")
      }
      return line
    }
    return nil
  }

  /// The next property, in UTF-8; lines that continue one of base 64 are added to the last of the others.
  private mutating func nextProperty(after others: inout [VCardProperty]) throws -> (VCardProperty, Int)? {
    while let (first, line) = try lines.next() {
      if first.isEmpty { continue }
      guard var property = VCardProperty(first, budget) else {
        guard others.last?.isBase64 == true else {
          throw ParseError(line: line, message: "expected a property: name, colon, and value")
        }
        others[others.count - 1].append(first)
        continue
      }
      while property.endsSoftly, let (next, _) = try lines.next() { property.continue(with: next, budget) }
      guard let decoded = property.decoded else {
        throw ParseError(
          line: line,
          message:
            "text in an encoding that can't be read; save the card as UTF-8 or convert the file with iconv"
        )
      }
      return (decoded, line)
    }
    return nil
  }

  /// The card of an agent, which is the value of a property in vCard 2.1.
  private mutating func agent(_ start: Int) throws -> String {
    var card = "BEGIN:VCARD\n"
    var none: [VCardProperty] = []
    while let (property, _) = try nextProperty(after: &none) {
      card += property.line + "\n"
      if property.name == "END" { return card }
    }
    throw ParseError(line: start, message: "the card that starts here never ends; END:VCARD is missing")
  }
}

extension VCardProperty {
  /// The value of a property with a fixed set of words, in uppercase.
  fileprivate var word: String { value.filter { !$0.isWhitespace }.uppercased() }

  fileprivate var isAboutCard: Bool { word == "VCARD" }

  /// Whether it says that the card is one of a group, in vCard 4.0 or as Apple writes it.
  fileprivate var isOfGroup: Bool {
    (name == "KIND" || name == "X-ADDRESSBOOKSERVER-KIND") && word == "GROUP"
  }

  /// Whether only an export of a list has it.
  fileprivate var isOurs: Bool { name == VCardFields.extraProperty }
}

/// Reads the content lines of a vCard (RFC 6350, section 3.2) or of LDIF (RFC 2849), unfolded.
///
/// Lines may end in LF, CR LF, CR, or CR CR LF. A fold may be inside a UTF-8 sequence, as old programs write it.
struct VCardLines {
  private var input: ByteInput
  /// The number of the next line, if CR alone ends lines.
  private var extraLines = 0
  /// The number of the first line of the card, and its length so far.
  private var (firstLine, size) = (1, 0)
  /// How far the last line was searched for the end of its head, and whether it is quoted-printable, once known.
  private var head: (searched: Int, isSoft: Bool?) = (0, nil)

  /// Whether reading has ended because there was no end of a card in sight.
  private(set) var isEndless = false

  private let budget: ReadingBudget

  init(_ input: ByteInput, _ budget: ReadingBudget) { (self.input, self.budget) = (input, budget) }

  /// Starts a card.
  mutating func begin() {
    (size, firstLine) = (0, input.line + extraLines)
    input.mark()
  }

  /// Says that no end of a card is in sight.
  mutating func endCards() { isEndless = true }

  /// The bytes of the card so far, as in the file.
  var bytes: [UInt8] { input.bytesSinceMark }

  /// The card, which can't be read.
  func malformed(_ problem: ParseError) -> MalformedRow {
    MalformedRow(problem: problem, bytes: bytes, firstLine: firstLine)
  }

  /// The next line without its end and its number from 1; nil at the end.
  mutating func next() throws -> (text: String, number: Int)? {
    guard try input.peek() != nil else { return nil }
    let number = input.line + extraLines
    var bytes: [UInt8] = []
    head = (0, nil)
    var checker = UTF8Checker()
    // That of a line which is not UTF-8, and says so.
    var encoding: FileEncoding?
    while let byte = try input.peek() {
      if byte == 0x0a || byte == 0x0d {
        try skipLineEnd()
        if continuesSoftly(bytes) { break }
        guard let next = try input.peek(), next == 0x20 || next == 0x09 else { break }
        input.advance()
      } else {
        let column = input.column
        let run = try input.run(of: VCardLines.inLine)
        if encoding == nil, let wrong = checker.firstWrong(in: run) {
          encoding = FileEncoding.named(in: bytes + run.prefix(wrong)).flatMap { FileEncoding(charset: $0) }
          guard encoding != nil, encoding != .utf8 else {
            let problem = ParseError(line: input.line, column: column + wrong, message: "not UTF-8")
            try skipLine()
            throw problem
          }
        }
        bytes += run
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

  /// Advances to the line that ends a card which can't be read.
  mutating func skip(to isEnd: (String) -> Bool) throws {
    while !isEndless {
      do { guard let (text, _) = try next(), !isEnd(text) else { return } } catch is ParseError { continue }
    }
  }

  /// Whether a line ends within a value that is quoted-printable; a space after it belongs to the value.
  ///
  /// The head is looked at once, however many ends of lines follow it.
  private mutating func continuesSoftly(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == UInt8(ascii: "=") else { return false }
    guard head.isSoft == nil else { return head.isSoft == true }
    let start = head.searched
    head.searched = VCardLines.inHead.end(in: bytes, from: start)
    budget.spend(head.searched - start)
    guard head.searched < bytes.count else { return false }
    head.isSoft = Array(bytes[..<head.searched]).hasWord("QUOTED-PRINTABLE")
    return head.isSoft ?? false
  }

  /// What no line ends with.
  static let inLine = ByteSet { $0 != 0x0a && $0 != 0x0d }
  private static let inHead = ByteSet { $0 != UInt8(ascii: ":") }

  /// Goes on to the next line.
  private mutating func skipLine() throws {
    while try !input.run(of: VCardLines.inLine).isEmpty {}
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
