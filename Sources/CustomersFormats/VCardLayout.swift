/// Finds, for each column of a customer, the line of a vCard that restores it.
struct VCardLayout {
  /// The lines of the card, not folded.
  private(set) var lines: [String] = []
  /// The values of the field properties.
  private var fields: [String: String] = [:]
  private var names = UniqueNames()

  init(_ columns: [(name: String, value: Record.Value)]) {
    for case (let name, .text(let text)) in columns where VCardFields.columns.contains(name) {
      let carried = VCardText.carried(text)
      if !carried.isEmpty { fields[name] = carried }
    }
    // A department of only separators would be empty.
    if fields["department"]?.utf8.allSatisfy({ $0 == UInt8(ascii: ";") }) == true {
      fields["department"] = nil
    }
    let formattedName = VCardFields.formattedName(fields)
    if hasName || fields["name"] == formattedName { fields["name"] = nil }
    for name in fields.keys { names.take(name) }

    var others = columns.filter { !isCarried($0) }
    var shownName = VCardText.escape(fields["name"] ?? formattedName)
    if hasName, let first = others.first, first.name == "FN", let property = VCardLayout.property(first),
      property.text != formattedName
    {
      shownName = property.value
      names.take("FN")
      others.removeFirst()
    }
    let isFavorite = columns.contains { $0.name == VCardFields.favorite && $0.value == .json("true") }
    if isFavorite { names.take(VCardFields.favorite) }

    var written: Set<String> = []
    let otherLines = others.map { line($0, canFollowName: !shownName.isEmpty, &written) }
    lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:" + shownName]
    for (name, value) in fieldValues {
      lines.append(name + (name != "N" && written.contains(name) ? ";PREF=1:" : ":") + value)
    }
    if isFavorite { lines.append(VCardFields.favoriteProperty + ":1") }
    lines += otherLines + ["END:VCARD"]
  }

  private var hasName: Bool { fields["first_name"] != nil || fields["last_name"] != nil }

  /// The values of the properties that have a field, escaped.
  private var fieldValues: [(name: String, value: String)] {
    func text(_ column: String) -> String { VCardText.escape(fields[column] ?? "") }
    let name = ["last_name", "first_name", "additional_names", "name_prefix", "name_suffix"].map(text)
    let units = fields["department"]?.split(separator: ";", omittingEmptySubsequences: false) ?? []
    let organization = [text("company")] + units.map { VCardText.escape(String($0)) }
    let values = [
      ("N", name.joined(separator: ";")), ("ORG", organization.joined(separator: ";")),
      ("EMAIL", text("email")), ("TEL", text("phone")), ("ADR", ";;" + text("address") + ";;;;"),
      ("NOTE", text("note")),
    ]
    return values.filter { hasField($0.0) }
  }

  private func hasField(_ property: String) -> Bool {
    VCardFields.properties[property]?.contains { fields[$0] != nil } ?? false
  }

  /// Whether a field or a mark restores the column by itself.
  private func isCarried(_ column: (name: String, value: Record.Value)) -> Bool {
    switch column.value {
    case .text(let text) where VCardFields.columns.contains(column.name):
      text.isEmpty || fields[column.name]?.utf8.elementsEqual(text.utf8) == true
    case .json("true"), .json("false"): column.name == VCardFields.favorite
    default: false
    }
  }

  /// The line of a column that no field restores.
  private mutating func line(
    _ column: (name: String, value: Record.Value), canFollowName: Bool, _ written: inout Set<String>
  ) -> String {
    if let property = VCardLayout.property(column), names.candidate(property.head).name == column.name,
      property.name == "FN"
        ? canFollowName : VCardFields.properties[property.name] == nil || hasField(property.name)
    {
      names.take(property.head)
      written.insert(property.name)
      return property.head + ":" + property.value
    }
    if fields[column.name] == nil { names.take(column.name) }
    let object = JSON.object([(column.name, column.value.json)])
    return VCardFields.extraProperty + ":" + VCardText.escape(object.text)
  }

  /// The property that a column is named after, if it can hold the value unchanged.
  private static func property(_ column: (name: String, value: Record.Value)) -> VCardProperty? {
    let head = UniqueNames.withoutNumber(column.name)
    guard case .text(let text) = column.value, VCardText.isLine(head), VCardText.isLine(text),
      let property = VCardProperty(head + ":" + text), property.head.utf8.elementsEqual(head.utf8),
      !property.isEmpty, !property.isQuotedPrintable
    else { return nil }
    let isOurs = property.name.hasPrefix("X-CUSTOMERS-")
    return VCardProperty.registered.contains(property.name) || property.name.hasPrefix("X-") && !isOurs
      ? property : nil
  }
}
