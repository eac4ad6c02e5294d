internal import CustomerStore
public import CustomerTable

/// The policy of a table on a terminal: the edits that it allows and its strings.
extension TableFace {
  /// The policy of a table in a terminal, which may be read-only: company, e-mail address, and note next to
  /// the name, and examples in the form of a new customer.
  public static func policy(isReadOnly: Bool = false) -> EditingPolicy {
    var policy = isReadOnly ? EditingPolicy.readOnly : EditingPolicy()
    policy.subtitle = { customer in
      let fields = customer.fields
      let company = fields.company == customer.name ? "" : fields.company
      return [company, fields.email, fields.note].filter { !$0.isEmpty }.joined(separator: " · ")
    }
    policy.emptyNoteHint = ""
    policy.form.placeholders = [
      .firstName: "Ann", .lastName: "Lee", .company: "Longbourn Books", .email: "ann@example.org",
      .phone: "+1-555-0100", .note: "enter notes",
    ]
    policy.form.check = { fields in
      let isBlank =
        fields.extra == "{}" && CustomerField.texts.allSatisfy { fields[$0].text.allSatisfy(\.isWhitespace) }
      return isBlank ? [.firstName: "fill in at least one field"] : [:]
    }
    return policy
  }
}

extension Customer {
  /// The customer in one line, for the clipboard.
  var copied: String {
    let name = fields.company == name ? "" : name
    let others = CustomerField.texts.filter { $0 != .firstName && $0 != .lastName }
    let texts = [name] + others.map { fields[$0].text }
    let lines = texts.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
    return lines.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
