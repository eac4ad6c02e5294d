internal import CustomerStore
internal import CustomersSystem
package import CustomersText

extension FileFormat {
  /// The address books of Thunderbird and of directories (RFC 2849), which are only read.
  package static let ldif = FileFormat(
    name: "ldif", summary: "Address books of Thunderbird and of directories; only read.",
    fileExtensions: ["ldif", "ldi"],
    hasColumns: false, hasExactColumns: true,
    signature: Signature(kind: "LDIF") { FileContent.isLDIF($0) },
    makeReader: { LDIFReader($2, readChunk: $3) })
}

/// Reads customers from LDIF (RFC 2849), with the attributes of inetOrgPerson (RFC 2798) and of Thunderbird.
///
/// The columns are those of ``VCardReader``, and `address_parts`; any other attribute becomes a column of its name, and
/// what only the directory needs, such as `dn`, is left out. A photo is in the column `vcard`.
///
/// It needs memory for one entry; see ``customerByteLimit`` and ``customerColumnLimit``.
package struct LDIFReader: RecordReader {
  private var lines: VCardLines
  private var columns: [String] = []
  /// How many entries of groups were skipped.
  package private(set) var skippedGroups = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - budget: counts the steps.
  ///   - readChunk: returns the next bytes of the file, none at its end.
  package init(_ budget: ReadingBudget = ReadingBudget(), readChunk: @escaping () throws -> [UInt8]) {
    lines = VCardLines(ByteInput(readChunk: readChunk), budget)
  }

  /// The bytes of the last entry in UTF-8.
  package var lastBytes: [UInt8]? { lines.bytes }

  /// The customer of the next entry or nil after the last; an entry of a group is skipped.
  ///
  /// - Throws: `MalformedRow` for an entry that can't be read or what reading throws.
  package mutating func next() throws -> Record? {
    while let (attributes, line) = try nextEntry() {
      guard !attributes.contains(where: \.isOfGroup) else {
        skippedGroups += 1
        continue
      }
      let members = LDIFColumns(attributes).columns
      guard !members.isEmpty else { continue }
      return Record(members, line: line, sharing: &columns)
    }
    return nil
  }

  private mutating func nextEntry() throws -> (attributes: [LDIFAttribute], line: Int)? {
    lines.begin()
    do { return try entry() } catch let problem as ParseError {
      guard !lines.isEndless else { throw problem }
      try lines.skip(to: \.isEmpty)
      throw lines.malformed(problem)
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

/// Turns the attributes of one entry of LDIF into columns.
struct LDIFColumns {
  private(set) var columns: [(name: String, value: Record.Value)] = []

  init(_ attributes: [LDIFAttribute]) {
    var fields: [String: String] = [:]
    var others: [(name: String, value: Record.Value)] = []
    var names = UniqueNames()
    var contacts = Contacts()
    var addresses: [String: [AddressPart: [String]]] = [:]
    var tags: [String] = []
    var birthday: [String: String] = [:]
    for attribute in attributes where !attribute.value.isEmpty {
      let (name, value) = (attribute.name, attribute.value)
      if attribute.isBinary {
        if name == "jpegphoto" { fields[VCardFields.card] = "PHOTO;ENCODING=b;TYPE=JPEG:" + value }
      } else if let column = Self.fields[name], fields[column] == nil {
        fields[column] = value
      } else if let contact = Self.contacts[name] {
        // The lines of a postal address are separated by dollar signs (RFC 4517, section 3.3.28).
        let text =
          contact.kind == .address
          ? value.replacing("$", with: "\n") : ContactLine.cleaned(contact.kind, value)
        contacts.add(ContactLine(contact.kind, label: contact.label, text))
      } else if let (label, part) = Self.part(name) {
        addresses[label, default: [:]][part, default: []].append(value)
      } else if name == "category" || name == "categories" {
        tags.append(ContactLine.escaped(value))
      } else if BirthdayColumns.ofThunderbird.contains(name) {
        birthday[name] = birthday[name] ?? value
      } else if !Self.directory.contains(name) {
        let known = Self.known[name].flatMap { names.candidate($0.title).number == 1 ? $0.title : nil }
        others.append((names.take(known ?? attribute.written), .text(value)))
      }
    }
    if let columns = BirthdayColumns(
      BirthdayColumns.ofThunderbird, BirthdayColumns.ofThunderbird, besides: [])
    {
      let text = columns.text(BirthdayColumns.ofThunderbird.map { birthday[$0] ?? "" })
      if !text.isEmpty { others.append((names.take(KnownColumn.birthday.title), .text(text))) }
    }
    var inParts: [PostalAddress] = []
    for label in ["work", "home"] {
      guard let parts = addresses[label] else { continue }
      var address = PostalAddress()
      for (part, lines) in parts { address[part] = lines.joined(separator: "\n") }
      contacts.add(ContactLine(.address, label: label, address.text))
      inParts.append(address)
    }
    let formattedName = VCardFields.formattedName(fields)
    others.removeAll { $0.name.lowercased() == "displayname" && $0.value == .text(formattedName) }
    Self.takeRestOfName(&fields)
    if fields["first_name"] != nil || fields["last_name"] != nil { fields["name"] = nil }
    if let name = fields["name"], name == fields["company"] { fields["name"] = nil }
    for (column, kind) in [("email", ContactLine.Kind.email), ("phone", .phone), ("address", .address)] {
      fields[column] = contacts.main(kind)
    }
    fields[VCardFields.otherContacts] = contacts.others.map(\.text).joined(separator: "\n")
    fields[VCardFields.tags] = tags.joined(separator: "\n")
    let order = VCardFields.columns + [VCardFields.otherContacts, VCardFields.tags]
    columns = order.compactMap { name in
      fields[name].flatMap { $0.isEmpty ? nil : (name, .text($0)) }
    }
    var reached = CustomerFields()
    reached.address = fields["address"] ?? ""
    reached.otherContacts = fields[VCardFields.otherContacts] ?? ""
    reached.keepParts(of: inParts)
    if !reached.addressParts.isEmpty {
      columns.append((CustomerField.addressParts.column, .json(reached.addressParts)))
    }
    columns += others
    if let photo = fields[VCardFields.card] { columns.append((VCardFields.card, .text(photo))) }
  }

  /// Takes the first name from the whole one if only the last name has an attribute of its own, and the other way around.
  private static func takeRestOfName(_ fields: inout [String: String]) {
    guard let name = fields["name"], (fields["first_name"] == nil) != (fields["last_name"] == nil) else {
      return
    }
    if let last = fields["last_name"] {
      if name.hasSuffix(" \(last)") {
        fields["first_name"] = String(name.dropLast(last.count + 1).trimmingBlanks)
      } else if name.hasPrefix("\(last), ") {
        fields["first_name"] = String(name.dropFirst(last.count + 2).trimmingBlanks)
      }
    } else if let first = fields["first_name"], name.hasPrefix("\(first) ") {
      fields["last_name"] = String(name.dropFirst(first.count + 1).trimmingBlanks)
    }
  }

  /// The attributes that are fields; the first value counts.
  private static let fields = [
    "cn": "name", "displayname": "name", "givenname": "first_name", "gn": "first_name", "sn": "last_name",
    "surname": "last_name", "o": "company", "company": "company", "ou": "department",
    "department": "department", "departmentnumber": "department", "description": "note", "notes": "note",
  ]

  private static let contacts: [String: ContactLine] = [
    "mail": ContactLine(.email, ""), "rfc822mailbox": ContactLine(.email, ""),
    "mozillasecondemail": ContactLine(.email, ""), "xmozillasecondemail": ContactLine(.email, ""),
    "telephonenumber": ContactLine(.phone, label: "work", ""),
    "homephone": ContactLine(.phone, label: "home", ""),
    "mobile": ContactLine(.phone, label: "mobile", ""), "cellphone": ContactLine(.phone, label: "mobile", ""),
    "facsimiletelephonenumber": ContactLine(.fax, ""), "fax": ContactLine(.fax, ""),
    "pager": ContactLine(.pager, ""), "pagerphone": ContactLine(.pager, ""),
    "postaladdress": ContactLine(.address, label: "work", ""),
    "homepostaladdress": ContactLine(.address, label: "home", ""),
  ]

  /// The attributes that are columns which every list may have.
  private static let known: [String: KnownColumn] = [
    "title": .jobTitle, "nickname": .nickname, "mozillanickname": .nickname, "xmozillanickname": .nickname,
    "mozillaworkurl": .website, "workurl": .website, "mozillahomeurl": .website, "homeurl": .website,
    "labeleduri": .website,
  ]

  /// The part of the address at work or at home that an attribute is.
  private static func part(_ name: String) -> (label: String, part: AddressPart)? {
    let isHome = name.hasPrefix("mozillahome")
    let start = isHome ? "mozillahome" : name.hasPrefix("mozillawork") ? "mozillawork" : ""
    return parts[String(name.dropFirst(start.count))].map { (isHome ? "home" : "work", $0) }
  }

  private static let parts: [String: AddressPart] = [
    "street": .street, "streetaddress": .street, "street2": .street, "l": .city, "locality": .city,
    "localityname": .city, "st": .region, "state": .region, "postalcode": .postalCode, "zip": .postalCode,
    "c": .country, "co": .country, "countryname": .country, "postofficebox": .poBox,
  ]

  /// What says nothing about the customer.
  private static let directory: Set = [
    "dn", "objectclass", "changetype", "modifytimestamp", "createtimestamp", "entryuuid", "entrycsn",
    "creatorsname", "modifiersname", "structuralobjectclass", "version", "userpassword",
  ]
}
