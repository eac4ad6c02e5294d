/// Reads JSON strictly (RFC 8259) from bytes that come in pieces.
///
/// The rest of it is in `JSONScanner+Strings`.
struct JSONScanner {
  /// How deep objects and arrays may stand in each other, so that no file can overflow the stack.
  static let depthLimit = 64

  var input: ByteInput
  /// Whether a column that is null is given as JSON instead of being left out.
  var keepsNull = false
  /// The value that is being read, as written; nil if only its meaning is wanted.
  private var written: [UInt8]?
  /// The bytes of the names and values of the customer that were read.
  private var size = 0

  init(_ input: ByteInput) { self.input = input }

  /// Reads the object that begins here: names and values in order.
  mutating func customer() throws -> [(name: String, value: Record.Value)] {
    var columns: [(name: String, value: Record.Value)] = []
    size = 0
    try object(depth: 1) { scanner, name in
      scanner.size += name.utf8.count
      if let value = try scanner.columnValue() { columns.append((name, value)) }
    }
    return columns
  }

  /// Steps over white space; nil at the end.
  mutating func peekPastSpace() throws -> UInt8? {
    while let byte = try input.peek() {
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
      try take()
    }
    return nil
  }

  /// Steps over the byte that was peeked.
  mutating func take() throws {
    if written != nil, let byte = try input.peek() { try keep([byte]) }
    input.advance()
  }

  /// Keeps bytes that were stepped over, if the value is wanted as written.
  mutating func keep(_ bytes: ArraySlice<UInt8>) throws {
    guard written != nil else { return }
    written?.append(contentsOf: bytes)
    try checkSize(written?.count ?? 0)
  }

  /// Sees that a value that has grown to so many bytes still fits in the customer.
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
      try skipValue(depth: 1)
      let text = String(decoding: written ?? [], as: UTF8.self)
      size += text.utf8.count
      written = nil
      return .json(text)
    }
  }

  /// Steps over a value; it is checked as strictly as one that is wanted.
  private mutating func skipValue(depth: Int) throws {
    switch try peekPastSpace() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      try object(depth: depth + 1) { scanner, _ in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: try number()
    default: throw wrong("a value belongs here: a string in \"\", a number, true, false, null, [ or {")
    }
  }

  private mutating func object(
    depth: Int, member: (inout JSONScanner, String) throws -> Void
  ) throws {
    var names: Set<[UInt8]> = []
    try sequence(depth: depth, end: UInt8(ascii: "}")) { scanner in
      guard try scanner.peekPastSpace() == UInt8(ascii: "\"") else {
        throw scanner.wrong("a name in \"\" belongs here")
      }
      let doubled = scanner.input.problem("a name stands twice in one object")
      let name = try scanner.string()
      guard names.insert(Array(name.utf8)).inserted else { throw doubled }
      guard names.count <= customerColumnLimit else {
        throw scanner.input.problem("an object has more than \(customerColumnLimit) names")
      }
      guard try scanner.peekPastSpace() == UInt8(ascii: ":") else {
        throw scanner.wrong("a : belongs between a name and its value")
      }
      try scanner.take()
      try member(&scanner, name)
    }
  }

  private mutating func array(depth: Int) throws {
    try sequence(depth: depth, end: UInt8(ascii: "]")) { try $0.skipValue(depth: depth) }
  }

  /// Reads what stands between brackets, separated by commas.
  private mutating func sequence(
    depth: Int, end: UInt8, element: (inout JSONScanner) throws -> Void
  ) throws {
    guard depth <= JSONScanner.depthLimit else {
      throw input.problem("more than \(JSONScanner.depthLimit) objects and arrays stand in each other")
    }
    try take()
    guard try peekPastSpace() != end else { return try take() }
    while true {
      try element(&self)
      switch try peekPastSpace() {
      case end: return try take()
      case UInt8(ascii: ","): try take()
      default: throw wrong("a , or \(Character(Unicode.Scalar(end))) belongs here")
      }
    }
  }

  /// The problem with the next byte, or with its absence.
  func wrong(_ message: String) -> ParseError {
    input.isAtEnd ? input.problem("the file ends too early") : input.problem(message)
  }
}
