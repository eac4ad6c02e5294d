/// Reads customers from JSON (RFC 8259): an array of objects, or objects one after another as in NDJSON.
///
/// Names of an object are columns. Strings are texts; numbers, true, false, objects and arrays stay as
/// they are written; what is null is left out. A file without anything has no customers. Memory for
/// one customer; see ``customerByteLimit`` and ``customerColumnLimit``.
public struct JSONReader: RecordReader {
  private enum Place {
    case start, beginningOfArray, array, betweenObjects, end
  }

  private var scanner: JSONScanner
  private var place = Place.start
  private var columns: [String] = []

  /// Makes a reader.
  ///
  /// - Parameter readChunk: gives the next bytes of the file, none at its end.
  public init(readChunk: @escaping () throws -> [UInt8]) {
    scanner = JSONScanner(ByteInput(readChunk: readChunk))
  }

  /// The next customer, or nil after the last.
  ///
  /// - Throws: `ParseError`, or what reading throws.
  public mutating func next() throws -> Record? {
    guard try findCustomer() else { return nil }
    let line = scanner.input.line
    let members = try scanner.customer()
    columns = members.map(\.name).sharing(columns)
    return Record(columns: columns, values: members.map(\.value), line: line)
  }

  /// Goes on to the { of the next customer.
  ///
  /// - Returns: false at the end.
  private mutating func findCustomer() throws -> Bool {
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
      return try findCustomer()
    case .beginningOfArray: place = .array
    case .array:
      guard next == UInt8(ascii: ",") else { throw scanner.wrong("a , or ] belongs between customers") }
      try scanner.take()
      next = try scanner.peekPastSpace()
    case .betweenObjects: break
    case .end:
      guard next == nil else { throw scanner.input.problem("text after the end of the array") }
      return false
    }
    if next == nil, place == .betweenObjects { return false }
    guard next == UInt8(ascii: "{") else {
      throw scanner.wrong("a customer belongs here: an object in {}")
    }
    return true
  }
}

extension [String] {
  /// The other array if it has the same texts byte by byte, so that many customers have one array.
  func sharing(_ other: [String]) -> [String] {
    let isSame = elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) }
    return isSame ? other : self
  }
}

extension JSON {
  /// Reads the names and values of an object.
  ///
  /// - Parameters:
  ///   - text: nothing but the object, as strict as ``JSONReader`` wants it.
  ///   - keepsNull: whether what is null is given as JSON; otherwise it is left out.
  /// - Returns: them in their order.
  /// - Throws: `ParseError`.
  public static func columns(
    ofObject text: String, keepsNull: Bool = false
  ) throws -> [(name: String, value: Record.Value)] {
    var pieces = [Array(text.utf8)]
    var scanner = JSONScanner(ByteInput { pieces.popLast() ?? [] })
    scanner.keepsNull = keepsNull
    guard try scanner.peekPastSpace() == UInt8(ascii: "{") else {
      throw scanner.input.problem("an object in {} belongs here")
    }
    let columns = try scanner.customer()
    guard try scanner.peekPastSpace() == nil else { throw scanner.input.problem("text after the object") }
    return columns
  }
}
