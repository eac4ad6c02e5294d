internal import CustomersText

/// Reads XML from a stream of bytes, tag by tag, in time that grows with its length alone, and memory for one tag or text.
///
/// It takes what spreadsheets write: UTF-8 without a DTD, so that there are no entities but the five of every file.
/// Prefixes of names are left out.
struct XMLReader {
  enum Event { case start, end, text }

  /// The part of the spreadsheet, for errors.
  private let part: String
  private let readChunk: () throws -> [UInt8]
  private var chunk: [UInt8] = []
  private var index = 0
  /// The names of the open elements.
  private var open: [String] = []
  private var isPendingEnd = false
  /// What is between the name of a tag and its end.
  private var attributes: [UInt8] = []

  /// The name of the last tag.
  private(set) var name = ""
  /// The last text.
  private(set) var text: [UInt8] = []

  private static let (tagLimit, depthLimit) = (1 << 16, 100)

  init(_ content: ZipContent) { (part, readChunk) = (content.entry.name, content.next) }

  /// The next tag or text; nil at the end.
  ///
  /// - Throws: `TransferError.spreadsheet`, or what reading throws.
  mutating func next() throws -> Event? {
    if isPendingEnd {
      isPendingEnd = false
      return .end
    }
    while let byte = try peek() {
      guard byte == UInt8(ascii: "<") else {
        try readText()
        return .text
      }
      index += 1
      switch try peek() {
      case UInt8(ascii: "?"): try skip(past: "?>")
      case UInt8(ascii: "!"):
        index += 1
        guard try peek() != UInt8(ascii: "-") else {
          try skip(past: "-->")
          continue
        }
        guard try take("[CDATA[") else { throw problem("it has a DTD, which no spreadsheet needs") }
        try readCharacters()
        return .text
      case UInt8(ascii: "/"):
        index += 1
        try readTag()
        guard attributes.isEmpty, open.popLast() == name else { throw problem("its tags don't match") }
        return .end
      default:
        try readTag()
        if attributes.last == UInt8(ascii: "/") {
          attributes.removeLast()
          isPendingEnd = true
        } else {
          open.append(name)
          guard open.count <= XMLReader.depthLimit else { throw problem("its tags are nested too deeply") }
        }
        return .start
      }
    }
    guard open.isEmpty else { throw problem("it ends too early") }
    return nil
  }

  /// The value of an attribute of the last tag; nil if it has none.
  func attribute(_ wanted: String) throws -> String? {
    var rest = attributes[...]
    while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
      let named = rest[..<sign].split { $0 <= 0x20 }.last ?? []
      let quoted = rest[sign...].dropFirst().drop { $0 <= 0x20 }
      guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = quoted.dropFirst().firstIndex(of: quote)
      else { throw problem("a tag of it is damaged") }
      if !named.starts(with: "xmlns".utf8), XMLReader.local(named) == wanted {
        return String(decoding: try unescaped(quoted[..<end].dropFirst()), as: UTF8.self)
      }
      rest = quoted[end...].dropFirst()
    }
    return nil
  }

  func problem(_ reason: String) -> TransferError { .spreadsheet(reason, in: part) }

  private mutating func peek() throws -> UInt8? {
    if index == chunk.count {
      (chunk, index) = (try readChunk(), 0)
      if chunk.isEmpty { return nil }
    }
    return chunk[index]
  }

  private mutating func take(_ text: StaticString) throws -> Bool {
    for byte in "\(text)".utf8 {
      guard try peek() == byte else { return false }
      index += 1
    }
    return true
  }

  private mutating func skip(past end: String) throws {
    let end = Array(end.utf8)
    var last: [UInt8] = []
    while last != end {
      guard let byte = try peek() else { throw problem("it ends too early") }
      index += 1
      if last.count == end.count { last.removeFirst() }
      last.append(byte)
    }
  }

  private mutating func readTag() throws {
    var tag: [UInt8] = []
    var quote: UInt8?
    while true {
      guard let byte = try peek() else { throw problem("it ends too early") }
      index += 1
      if quote == nil, byte == UInt8(ascii: ">") { break }
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      tag.append(byte)
      guard tag.count <= XMLReader.tagLimit else { throw problem("a tag of it is too long") }
    }
    let end = tag.firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "/") } ?? tag.count
    name = XMLReader.local(tag[..<end])
    guard !name.isEmpty else { throw problem("a tag of it is damaged") }
    attributes = Array(tag[end...])
    while let last = attributes.last, last <= 0x20 { attributes.removeLast() }
  }

  private mutating func readText() throws {
    text.removeAll(keepingCapacity: true)
    while let byte = try peek(), byte != UInt8(ascii: "<") {
      let range = index..<chunk.count
      let end =
        unsafe chunk.withUnsafeBufferPointer { unsafe find(UInt8(ascii: "<"), $0, range) } ?? chunk.count
      text += chunk[index..<end]
      index = end
      guard text.count <= customerByteLimit else { throw problem("a text of it is too long") }
    }
    text = try unescaped(text[...])
  }

  private mutating func readCharacters() throws {
    text.removeAll(keepingCapacity: true)
    let end: [UInt8] = Array("]]>".utf8)
    while !(text.last == end[2] && text.suffix(3).elementsEqual(end)) {
      guard let byte = try peek() else { throw problem("it ends too early") }
      index += 1
      text.append(byte)
      guard text.count <= customerByteLimit else { throw problem("a text of it is too long") }
    }
    text.removeLast(3)
  }

  private static func local(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
  }

  private func unescaped(_ text: ArraySlice<UInt8>) throws -> [UInt8] {
    guard contains(UInt8(ascii: "&"), text) || contains(0x0d, text) else { return Array(text) }
    var (rest, plain) = (text, [UInt8]())
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "&"):
        let reference = rest.prefix { $0 != UInt8(ascii: ";") }.prefix(12)
        let name = String(decoding: reference, as: UTF8.self)
        rest = rest[reference.endIndex...]
        guard rest.popFirst() == UInt8(ascii: ";"), let scalar = XMLReader.scalar(name) else {
          throw problem("it has an entity that no spreadsheet needs")
        }
        plain += String(Character(scalar)).utf8
      // A line break of any system is a line feed.
      case 0x0d: if rest.first != 0x0a { plain.append(0x0a) }
      default: plain.append(byte)
      }
    }
    return plain
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    if name.hasPrefix("#x") { return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) }
    if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
    return ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][name]
  }
}
