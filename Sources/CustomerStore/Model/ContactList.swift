package import CustomersText

/// All ways to reach a customer as one list in JSON: kind, label, and value of each.
///
/// The main one of its kind is the one that is in the field of the kind, if the fields are given; otherwise, the first
/// one. A line of other contacts that says anything else has the kind `other`.
extension CustomerFields {
  /// The list: the main ones without a label, then the others in the order of their lines.
  package var contactsJSON: JSON {
    var main: [ContactLine] = []
    for line in contacts where line.kind.field.map({ self[$0].text }) == line.value {
      if !main.contains(where: { $0.kind == line.kind }) { main.append(line) }
    }
    var list = main.filter(\.label.isEmpty)
    main.removeAll(where: \.label.isEmpty)
    var others: [JSON] = []
    for text in otherContacts.split(separator: "\n").map(String.init) {
      guard let line = ContactLine(text) else {
        others.append(.contact("other", "", text))
        continue
      }
      // A line that repeats a main value, as older versions wrote it, is its label.
      let isMain = { (main: ContactLine) in line.isLabel ? main.kind == line.kind : main == line }
      if let found = main.firstIndex(where: isMain) {
        others.append(main.remove(at: found).json)
      } else if !line.isLabel, !list.contains(line) {
        others.append(line.json)
      }
    }
    list += main
    return .array(list.map(\.json) + others)
  }

  /// Takes all ways to be reached from a list: those that were there go.
  ///
  /// - Parameters:
  ///   - contacts: the list.
  ///   - main: the main values that are known; nil for the first one of its kind.
  /// - Throws: `JSONMistake` for anything else than a list of kinds, labels, and values, and if a main value is not in it.
  package mutating func setContacts(
    _ contacts: [JSONMembers], main: (CustomerField) -> String? = { _ in nil }
  ) throws(JSONMistake) {
    var found: Set<ContactLine.Kind> = []
    var lines: [String] = []
    for contact in contacts {
      try contact.allow(["kind", "label", "value"])
      let (kind, value) = (try contact.text("kind"), try contact.text("value"))
      let label = try contact.given("label", contact.text) ?? ""
      guard !value.isEmpty else { throw contact.wrong("value", "a text that is not empty") }
      guard let known = ContactLine.Kind(rawValue: kind) else {
        guard kind == "other", label.isEmpty, !value.contains("\n") else {
          throw contact.wrong(
            "kind", "\(listed(CustomerFields.contactKinds)), which has no label and one line")
        }
        lines.append(value)
        continue
      }
      if let field = known.field, main(field) ?? value == value, found.insert(known).inserted {
        self[field] = .text(value)
        if !label.isEmpty { lines.append(ContactLine(known, label: label, "").text) }
      } else {
        lines.append(ContactLine(known, label: label, value).text)
      }
    }
    for kind in ContactLine.Kind.main where !found.contains(kind) {
      guard let field = kind.field else { continue }
      guard main(field) ?? "" == "" else {
        throw JSONMistake("\"\(field.column)\" is not in \"contacts\"; leave one of the two out.")
      }
      self[field] = .text("")
    }
    otherContacts = lines.joined(separator: "\n")
  }

  /// The kinds in the list.
  package static let contactKinds = ContactLine.Kind.allCases.map(\.rawValue) + ["other"]

  /// The list in the reference.
  package static let contactType = JSONObjectType(
    "contact",
    "A way to reach a customer. The main one of its kind is in the field beside the list, otherwise the first one.",
    [
      .always("kind", .text, "email, phone, fax, pager, address, or other for any other line"),
      .optional("label", .text, "what it is for, such as work; empty for none"),
      .always("value", .text, "the address or number"),
    ])
}

/// Fields with any number of values as lists in JSON.
extension CustomerField {
  /// The values that the lines of the field have.
  package func listJSON(_ text: String) -> JSON {
    let lines = text.split(separator: "\n").map(String.init)
    return .array(lines.map { .string(self == .tags ? ContactLine.unescaped($0) : $0) })
  }

  /// The lines of the field that have these values.
  package func lines(_ values: [String]) -> String {
    values.map { self == .tags ? ContactLine.escaped($0) : $0 }.joined(separator: "\n")
  }
}

extension ContactLine {
  fileprivate var json: JSON { .contact(kind.rawValue, label, value) }
}

extension JSON {
  /// A way to reach a customer.
  package static func contact(_ kind: String, _ label: String, _ value: String) -> JSON {
    .object([("kind", .string(kind)), ("label", .string(label)), ("value", .string(value))])
  }
}
