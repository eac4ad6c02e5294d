internal import CustomerStore
internal import CustomerTable
internal import CustomersSystem
internal import CustomersText

/// A customer and the form for one.
extension ListAPI {
  /// `GET /api/customer`: the customer with its fields, and the form that shows them.
  func customer(_ query: Query) async throws -> APIAnswer {
    try query.allow("id")
    let id = try query.needed("id", query.customer("id"))
    return try await list.read { [policy] list in
      let customer: Customer
      do { customer = try list.customer(id) } catch ListError.noSuchCustomer {
        throw APIRefusal(404, "gone", "There is no customer @\(id.rawValue).")
      }
      let row = try list.outline().position(of: customer.place)
      return APIAnswer(
        200,
        .object([
          ("version", .version(try list.version())),
          (
            "customer",
            .object([
              ("id", .id(id)), ("row", .int(row)), ("section", .id(customer.place.section)),
              ("place", .place(customer.place)), ("canEdit", .bool(policy.canEdit(customer))),
              ("canMove", .bool(policy.canMove(customer))),
              ("photo", .bool(customer.fields.photo != nil)),
            ])
          ),
          ("fields", customer.fields.json), ("form", policy.form(of: customer).json),
        ]))
    }
  }

  /// `GET /api/form`: the form for a new customer.
  func emptyForm(_ query: Query) throws -> APIAnswer {
    try query.allow()
    return APIAnswer(
      200, .object([("fields", CustomerFields().json), ("form", policy.form(of: nil).json)]))
  }
}

extension CustomerFields {
  /// All fields, by their names in requests; a mark is true or false.
  var json: JSON {
    let fields = CustomerField.standard + extraColumns.shown.map { CustomerField.extra($0.name) }
    return .object(fields.map { ($0.nameInRequests, json(of: $0)) })
  }

  func json(of field: CustomerField) -> JSON {
    if case .flag(let isSet) = self[field] { .bool(isSet) } else { .string(self[field].text) }
  }
}

/// The form as the page gets it: the same sections, labels, and placeholders as in the table.
extension FormState.Options {
  var json: JSON {
    let sections = sections.filter { !$0.fields.isEmpty }.map { section in
      JSON.object([
        ("caption", .string(section.caption)), ("fields", .array(section.fields.map(json))),
      ])
    }
    return .object([("title", .shown(title)), ("sections", .array(sections))])
  }

  private func json(_ field: CustomerField) -> JSON {
    .object([
      ("name", .string(field.nameInRequests)), ("label", .string(label(of: field))),
      ("placeholder", .string(placeholders[field] ?? "")), ("kind", .string(field.input)),
      ("autocomplete", .string(field.autocomplete)),
    ])
  }
}

extension CustomerField {
  /// The control that a browser shows.
  fileprivate var input: String {
    switch (self, kind) {
    case (.email, _): "email"
    case (.phone, _): "phone"
    case (.otherContacts, _): "contacts"
    case (.tags, _): "tags"
    case (_, .flag): "mark"
    case (_, .multilineText), (_, .lines): "lines"
    case (_, .text): "text"
    }
  }

  /// The word by which a browser knows what to fill in.
  fileprivate var autocomplete: String {
    switch self {
    case .firstName: "given-name"
    case .lastName: "family-name"
    case .company: "organization"
    case .email: "email"
    case .phone: "tel"
    case .address: "street-address"
    case .note, .otherContacts, .tags, .isFavorite, .next, .extra: "off"
    }
  }
}

extension ListAPI {
  /// `GET /api/photo`: the photo of a customer's card.
  func photo(_ query: Query) async throws -> APIAnswer {
    try query.allow("id")
    let id = try query.needed("id", query.customer("id"))
    return try await list.read { list in
      guard let photo = try list.customers([id])[id]?.fields.photo else {
        throw APIRefusal(404, "gone", "There is no photo of customer @\(id.rawValue).")
      }
      return APIAnswer(status: 200, type: photo.type, body: photo.bytes)
    }
  }
}

extension CustomerFields {
  /// The maximum number of bytes of a card whose photo is shown.
  private static let largestCard = 2 << 20

  /// The first photo of the card, if a browser shows its kind; what the card says of the kind is not believed.
  var photo: (type: APIAnswer.MediaType, bytes: [UInt8])? {
    guard case .text(let card)? = extraColumns[ExtraColumns.card], card.utf8.count <= Self.largestCard else {
      return nil
    }
    for line in card.split(separator: "\n") {
      let name = line.prefix { $0 != ":" && $0 != ";" }
      guard name.split(separator: ".").last?.uppercased() == "PHOTO" else { continue }
      // `PHOTO;ENCODING=b;TYPE=JPEG:…` in version 3, `PHOTO:data:image/jpeg;base64,…` in version 4.
      let value =
        line.contains(";base64,") ? line.split(separator: ",").last : line.split(separator: ":").last
      guard let value, let bytes = Base64.decodeLoosely(String(value)),
        let type = APIAnswer.MediaType(ofImage: bytes)
      else { continue }
      return (type, bytes)
    }
    return nil
  }
}

extension APIAnswer.MediaType {
  /// The kind of an image, by its first bytes; nil for any that is not a picture of points.
  init?(ofImage bytes: [UInt8]) {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if bytes.starts(with: Array("GIF8".utf8)) {
      self = .gif
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }
}
