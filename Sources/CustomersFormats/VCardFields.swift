/// The columns that have their own property in a vCard.
enum VCardFields {
  /// Their names, in the order in which they are read.
  static let columns = [
    "first_name", "last_name", "name", "additional_names", "name_prefix", "name_suffix", "company",
    "department", "email", "phone", "address", "note",
  ]
  /// The column of other ways to reach a customer and that of tags.
  static let otherContacts = "other_contacts"
  static let tags = "tags"
  /// The column with the lines of a card of which no other column holds everything.
  static let card = "vcard"
  /// The properties that are columns of the same name.
  static let shown = ["TITLE", "ROLE", "NICKNAME", "BDAY", "ANNIVERSARY", "URL", "NOTE", "ORG"]
  /// The column of the favorite mark.
  static let favorite = "is_favorite"
  /// The property for the favorite mark.
  static let favoriteProperty = "X-CUSTOMERS-FAVORITE"
  /// The property that holds, as a JSON object, what no other property can hold exactly.
  static let extraProperty = "X-CUSTOMERS-EXTRA"

  /// The properties that fields are read from, with the fields that are written into them.
  static let properties = [
    "N": ["first_name", "last_name", "additional_names", "name_prefix", "name_suffix"],
    "ORG": ["company", "department"], "NOTE": ["note"],
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
    default: fields = [properties[property.name]?.first ?? "": property.text]
    }
    return fields.filter { !$0.value.isEmpty }
  }

  /// The tags in a property, one per line of the column.
  static func tags(_ property: VCardProperty) -> [String] {
    VCardText.split(property.value, at: UInt8(ascii: ",")).filter { !$0.isEmpty }.map(ContactLine.escaped)
  }
}
