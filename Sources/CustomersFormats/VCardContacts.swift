/// The ways to reach a customer in a vCard.
enum VCardContacts {
  /// The properties of the kinds.
  static let properties: [String: ContactLine.Kind] = ["EMAIL": .email, "TEL": .phone, "ADR": .address]

  /// The columns of the main values.
  static let columns = ["email", "phone", "address"]

  /// What a property says; nil if it is none of them.
  ///
  /// - Parameters:
  ///   - property: the property.
  ///   - labels: the labels of groups, as Apple writes them.
  /// - Returns: the line.
  static func line(_ property: VCardProperty, labels: [String: String]) -> ContactLine? {
    guard let kind = properties[property.name] else { return nil }
    let written =
      labels[property.group] ?? property.types.filter { !ignored.contains($0) }.joined(separator: " ")
    return ContactLine(kind, labeled: written, value(of: property))
  }

  /// The labels of groups, as in `item1.X-ABLabel`.
  static func labels(_ properties: [VCardProperty]) -> [String: String] {
    let named = properties.filter { $0.name == "X-ABLABEL" && !$0.group.isEmpty && !$0.isEmpty }
    return Dictionary(named.map { ($0.group, $0.text) }) { first, _ in first }
  }

  /// The address, number, or lines of an envelope.
  static func value(of property: VCardProperty) -> String {
    switch property.name {
    case "ADR": PostalAddress(VCardText.components(property.value)).text
    case "TEL" where property.isURI && property.value.lowercased().hasPrefix("tel:"):
      String(property.value.dropFirst(4))
    default: property.text
    }
  }

  /// Types that say nothing about what a value is for.
  private static let ignored: Set = [
    "internet", "x400", "voice", "msg", "pref", "dom", "intl", "postal", "parcel", "textphone", "text",
    "video",
    "x-internet",
  ]

  /// The parameters of a property with a label: `;TYPE=work`; nil if the label needs a group of its own.
  static func parameters(_ line: ContactLine) -> String? {
    let words = line.label.split(separator: " ").map(String.init)
    guard words.allSatisfy({ standard[$0] != nil }) else { return nil }
    var types = words.compactMap { standard[$0] }
    if line.kind == .fax || line.kind == .pager { types.append(line.kind.rawValue) }
    return types.isEmpty ? "" : ";TYPE=" + types.joined(separator: ",")
  }

  /// The types of labels.
  private static let standard = [
    "work": "work", "home": "home", "mobile": "cell", "other": "other", "main": "main",
  ]

  /// The name of the property of a kind.
  static func name(_ kind: ContactLine.Kind) -> String {
    switch kind {
    case .email: "EMAIL"
    case .phone, .fax, .pager: "TEL"
    case .address: "ADR"
    }
  }
}
