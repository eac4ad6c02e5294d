package import CustomerStore
package import CustomersText

extension FileFormat {
  /// One array of objects; the extra columns of a customer are a nested object, `extra`.
  ///
  /// A section that has a footer or no customers is an object with only its title and footer, `section` and `footer`,
  /// before its customers. If extra columns are declared, an object with only their names and kinds, `columns`, comes first.
  /// Other contacts and tags are members only if some customer has any, and a next date and a log
  /// of a customer that has one.
  public static let json = FileFormat(
    name: "json", summary: "One array of objects or one object.", fileExtensions: ["json"],
    signature: jsonSignature, makeReader: { JSONReader($1, readChunk: $3) },
    makeWriter: { layout, _ in JSONFileWriter(isArray: true, layout) })

  /// The same objects, one per line.
  public static let ndjson = FileFormat(
    name: "ndjson", summary: "One object per line.", fileExtensions: ["ndjson", "jsonl"],
    signature: jsonSignature, makeReader: { JSONReader($1, readChunk: $3) },
    makeWriter: { layout, _ in JSONFileWriter(isArray: false, layout) })

  private static let jsonSignature = Signature(kind: "JSON") { FileContent.isJSON($0) }
}

private struct JSONFileWriter: CustomerWriter {
  let isArray: Bool
  private let layout: ExportLayout
  private var isFirst = true

  init(isArray: Bool, _ layout: ExportLayout) { (self.isArray, self.layout) = (isArray, layout) }

  mutating func begin(_ bytes: inout [UInt8]) -> Bool {
    if isArray { bytes += "[".utf8 }
    if !layout.declared.isEmpty { append(ColumnsHeading(layout.declared).json, to: &bytes) }
    return true
  }

  mutating func begin(_ section: CustomerSection, to bytes: inout [UInt8]) {
    guard section.count == 0 || !section.footer.isEmpty else { return }
    append(SectionHeading(title: section.title, footer: section.footer).json, to: &bytes)
  }

  var hasLog: Bool { layout.object == nil }

  mutating func append(_ customer: Customer, in section: String, to bytes: inout [UInt8]) -> Bool {
    append(customer, [], in: section, to: &bytes)
  }

  mutating func append(
    _ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]
  ) -> Bool {
    let object =
      layout.object?(customer, section) ?? customer.json(in: section, lists: layout.lists, log: log)
    append(object, to: &bytes)
    return true
  }

  private mutating func append(_ object: JSON, to bytes: inout [UInt8]) {
    if isArray { bytes.append(contentsOf: (isFirst ? "\n" : ",\n").utf8) }
    isFirst = false
    bytes.append(contentsOf: object.text.utf8)
    if !isArray { bytes.append(0x0a) }
  }

  func end(_ bytes: inout [UInt8]) { if isArray { bytes += "\n]\n".utf8 } }
}

extension Customer {
  /// The customer as an object, without its id and place; the extra columns are a nested object.
  ///
  /// It has these of the fields with any number of values; nil for those that have one.
  package func json(in section: String, lists: [CustomerField]? = nil, log: [LogLine] = []) -> JSON {
    let texts = zip(CustomerField.texts, fields.texts).dropLast(CustomerField.lists.count)
    let written =
      lists?.filter { $0 != .addressParts } ?? CustomerField.lists.filter { !fields[$0].text.isEmpty }
    return .object(
      texts.map { ($0.column, JSON.string($1)) } + [
        ("is_favorite", .bool(fields.isFavorite)), ("can_edit", .bool(canEdit)), ("can_move", .bool(canMove)),
        ("section", .string(section)),
      ] + written.map { ($0.column, fields[$0].json) }
        + (fields.next.isEmpty ? [] : [("next", .string(fields.next))])
        + (fields.addressParts.isEmpty ? [] : [("address_parts", fields.addressPartsJSON)])
        + (log.isEmpty ? [] : [("log", .array(log.map(JSONShapes.line.json)))])
        + [("extra", .raw(fields.extra))])
  }
}
