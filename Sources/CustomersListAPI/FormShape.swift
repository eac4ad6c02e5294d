internal import CustomerStore
internal import CustomerTable
internal import CustomersFormats

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

extension ListAPI {
  /// `GET /api/columns`: the fields that a page can show as columns.
  func columns(_ query: Query) async throws -> APIAnswer {
    try query.allow()
    let extra = try await list.readAtLength { list in try list.extraColumns() }
    let names: Set<CustomerField> = [.firstName, .lastName, .isFavorite]
    let fields =
      CustomerField.standard.filter { !names.contains($0) }
      + extra.map { CustomerField.extra($0.name) }.filter { !$0.column.contains("\n") }
    return APIAnswer(
      200,
      .object([
        (
          "columns",
          .array(
            fields.prefix(500).map {
              .object([("name", .string($0.nameInRequests)), ("title", .shown($0.title))])
            })
        )
      ]))
  }
}

extension CustomerField {
  private static let extraPrefix = "extra."

  /// The name in requests: the column, and for an extra column `extra.` and its name.
  var nameInRequests: String { if case .extra(let name) = self { Self.extraPrefix + name } else { column } }

  /// The field with a name in requests; nil for any other name.
  init?(nameInRequests name: String) {
    if name.hasPrefix(Self.extraPrefix), name.utf8.count > Self.extraPrefix.utf8.count {
      self = .extra(String(name.dropFirst(Self.extraPrefix.count)))
    } else {
      self.init(column: name)
    }
  }

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
    case .note, .otherContacts, .tags, .isFavorite, .extra: "off"
    }
  }
}
