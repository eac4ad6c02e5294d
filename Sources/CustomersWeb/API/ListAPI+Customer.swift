internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// The form of a customer.
extension ListAPI {
  /// `GET /v1/form`: the form of a customer or of a new one, with what is in its fields.
  func form(_ call: Route.Call) async throws -> APIAnswer {
    let id = try call.query.customer("id")
    return try await list.read { [policy] list in
      let customer = try id.map { try list.customer($0) }
      let outline = try list.outline()
      let row = customer.map { outline.position(of: $0.place) } ?? outline.count
      let form = policy.form(
        of: customer, try list.declaredExtraColumns(),
        beside: try list.window(around: row, of: outline, size: 100).customers)
      let fields = customer?.fields ?? CustomerFields()
      let photo = CardPhoto(of: fields)
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
        ("has_photo", .bool(photo != nil)),
      ]
      let log = try customer.map { try list.log(of: $0.id, limit: 100) } ?? []
      let lines =
        (log.isEmpty ? [] : [("log", JSON.array(log.map(JSONShapes.line.json)))])
        + (photo.map { [("photo", .string($0.tag))] } ?? [])
      return APIAnswer(members + (customer.map { [("section", .id($0.place.section))] } ?? []) + lines)
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
    "form", "A form, with what is in its fields.",
    [
      .always("version", .text, "the version of the list"), .always("title", .text, "its title"),
      .always(
        "sections",
        .list(
          .object(
            "form_section", "Fields below one another.",
            [
              .always("caption", .text, "the line above them; empty if there is none"),
              .always("fields", .list(.object(field)), "the fields"),
            ])), "the sections"),
      .always("can_edit", .flag, "whether the caller may save it"),
      .always("has_photo", .flag, "whether there is a photo"),
      .optional("photo", .text, CardPhoto.tagMeaning),
      .optional("section", .number, "the id of the section of the customer"),
      .optional(
        "log", .list(.object(JSONShapes.line.type)),
        "up to 100 lines of the log, if any, the latest one first"),
    ])

  private static let field = JSONObjectType(
    "form_field", "A field.",
    [
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
