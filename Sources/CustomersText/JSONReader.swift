/// Reads customers from JSON (RFC 8259): an array of objects or objects one after another as in NDJSON.
///
/// An object that has nothing but such an array, as `{"contacts": […]}`, is read like the array.
///
/// The keys of an object are columns. Strings are values; numbers, true, false, objects, and arrays stay as
/// written; null is omitted. An empty file has no customers. It needs memory for one customer; see
/// ``customerByteLimit`` and ``customerColumnLimit``.
package struct JSONReader: RecordReader {
  private enum Place {
    case start, beginningOfArray, array, betweenObjects, end
  }

  private var scanner: JSONScanner
  private var place = Place.start
  private var columns: [String] = []
  /// How many bytes come before the array, because it is in an object; 0 if it is not.
  private let wrapped: Int

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - head: the start of the file.
  ///   - readChunk: returns the next bytes of the file, none at its end.
  package init(_ head: [UInt8] = [], readChunk: @escaping () throws -> [UInt8]) {
    wrapped = JSONReader.wrapperLength(head)
    scanner = JSONScanner(ByteInput(readChunk: readChunk))
  }

  /// The length of what comes before the array in `{"contacts": [{`; 0 in any other file.
  private static func wrapperLength(_ head: [UInt8]) -> Int {
    var tokens: [UInt8] = []
    for (index, byte) in head.prefix(256).enumerated() where byte > 0x20 {
      tokens.append(byte)
      guard byte == UInt8(ascii: "{"), tokens.count > 1 else { continue }
      let name = String(decoding: tokens, as: UTF8.self).lowercased()
      guard lists.contains(where: { name == "{\"\($0)\":[{" }) else { return 0 }
      return head[..<index].lastIndex(of: UInt8(ascii: "[")) ?? 0
    }
    return 0
  }

  /// The names of a list of customers; a customer may have lists of other things.
  private static let lists = [
    "contacts", "customers", "people", "persons", "clients", "users", "leads", "connections", "entries",
    "records",
    "results", "items", "rows", "data",
  ]

  /// The next customer or nil after the last.
  ///
  /// - Throws: `ParseError` or what reading throws.
  package mutating func next() throws -> Record? {
    guard try findCustomer() else { return nil }
    let line = scanner.input.line
    return try Record(scanner.customer(), line: line, sharing: &columns)
  }

  /// Advances to the { of the next customer.
  ///
  /// - Returns: false at the end.
  private mutating func findCustomer() throws -> Bool {
    if place == .start { for _ in 0..<wrapped where try scanner.input.peek() != nil { try scanner.take() } }
    var next = try scanner.peekPastSpace()
    switch place {
    case .start where next == UInt8(ascii: "["):
      try scanner.take()
      place = .beginningOfArray
      return try findCustomer()
    case .start: place = .betweenObjects
    case .beginningOfArray where next == UInt8(ascii: "]"), .array where next == UInt8(ascii: "]"):
      try scanner.take()
      place = .end
      if wrapped > 0, try scanner.peekPastSpace() == UInt8(ascii: "}") { try scanner.take() }
      return try findCustomer()
    case .beginningOfArray: place = .array
    case .array:
      guard next == UInt8(ascii: ",") else { throw scanner.wrong("expected , or ] between customers") }
      try scanner.take()
      next = try scanner.peekPastSpace()
    case .betweenObjects: break
    case .end:
      guard next == nil else { throw scanner.input.problem("text after the end of the array") }
      return false
    }
    if next == nil, place == .betweenObjects { return false }
    guard next == UInt8(ascii: "{") else {
      throw scanner.wrong("expected a customer object {…}")
    }
    return true
  }
}

extension [String] {
  /// The other array if it has the same bytes, so that many customers share one array.
  package func sharing(_ other: [String]) -> [String] {
    let isSame = elementsEqual(other) { $0.hasSameBytes(as: $1) }
    return isSame ? other : self
  }
}

extension String {
  /// Whether both have the same bytes in UTF-8; `==` also takes another way to write the same letters.
  package func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count, let one = left.baseAddress, let two = right.baseAddress else {
          return left.count == right.count
        }
        let end = left.count
        var index = 0
        while index < end, unsafe one[index] == two[index] { index &+= 1 }
        return index == end
      }
    }
  }
}

extension JSON {
  /// Reads the keys and values of an object.
  ///
  /// - Parameters:
  ///   - text: only the object, which must be as strict as for ``JSONReader``.
  ///   - keepsNull: whether null is returned as JSON; otherwise it is omitted.
  /// - Returns: the keys and values in their order.
  /// - Throws: `ParseError`.
  package static func columns(
    ofObject text: String, keepsNull: Bool = false
  ) throws -> [(name: String, value: Record.Value)] {
    if let columns = columns(ofPlain: text) { return columns }
    var scanner = JSONScanner(ByteInput(readChunk: onePiece(Array(text.utf8))))
    scanner.keepsNull = keepsNull
    guard try scanner.peekPastSpace() == UInt8(ascii: "{") else {
      throw scanner.input.problem("expected an object {…}")
    }
    let columns = try scanner.customer()
    guard try scanner.peekPastSpace() == nil else { throw scanner.input.problem("text after the object") }
    return columns
  }

  /// The same of an object with texts alone and without escapes and spaces, as a list writes nearly all, in a tenth of the
  /// time; nil for any other one.
  private static func columns(ofPlain text: String) -> [(name: String, value: Record.Value)]? {
    guard text.utf8.count < 1 << 16 else { return nil }
    let bytes = Array(text.utf8)
    var index = 0
    func takes(_ sign: UInt8) -> Bool {
      guard index < bytes.count, bytes[index] == sign else { return false }
      index += 1
      return true
    }
    let quote = UInt8(ascii: "\"")
    func string() -> String? {
      guard takes(quote) else { return nil }
      let start = index
      while index < bytes.count, bytes[index] != quote {
        guard bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\\") else { return nil }
        index += 1
      }
      return takes(quote) ? String(decoding: bytes[start..<index - 1], as: UTF8.self) : nil
    }
    var columns: [(name: String, value: Record.Value)] = []
    guard takes(UInt8(ascii: "{")) else { return nil }
    repeat {
      // With more names, looking for a double one takes longer than a set does.
      guard columns.count < 32, let name = string(), takes(UInt8(ascii: ":")), let value = string(),
        !columns.contains(where: { $0.name == name })
      else { return nil }
      columns.append((name, .text(value)))
    } while takes(UInt8(ascii: ","))
    return takes(UInt8(ascii: "}")) && index == bytes.count ? columns : nil
  }
}

/// One customer of a file: named values in the file's order.
///
/// A column without a value for this customer is omitted, so ``columns`` and ``values`` have the same length. Only a
/// row of a table that leaves out its last values has fewer values, so that a short row is little work.
package struct Record: Equatable, Sendable {
  /// The value of one column.
  package enum Value: Equatable, Sendable {
    /// A string.
    case text(String)
    /// JSON that is not a string: a number, true, false, an object, or an array, as written.
    case json(String)
  }

  /// The names of the columns, each once.
  ///
  /// Records with the same columns share one array if possible, so that comparing the two compares only
  /// addresses.
  package var columns: [String]
  /// The value of each column, at the same index as its name in ``columns``.
  package var values: [Value]
  /// The line of the file in which the customer starts, from 1.
  package var line: Int

  /// Creates a customer from named values.
  package init(columns: [String], values: [Value], line: Int) {
    self.columns = columns
    self.values = values
    self.line = line
  }

  /// Creates a customer that shares the columns with the one before, if they are the same.
  package init(_ members: [(name: String, value: Value)], line: Int, sharing columns: inout [String]) {
    columns = members.map(\.name).sharing(columns)
    self.init(columns: columns, values: members.map(\.value), line: line)
  }
}

/// Reads the customers of a file one after another, with memory for one.
package protocol RecordReader {
  /// The next customer or nil after the last.
  ///
  /// After an error other than `MalformedRow`, reading can't go on.
  mutating func next() throws -> Record?

  /// The bytes of the last customer in UTF-8, as in the file; nil if unknown.
  var lastBytes: [UInt8]? { get }

  /// How many groups of customers were skipped, which are no customers.
  var skippedGroups: Int { get }
}

extension RecordReader {
  /// They are unknown.
  package var lastBytes: [UInt8]? { nil }
  /// The format has no groups.
  package var skippedGroups: Int { 0 }
}

/// Why a file can't be read, where, and what would help.
package struct ParseError: Error, Equatable, Sendable {
  /// The line of the file, from 1.
  package var line: Int
  /// The byte of the line as UTF-8, from 1; nil if it would not help.
  package var column: Int?
  /// What is wrong, as a sentence without a period that quotes no value of the file.
  package var message: String

  /// Creates a problem at a position of a file.
  package init(line: Int, column: Int? = nil, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

/// The maximum number of bytes of one customer in a file.
///
/// It equals the limit of a row in the store (SQLite's length limit), and keeps an endless file from filling
/// the memory.
package let customerByteLimit = 16_000_000

/// The maximum number of columns of one customer in a file: more than a spreadsheet has.
package let customerColumnLimit = 20_000

/// A row of a file that is not a customer; reading can go on after it.
package struct MalformedRow: Error, Equatable, Sendable {
  /// The error and its position.
  package var problem: ParseError
  /// The row as it is in the file, with its line end, as UTF-8.
  package var bytes: [UInt8]
  /// The line in which the row starts; nil for the only line that matters of it, the first.
  package var firstLine: Int?
  /// Whether it only has fewer fields than there are columns.
  package var isShort: Bool

  /// Creates an error for a row.
  package init(problem: ParseError, bytes: [UInt8], firstLine: Int? = nil, isShort: Bool = false) {
    self.problem = problem
    self.bytes = bytes
    self.firstLine = firstLine
    self.isShort = isShort
  }

  /// The row from the line on that shows what is wrong.
  package var bytesOfProblem: [UInt8] {
    let before = max(0, problem.line - (firstLine ?? problem.line))
    let parts = bytes.split(separator: 0x0a, maxSplits: before, omittingEmptySubsequences: false)
    return parts.count > before ? parts.last.map(Array.init) ?? bytes : bytes
  }
}
