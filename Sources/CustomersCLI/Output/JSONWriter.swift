internal import CustomersFormats

/// Writes JSON piece by piece, for arrays that need not fit into memory.
struct JSONWriter {
  private let stream: Stream
  /// The text between two elements of an array, besides the comma.
  private let gap: String
  /// Whether the open array or object is still empty.
  private var isFirst = true

  /// With `isOneLine`, the elements of an array are on one line.
  init(_ stream: Stream, isOneLine: Bool = false) {
    self.stream = stream
    gap = isOneLine ? "" : "\n"
  }

  mutating func beginObject() throws { try begin("{") }

  /// Writes a key; its value comes next.
  mutating func name(_ name: String) throws {
    try stream.write((isFirst ? "" : ",") + JSON.string(name).text + ":")
    isFirst = false
  }

  mutating func members(_ pairs: [(String, JSON)]) throws {
    for (name, value) in pairs {
      try self.name(name)
      try stream.write(value.text)
    }
  }

  mutating func endObject() throws { try end("}") }

  mutating func beginArray() throws { try begin("[") }

  mutating func element(_ value: JSON) throws {
    try stream.write((isFirst ? "" : ",") + gap + value.text)
    isFirst = false
  }

  mutating func endArray() throws { try end(gap + "]") }

  private mutating func begin(_ sign: String) throws {
    try stream.write(sign)
    isFirst = true
  }

  private mutating func end(_ sign: String) throws {
    try stream.write(sign)
    isFirst = false
  }
}
