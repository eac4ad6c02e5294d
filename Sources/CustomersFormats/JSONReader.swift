/// Reads customers from JSON (RFC 8259): an array of objects or objects one after another as in NDJSON.
///
/// An object that has nothing but such an array, as `{"contacts": […]}`, is read like the array.
///
/// The keys of an object are columns. Strings are values; numbers, true, false, objects, and arrays stay as
/// written; null is omitted. An empty file has no customers. It needs memory for one customer; see
/// ``customerByteLimit`` and ``customerColumnLimit``.
public struct JSONReader: RecordReader {
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
  public init(_ head: [UInt8] = [], readChunk: @escaping () throws -> [UInt8]) {
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
  public mutating func next() throws -> Record? {
    guard try findCustomer() else { return nil }
    let line = scanner.input.line
    let members = try scanner.customer()
    columns = members.map(\.name).sharing(columns)
    return Record(columns: columns, values: members.map(\.value), line: line)
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
  func sharing(_ other: [String]) -> [String] {
    let isSame = elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) }
    return isSame ? other : self
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
  public static func columns(
    ofObject text: String, keepsNull: Bool = false
  ) throws -> [(name: String, value: Record.Value)] {
    var pieces = [Array(text.utf8)]
    var scanner = JSONScanner(ByteInput { pieces.popLast() ?? [] })
    scanner.keepsNull = keepsNull
    guard try scanner.peekPastSpace() == UInt8(ascii: "{") else {
      throw scanner.input.problem("expected an object {…}")
    }
    let columns = try scanner.customer()
    guard try scanner.peekPastSpace() == nil else { throw scanner.input.problem("text after the object") }
    return columns
  }
}
