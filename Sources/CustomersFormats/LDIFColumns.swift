/// Turns the attributes of one entry of LDIF into columns.
struct LDIFColumns {
  private(set) var columns: [(name: String, value: Record.Value)] = []

  init(_ attributes: [LDIFAttribute]) {
    var fields: [String: String] = [:]
    var others: [(name: String, value: Record.Value)] = []
    var names = UniqueNames()
    var contacts = Contacts()
    var addresses: [String: [PostalAddress.Part: [String]]] = [:]
    var tags: [String] = []
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
      } else if !Self.directory.contains(name) {
        others.append((names.take(name == "title" ? "TITLE" : attribute.written), .text(value)))
      }
    }
    for label in ["work", "home"] {
      guard let parts = addresses[label] else { continue }
      var address = PostalAddress()
      for (part, lines) in parts { address[part] = lines.joined(separator: "\n") }
      contacts.add(ContactLine(.address, label: label, address.text))
    }
    let formattedName = VCardFields.formattedName(fields)
    others.removeAll { $0.name.lowercased() == "displayname" && $0.value == .text(formattedName) }
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
    columns += others
    if let photo = fields[VCardFields.card] { columns.append((VCardFields.card, .text(photo))) }
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

  /// The part of the address at work or at home that an attribute is.
  private static func part(_ name: String) -> (label: String, part: PostalAddress.Part)? {
    let isHome = name.hasPrefix("mozillahome")
    let start = isHome ? "mozillahome" : name.hasPrefix("mozillawork") ? "mozillawork" : ""
    return parts[String(name.dropFirst(start.count))].map { (isHome ? "home" : "work", $0) }
  }

  private static let parts: [String: PostalAddress.Part] = [
    "street": .street, "streetaddress": .street, "street2": .street, "l": .city, "locality": .city,
    "localityname": .city, "st": .region, "state": .region, "postalcode": .code, "zip": .code,
    "c": .country, "co": .country, "countryname": .country, "postofficebox": .poBox,
  ]

  /// Whether an attribute, in lowercase, is more than an extra column.
  static func isKnown(_ name: String) -> Bool {
    fields[name] != nil || contacts[name] != nil || part(name) != nil || directory.contains(name)
      || ["category", "categories", "jpegphoto", "title"].contains(name)
  }

  /// What says nothing about the customer.
  private static let directory: Set = [
    "dn", "objectclass", "changetype", "modifytimestamp", "createtimestamp", "entryuuid", "entrycsn",
    "creatorsname", "modifiersname", "structuralobjectclass", "version", "userpassword",
  ]
}
