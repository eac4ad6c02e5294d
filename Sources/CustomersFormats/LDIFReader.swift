internal import CustomersPlatform

/// Reads customers from LDIF (RFC 2849), with the attributes of inetOrgPerson (RFC 2798) and of Thunderbird.
///
/// The columns are those of ``VCardReader``; any other attribute becomes a column of its name, and what
/// only the directory needs, such as `dn`, is left out. A photo is in the column `vcard`.
///
/// It needs memory for one entry; see ``customerByteLimit`` and ``customerColumnLimit``.
public struct LDIFReader: RecordReader {
  private var lines: VCardLines
  private var columns: [String] = []
  /// How many entries of groups were skipped.
  public private(set) var skippedGroups = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - budget: counts the steps.
  ///   - readChunk: returns the next bytes of the file, none at its end.
  public init(_ budget: ReadingBudget = ReadingBudget(), readChunk: @escaping () throws -> [UInt8]) {
    lines = VCardLines(ByteInput(readChunk: readChunk), budget)
  }

  /// The bytes of the last entry in UTF-8.
  public var lastBytes: [UInt8]? { lines.bytes }

  /// The customer of the next entry or nil after the last; an entry of a group is skipped.
  ///
  /// - Throws: `MalformedRow` for an entry that can't be read or what reading throws.
  public mutating func next() throws -> Record? {
    while let (attributes, line) = try nextEntry() {
      guard !attributes.contains(where: \.isOfGroup) else {
        skippedGroups += 1
        continue
      }
      let members = LDIFColumns(attributes).columns
      guard !members.isEmpty else { continue }
      columns = members.map(\.name).sharing(columns)
      return Record(columns: columns, values: members.map(\.value), line: line)
    }
    return nil
  }

  private mutating func nextEntry() throws -> (attributes: [LDIFAttribute], line: Int)? {
    lines.begin()
    do { return try entry() } catch let problem as ParseError {
      guard !lines.isEndless else { throw problem }
      try skipEntry()
      throw MalformedRow(problem: problem, bytes: lines.bytes)
    }
  }

  /// Advances to the end of an entry that can't be read.
  private mutating func skipEntry() throws {
    while !lines.isEndless {
      do {
        guard let (text, _) = try lines.next(), !text.isEmpty else { return }
      } catch is ParseError { continue }
    }
  }

  /// The attributes of the next entry and the line in which it starts.
  private mutating func entry() throws -> (attributes: [LDIFAttribute], line: Int)? {
    var attributes: [LDIFAttribute] = []
    var start = 1
    while let (text, line) = try lines.next() {
      if text.isEmpty {
        if attributes.isEmpty { continue }
        break
      }
      if text.hasPrefix("#") { continue }
      guard let attribute = LDIFAttribute(text) else {
        throw ParseError(line: line, message: "expected an attribute: name, colon, and value")
      }
      // The version of the format, before the first entry.
      if attributes.isEmpty, attribute.name == "version" { continue }
      if attributes.isEmpty { start = line }
      attributes.append(attribute)
      guard attributes.count <= customerColumnLimit else {
        lines.endCards()
        throw ParseError(line: line, message: "an entry has more than \(customerColumnLimit) attributes")
      }
    }
    return attributes.isEmpty ? nil : (attributes, start)
  }
}

/// One attribute of an entry.
struct LDIFAttribute {
  /// The name in lowercase, without options such as `;lang-de`.
  let name: String
  /// The name as written.
  let written: String
  let value: String
  /// Whether the value is in base 64 because it is not a string.
  let isBinary: Bool

  /// Parses a line; nil if it has no name or no colon.
  init?(_ line: String) {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
    written = String(line[..<colon])
    name = written.prefix { $0 != ";" }.lowercased()
    let rest = line[line.index(after: colon)...]
    guard rest.first == ":" else {
      // After `:<` comes the address of a file, which is not fetched.
      (value, isBinary) = (String(rest.drop { $0 == " " }), false)
      return
    }
    let encoded = String(rest.dropFirst().drop { $0 == " " })
    let text = Base64.decodeLoosely(encoded).flatMap { String(validating: $0, as: UTF8.self) }
    (value, isBinary) = (text ?? encoded, text == nil)
  }
}

extension LDIFAttribute {
  /// Whether it says that the entry is one of a group (RFC 4519, section 3).
  fileprivate var isOfGroup: Bool {
    name == "objectclass"
      && ["groupofnames", "groupofuniquenames", "groupofurls", "posixgroup", "mozillaablist"]
        .contains(value.lowercased())
  }
}
