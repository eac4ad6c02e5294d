internal import CustomerStore
internal import CustomerTable
internal import CustomersSystem
internal import CustomersText

/// The form of a customer.
extension ListAPI {
  /// `GET /v1/form`: the form of a customer or of a new one, with what is in its fields.
  func form(_ call: Route.Call) async throws -> APIAnswer {
    let id = try call.query.customer("id")
    return try await list.read { [policy] list in
      let customer = try id.map { try list.customer($0) }
      let form = policy.form(of: customer, try list.declaredExtraColumns())
      let fields = customer?.fields ?? CustomerFields()
      let sections = form.sections.filter { !$0.fields.isEmpty }.map { section in
        JSON.object([
          ("caption", .string(section.caption)),
          ("fields", .array(section.fields.map { form.json($0, fields) })),
        ])
      }
      let members: [(String, JSON)] = [
        ("version", .version(try list.version())), ("title", .shown(form.title)),
        ("sections", .array(sections)),
        ("can_edit", .bool(customer.map(policy.canEdit) ?? policy.allowsAdding)),
        ("has_photo", .bool(fields.photo != nil)),
      ]
      let log = try customer.map { try list.log(of: $0.id, limit: 100) } ?? []
      let lines = log.isEmpty ? [] : [("log", JSON.array(log.map(JSONShapes.line.json)))]
      return APIAnswer(
        200,
        .object(members + (customer.map { [("section", .id($0.place.section))] } ?? []) + lines))
    }
  }
}

extension FormState.Options {
  fileprivate func json(_ field: CustomerField, _ fields: CustomerFields) -> JSON {
    let kind = kinds[field]
    return .object(
      [
        ("name", .string(field.nameInRequests)), ("label", .string(label(of: field))),
        ("placeholder", .string(placeholders[field] ?? "")), ("kind", .string(field.input(kind.kind))),
        ("autocomplete", .string(field.autocomplete)), ("value", fields.json(of: field)),
      ]
        + (field.kind == .flag || kind.pickable.isEmpty
          ? [] : [("choices", .array(kind.pickable.map(JSON.string)))]))
  }

  /// The form in the reference: the same sections, labels, and placeholders as in the table.
  static let type = JSONObjectType(
    name: "form", meaning: "A form, with what is in its fields.",
    members: [
      .always("version", .text, "the version of the list"), .always("title", .text, "its title"),
      .always(
        "sections",
        .list(
          .object(
            JSONObjectType(
              name: "form_section", meaning: "Fields below one another.",
              members: [
                .always("caption", .text, "the line above them; empty if there is none"),
                .always("fields", .list(.object(field)), "the fields"),
              ]))), "the sections"),
      .always("can_edit", .flag, "whether the caller may save it"),
      .always("has_photo", .flag, "whether there is a photo"),
      .optional("section", .number, "the id of the section of the customer"),
      .optional(
        "log", .list(.object(JSONShapes.line.type)),
        "up to 100 lines of the log, if any, the latest one first"),
    ])

  private static let field = JSONObjectType(
    name: "form_field", meaning: "A field.",
    members: [
      .always("name", .text, "the field; extra.NAME for an extra column"),
      .always("label", .text, "its name for people"),
      .always("placeholder", .text, "what is shown while it is empty"),
      .always(
        "kind", .text,
        "email, phone, contacts, tags, mark, lines, or text; of an extra column, the kind of its values"),
      .always("autocomplete", .text, "the word of HTML for what it is"),
      .always("value", .any, "the text as people type it; true or false for a mark"),
      .optional("choices", .list(.text), "the values that it may have, if they are few"),
    ])
}

extension CustomerFields {
  func json(of field: CustomerField) -> JSON {
    if case .flag(let isSet) = self[field] { .bool(isSet) } else { .string(self[field].text) }
  }
}

extension CustomerField {
  /// The control that a browser shows.
  fileprivate func input(_ values: ColumnKind) -> String {
    switch (self, kind) {
    case (.extra, _): values.rawValue
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
    case .part(.street): "street-address"
    case .part(.city): "address-level2"
    case .part(.region): "address-level1"
    case .part(.postalCode): "postal-code"
    case .part(.country): "country-name"
    case .part(.poBox), .part(.extended), .note, .otherContacts, .tags, .isFavorite, .next, .addressParts,
      .extra:
      "off"
    }
  }
}

extension ListAPI {
  /// `GET /v1/rows/{id}/photo`: the photo of a customer's card.
  func photo(_ call: Route.Call) async throws -> APIAnswer {
    try await list.read { list in
      guard let photo = try list.customer(CustomerID(rawValue: call.id)).fields.photo else {
        throw APIError(.notFound, "There is no photo of customer @\(call.id).")
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
