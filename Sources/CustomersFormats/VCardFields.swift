/// The columns that have their own property in a vCard.
enum VCardFields {
  /// Their names, in the order in which they are read.
  static let columns = [
    "first_name", "last_name", "name", "additional_names", "name_prefix", "name_suffix", "company",
    "department", "email", "phone", "address", "note",
  ]
  /// The column of the favorite mark.
  static let favorite = "is_favorite"
  /// The property for the favorite mark.
  static let favoriteProperty = "X-CUSTOMERS-FAVORITE"
  /// The property that holds, as a JSON object, what no other property can hold exactly.
  static let extraProperty = "X-CUSTOMERS-EXTRA"

  /// The properties that fields are read from, with the fields that are written into them.
  static let properties = [
    "N": ["first_name", "last_name", "additional_names", "name_prefix", "name_suffix"],
    "ORG": ["company", "department"], "EMAIL": ["email"], "TEL": ["phone"], "ADR": ["address"],
    "NOTE": ["note"],
  ]

  /// The formatted name, which every vCard must have.
  static func formattedName(_ fields: [String: String]) -> String {
    let parts = ["name_prefix", "first_name", "additional_names", "last_name", "name_suffix"]
    let name = parts.compactMap { fields[$0] }.joined(separator: " ")
    return name.isEmpty ? ["company", "email", "phone"].compactMap { fields[$0] }.first ?? "" : name
  }

  /// The fields in a property; those without text are omitted.
  static func read(_ property: VCardProperty) -> [String: String] {
    let fields: [String: String]
    switch property.name {
    case "N":
      let parts = VCardText.components(property.value)
      let names = ["last_name", "first_name", "additional_names", "name_prefix"]
      let suffix = parts.dropFirst(4).filter { !$0.isEmpty }.joined(separator: ", ")
      fields = Dictionary(zip(names + ["name_suffix"], parts.prefix(4) + [suffix])) { first, _ in first }
    case "ORG":
      let parts = VCardText.components(property.value)
      let units = parts.dropFirst()
      let hasUnit = units.contains { !$0.isEmpty }
      fields = ["company": parts[0], "department": hasUnit ? units.joined(separator: ";") : ""]
    case "ADR": fields = ["address": address(VCardText.components(property.value))]
    case "TEL":
      let isLink = property.isURI && property.value.lowercased().hasPrefix("tel:")
      fields = ["phone": isLink ? String(property.value.dropFirst(4)) : property.text]
    default: fields = [properties[property.name]?.first ?? "": property.text]
    }
    return fields.filter { !$0.value.isEmpty }
  }

  /// The lines of an envelope; a street alone stays as it is.
  private static func address(_ components: [String]) -> String {
    var parts = components + Array(repeating: "", count: max(0, 7 - components.count))
    let (region, code) = (parts[4], parts[5])
    parts[3] =
      region.isEmpty
      ? [code, parts[3]].filter { !$0.isEmpty }.joined(separator: " ")
      : [parts[3], [region, code].filter { !$0.isEmpty }.joined(separator: " ")]
        .filter { !$0.isEmpty }.joined(separator: ", ")
    return ([parts[0], parts[1], parts[2], parts[3], parts[6]] + parts.dropFirst(7))
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
