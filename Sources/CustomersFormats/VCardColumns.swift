/// Turns the properties of one vCard into columns; no text is lost.
struct VCardColumns {
  /// First the fields, then everything else in the order of the card.
  private(set) var columns: [(name: String, value: Record.Value)] = []
  private var fields: [String: String] = [:]
  private var others: [(name: String, value: Record.Value)] = []
  private var isFavorite = false
  private var names = UniqueNames()

  init(_ properties: [VCardProperty]) {
    let properties = properties.filter { !$0.isEmpty }
    let chosen = VCardColumns.choose(properties)
    for (name, index) in chosen where name != "FN" {
      fields.merge(VCardFields.read(properties[index])) { first, _ in first }
    }
    let formattedName = chosen["FN"].flatMap { readFormattedName(properties[$0]) }
    for name in fields.keys { names.take(name) }
    let favorite = properties.firstIndex { $0.name == VCardFields.favoriteProperty && $0.value == "1" }
    if favorite != nil { _ = takeMark(.json("true")) }
    if let formattedName { add(formattedName.name, .text(formattedName.value)) }
    let done = Set(chosen.values).union(favorite.map { [$0] } ?? [])
    for (index, property) in properties.enumerated() where !done.contains(index) { add(property) }
    columns = VCardFields.columns.compactMap { name in fields[name].map { (name, .text($0)) } }
    if isFavorite { columns.append((VCardFields.favorite, .json("true"))) }
    columns += others
  }

  /// The properties that become fields: of each kind the preferred one, otherwise the first.
  private static func choose(_ properties: [VCardProperty]) -> [String: Int] {
    var chosen: [String: Int] = [:]
    for (index, property) in properties.enumerated() {
      let name = property.name
      guard name == "FN" || VCardFields.properties[name] != nil else { continue }
      guard let other = chosen[name] else {
        chosen[name] = index
        continue
      }
      // A card has one N; several FN are translations of it.
      if name != "FN", name != "N", property.preference < properties[other].preference {
        chosen[name] = index
      }
    }
    return chosen
  }

  /// The formatted name is the name if there is no other, and is kept if it differs.
  private mutating func readFormattedName(_ property: VCardProperty) -> VCardProperty? {
    let text = property.text
    let expected = VCardFields.formattedName(fields.mapValues(VCardText.carried))
    guard VCardText.carried(text) != expected else { return nil }
    guard fields["first_name"] == nil, fields["last_name"] == nil else { return property }
    fields["name"] = text
    return nil
  }

  private mutating func add(_ property: VCardProperty) {
    guard property.name == VCardFields.extraProperty,
      let extra = try? JSON.columns(ofObject: property.text), !extra.isEmpty
    else { return add(property.head, .text(property.value)) }
    for (name, value) in extra {
      switch value {
      case .text(let text) where VCardFields.columns.contains(name) && takeField(name, text): break
      case .json where name == VCardFields.favorite && takeMark(value): break
      default: add(name, value)
      }
    }
  }

  /// Takes the exact text of a field if its property is empty, or has the same text as far as possible.
  private mutating func takeField(_ name: String, _ text: String) -> Bool {
    if text.isEmpty { return true }
    if let field = fields[name] {
      guard VCardText.carried(text) == field else { return false }
    } else {
      guard names.candidate(name).name == name else { return false }
      names.take(name)
    }
    fields[name] = text
    return true
  }

  private mutating func takeMark(_ value: Record.Value) -> Bool {
    if value == .json("false") || isFavorite && value == .json("true") { return true }
    guard value == .json("true"), names.candidate(VCardFields.favorite).name == VCardFields.favorite else {
      return false
    }
    names.take(VCardFields.favorite)
    isFavorite = true
    return true
  }

  private mutating func add(_ name: String, _ value: Record.Value) {
    others.append((names.take(name), value))
  }
}
