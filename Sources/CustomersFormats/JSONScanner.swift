/// Reads JSON strictly (RFC 8259) from a stream of bytes.
///
/// The rest of it is in `JSONScanner+Strings`.
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
    while let byte = try input.peek() {
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
      try take()
    }
    return nil
  }

  /// Consumes the byte that was peeked.
  mutating func take() throws {
    if written != nil, let byte = try input.peek() { try keep([byte]) }
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
      try skipValue(depth: 1)
      let text = String(decoding: written ?? [], as: UTF8.self)
      size += text.utf8.count
      written = nil
      return .json(text)
    }
  }

  /// Skips a value, but checks it as strictly as any other.
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
    default: throw wrong("expected a value: \"string\", number, true, false, null, [ or {")
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

  private mutating func array(depth: Int) throws {
    try sequence(depth: depth, end: UInt8(ascii: "]")) { try $0.skipValue(depth: depth) }
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
