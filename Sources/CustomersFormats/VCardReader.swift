/// Reads customers from vCards 4.0 (RFC 6350) and 3.0 (RFC 2426).
///
/// N, ORG and the preferred EMAIL, TEL, ADR and NOTE become the columns `first_name`, `last_name`,
/// `additional_names`, `name_prefix`, `name_suffix`, `company`, `department`, `email`, `phone`, `address` and
/// `note`; FN becomes `name` if N has no name. Every other property becomes a column named after it and its
/// parameters, such as `TEL;TYPE=work`, with its value as written; repeated names are numbered, as in
/// `URL:2`. So `NOTE` and `note` are different columns.
///
/// An empty file has no customers. It needs memory for one card; see ``customerByteLimit`` and
/// ``customerColumnLimit``.
public struct VCardReader: RecordReader {
  private var lines: VCardLines
  private var columns: [String] = []

  /// Creates a reader.
  ///
  /// - Parameter readChunk: returns the next bytes of the file, none at its end.
  public init(readChunk: @escaping () throws -> [UInt8]) {
    lines = VCardLines(ByteInput(readChunk: readChunk))
  }

  /// The customer of the next card, or nil after the last.
  ///
  /// - Throws: `ParseError`, or what reading throws.
  public mutating func next() throws -> Record? {
    lines.size = 0
    guard let start = try begin() else { return nil }
    var properties: [VCardProperty] = []
    while let (property, line) = try nextProperty() {
      switch property.name {
      case "END":
        guard property.isAboutCard else { throw ParseError(line: line, message: "expected END:VCARD") }
        return record(VCardColumns(properties).columns, start)
      case "BEGIN":
        throw ParseError(line: line, message: "BEGIN inside a card; is END:VCARD missing?")
      case "VERSION":
        guard ["3.0", "4.0"].contains(property.word) else {
          throw ParseError(
            line: line, message: "only vCard 3.0 and 4.0 can be read; save it as one of them")
        }
      default: properties.append(property)
      }
      guard properties.count <= customerColumnLimit else {
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

  private mutating func nextProperty() throws -> (VCardProperty, Int)? {
    while let (text, line) = try lines.next() {
      if text.isEmpty { continue }
      guard let property = VCardProperty(text) else {
        throw ParseError(line: line, message: "expected a property: name, colon and value")
      }
      guard !property.isQuotedPrintable else {
        let message = "QUOTED-PRINTABLE is vCard 2.1; save the cards as vCard 3.0 or 4.0"
        throw ParseError(line: line, message: message)
      }
      return (property, line)
    }
    return nil
  }

  private mutating func record(_ members: [(name: String, value: Record.Value)], _ line: Int) -> Record {
    columns = members.map(\.name).sharing(columns)
    return Record(columns: columns, values: members.map(\.value), line: line)
  }
}

extension VCardProperty {
  /// The value of a property with a fixed set of words, in uppercase.
  fileprivate var word: String { value.filter { !$0.isWhitespace }.uppercased() }

  fileprivate var isAboutCard: Bool { word == "VCARD" }
}
