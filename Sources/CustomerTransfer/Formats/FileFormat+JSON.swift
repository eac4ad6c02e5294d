package import CustomerStore
package import CustomersText

extension FileFormat {
  /// One array of objects; the extra columns of a customer are a nested object, `extra`.
  ///
  /// A section that has a footer or no customers is an object with only its title and footer, `section` and `footer`,
  /// before its customers. If extra columns are declared, an object with only their names and kinds, `columns`, comes
  /// first. A next date and a log are members of a customer that has one.
  /// With ids, each customer has its `id` and `uid`, and the `version` of the list.
  /// `contacts` has all ways to be reached; a file that has them as text, `other_contacts`, is read, too.
  package static let json = FileFormat(
    name: "json", summary: "One array of objects or one object.", fileExtensions: ["json"],
    signature: jsonSignature, makeReader: { ListsReader(JSONReader($1, readChunk: $3)) },
    makeWriter: { layout, _ in JSONFileWriter(isArray: true, layout) })

  /// The same objects, one per line.
  package static let ndjson = FileFormat(
    name: "ndjson", summary: "One object per line.", fileExtensions: ["ndjson", "jsonl"],
    signature: jsonSignature, makeReader: { ListsReader(JSONReader($1, readChunk: $3)) },
    makeWriter: { layout, _ in JSONFileWriter(isArray: false, layout) })

  private static let jsonSignature = Signature(kind: "JSON") { FileContent.isJSON($0) }
}

private struct JSONFileWriter: CustomerWriter {
  let isArray: Bool
  private let layout: ExportLayout
  private var isFirst = true
  private var uuid = ""

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
  var needsUUIDs: Bool { layout.identity != nil }
  mutating func take(uuid: String) { self.uuid = uuid }

  mutating func append(
    _ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8]
  ) -> Bool {
    var object = layout.object?(customer, section) ?? whole(customer, log, in: section)
    if let identity = layout.identity, case .object(let members) = object {
      let ids: [(String, JSON)] = [
        ("id", .int(Int(customer.id.rawValue))), ("version", .string(identity)), ("uid", .string(uuid)),
      ]
      object = .object(ids + members)
    }
    append(object, to: &bytes)
    return true
  }

  private func whole(_ customer: Customer, _ log: [LogLine], in section: String) -> JSON {
    let (contacts, tags) = (customer.fields.contactsJSON, CustomerField.tags.listJSON(customer.fields.tags))
    return customer.json(in: section, lists: [("contacts", contacts), ("tags", tags)], log: log)
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
  /// - Parameters:
  ///   - section: the title of the section.
  ///   - lists: the members for the fields with any number of values.
  ///   - log: the log.
  /// - Returns: the object.
  package func json(in section: String, lists: [(String, JSON)], log: [LogLine] = []) -> JSON {
    let texts = zip(CustomerField.texts, fields.texts).dropLast(CustomerField.lists.count)
    return .object(
      texts.map { ($0.column, JSON.string($1)) } + [
        ("is_favorite", .bool(fields.isFavorite)), ("can_edit", .bool(canEdit)), ("can_move", .bool(canMove)),
        ("section", .string(section)),
      ] + lists
        + (fields.next.isEmpty ? [] : [("next", .string(fields.next))])
        + (fields.addressParts.isEmpty ? [] : [("address_parts", fields.addressPartsJSON)])
        + (log.isEmpty ? [] : [("log", .array(log.map(JSONShapes.line.json)))])
        + [("extra", .raw(fields.extra))])
  }
}

/// Reads JSON in which contacts are a list of objects, as an export writes them, as the lines of their fields.
private struct ListsReader: RecordReader {
  private var reader: JSONReader
  private var columns: [String] = []

  init(_ reader: JSONReader) { self.reader = reader }

  mutating func next() throws -> Record? {
    guard var record = try reader.next() else { return nil }
    if let index = record.columns.firstIndex(of: "contacts"), let list = record.values[index].contacts {
      try record.setContacts(list, at: index)
    }
    record.setAddress()
    columns = record.columns.sharing(columns)
    record.columns = columns
    return record
  }
}

extension Record {
  /// Makes the address of its parts, if it is not there.
  fileprivate mutating func setAddress() {
    guard let parts = columns.firstIndex(of: CustomerField.addressParts.column) else { return }
    let address = CustomerFields.address(inParts: values[parts].plain)
    if let index = columns.firstIndex(of: CustomerField.address.column) {
      if values[index].plain.isEmpty { values[index] = .text(address) }
    } else if !address.isEmpty {
      columns.append(CustomerField.address.column)
      values.append(.text(address))
    }
  }

  /// Replaces the list by the fields, in which its values are; a list of other things stays.
  fileprivate mutating func setContacts(_ list: [JSONMembers], at index: Int) throws {
    var fields = CustomerFields()
    do {
      try fields.setContacts(list) { field in
        columns.firstIndex(of: field.column).map { values[$0].plain }
      }
    } catch {
      // Each sentence of a mistake ends with a period.
      throw ParseError(line: line, message: String(error.description.dropLast()))
    }
    columns[index] = CustomerField.otherContacts.column
    values[index] = .text(fields.otherContacts)
    for field in CustomerField.texts where field.contactKind != nil && fields[field] != .text("") {
      guard !columns.contains(field.column) else { continue }
      columns.append(field.column)
      values.append(.text(fields[field].text))
    }
  }
}

extension Record.Value {
  /// The lines of a field with any number of values that have exactly the texts of an array; nil for any other value.
  func lines(of field: CustomerField) -> String? {
    guard let parsed, case .array(let values) = parsed, let texts = values.texts else { return nil }
    return field.lines(texts.filter { !$0.isEmpty })
  }

  private var parsed: JSON? {
    if case .json(let text) = self, text.utf8.first == UInt8(ascii: "[") {
      try? JSON(reading: Array(text.utf8))
    } else {
      nil
    }
  }

  /// The objects of a list of contacts; nil if it is a list of other things.
  ///
  /// A kind that a list has not, such as `skype`, begins a line of its own.
  fileprivate var contacts: [JSONMembers]? {
    guard let parsed, case .array(let values) = parsed else { return nil }
    let contacts = values.compactMap { value -> JSONMembers? in
      guard let object = try? JSONMembers(value), let kind = try? object.text("kind"), object.has("value")
      else { return nil }
      guard !CustomerFields.contactKinds.contains(kind), let text = try? object.text("value") else {
        return object
      }
      let label = (try? object.text("label")) ?? ""
      let (meaning, name) = (ColumnMeaning(kind), label.isEmpty ? kind : "\(kind) \(label)")
      let line = "\(name): \(text)".split(whereSeparator: \.isNewline).joined(separator: " ")
      return try? JSONMembers(
        meaning?.kind.map { .contact($0.rawValue, label.isEmpty ? meaning?.label ?? "" : label, text) }
          ?? .contact("other", "", line))
    }
    return contacts.count == values.count ? contacts : nil
  }
}

extension [JSON] {
  /// The texts; nil if any of them is none.
  fileprivate var texts: [String]? {
    var texts: [String] = []
    for value in self {
      guard case .string(let text) = value else { return nil }
      texts.append(text)
    }
    return texts
  }
}
