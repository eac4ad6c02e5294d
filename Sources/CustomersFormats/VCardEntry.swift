/// The lines of a card for one value of a customer.
struct VCardEntry {
  private(set) var lines: [String]
  /// What the lines say; nil if they are no way to reach the customer.
  let contact: ContactLine?
  private let property: VCardProperty?
  /// Whether it is the main value of several.
  fileprivate let isPreferred: Bool

  /// The line of a property.
  init(_ property: VCardProperty) {
    (lines, contact, self.property, isPreferred) = ([property.line], nil, property, false)
  }

  /// The lines of a way to reach the customer; a label that is no type is in a second line.
  ///
  /// - Parameters:
  ///   - line: what it is.
  ///   - isPreferred: whether it is the main one of several.
  ///   - labels: how many labels have a line of their own.
  init(_ line: ContactLine, isPreferred: Bool, labels: inout Int) {
    let text = VCardText.escape(VCardText.carried(line.value))
    let value = line.kind == .address ? ";;\(text);;;;" : text
    let name = VCardContacts.name(line.kind)
    let preference = isPreferred ? ";PREF=1" : ""
    if let parameters = VCardContacts.parameters(line) {
      lines = [name + preference + parameters + ":" + value]
    } else {
      labels += 1
      let group = "customers\(labels)."
      let type = line.kind == .fax || line.kind == .pager ? ";TYPE=\(line.kind.rawValue)" : ""
      let label = (type.isEmpty ? "" : "\(line.kind.rawValue) ") + line.label
      lines = [
        group + name + preference + type + ":" + value,
        group + "X-ABLabel:" + VCardText.escape(VCardText.carried(label)),
      ]
    }
    (contact, property, self.isPreferred) = (line, nil, isPreferred)
  }
}

extension [VCardEntry] {
  /// Writes the lines of an imported card in place of those that say the same, with all their parameters.
  ///
  /// A line that says something else is out of date: the customer was edited.
  ///
  /// - Parameter card: the lines.
  /// - Returns: the lines that are about nothing else.
  mutating func merge(_ card: String) -> [String] {
    let properties = card.split(separator: "\n").compactMap { VCardProperty(String($0)) }
    let labels = VCardContacts.labels(properties)
    var rest: [VCardProperty] = []
    var used: Set<Int> = []
    var (current, outdated): (Set<String>, Set<String>) = ([], [])
    for property in properties {
      let contact = VCardContacts.line(property, labels: labels)
      let isField =
        contact != nil || VCardFields.properties[property.name] != nil || property.name == "CATEGORIES"
        || VCardFields.shown.contains(property.name)
      guard isField else {
        rest.append(property)
        continue
      }
      if let index = indices.first(where: { !used.contains($0) && self[$0].says(property, contact) }) {
        self[index].take(property)
        used.insert(index)
        current.insert(property.group)
      } else if contains(where: { $0.says(property, contact) }) {
        // The card says it twice.
        rest.append(property)
        current.insert(property.group)
      } else {
        outdated.insert(property.group)
      }
    }
    prefer()
    return rest.filter { $0.group.isEmpty || current.contains($0.group) || !outdated.contains($0.group) }
      .map(\.line)
  }

  /// Marks the main values of which an imported line would otherwise make another one the main one.
  private mutating func prefer() {
    for index in indices where self[index].isPreferred {
      let others = indices.filter { self[$0].contact?.kind == self[index].contact?.kind }
      let best = others.min { self[$0].preference < self[$1].preference }
      if best != index { self[index].prefer() }
    }
  }
}

extension VCardEntry {
  /// Whether a property of a card says the same.
  fileprivate func says(_ other: VCardProperty, _ contact: ContactLine?) -> Bool {
    if let own = self.contact {
      // The text of the field has no controls and no CR.
      return contact.map { $0.kind == own.kind && $0.label == own.label && $0.value == own.value } ?? false
    }
    guard let property, property.name == other.name else { return false }
    return VCardFields.properties[other.name] != nil
      ? VCardFields.read(other) == VCardFields.read(property) : other.value == property.value
  }

  fileprivate mutating func take(_ property: VCardProperty) { lines = [property.line] }

  fileprivate var preference: Int { VCardProperty(lines[0])?.preference ?? 101 }

  fileprivate mutating func prefer() {
    guard preference > 1, let colon = lines[0].firstIndex(of: ":") else { return }
    lines[0].insert(contentsOf: ";PREF=1", at: lines[0][..<colon].firstIndex(of: ";") ?? colon)
  }
}

extension VCardProperty {
  /// The line as vCard 4.0 has it: without types that have no name, and with a URI in place of base 64.
  var inVersion4: String {
    var parts = head.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    let name = parts.removeFirst()
    let isMarked = preference == 1 && !head.uppercased().contains("PREF=")
    let isOld = isBase64 || isMarked || parts.contains { !$0.contains("=") }
    guard isOld, !head.contains("\"") else { return line }
    var parameters: [String] = []
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      let (key, values) = pair.count == 2 ? (pair[0].uppercased(), pair[1]) : ("TYPE", part)
      switch key {
      case "ENCODING": break
      case "TYPE":
        let words = values.split(separator: ",").map { $0.lowercased() }
        for word in words where word != "pref" && word != "base64" && !(isBase64 && word.count > 2) {
          parameters.append("TYPE=\(word)")
        }
      default: parameters.append(part)
      }
    }
    if isMarked { parameters.append("PREF=1") }
    let value = isBase64 ? "data:\(mediaType);base64,\(value)" : value
    return ([name] + parameters).joined(separator: ";") + ":" + value
  }

  /// The media type of a value in base 64.
  private var mediaType: String {
    let type = types.first { !["base64", "pref", "home", "work"].contains($0) } ?? ""
    return switch (name, type) {
    case (_, let type) where type.contains("/"): type
    case ("PHOTO", ""), ("LOGO", ""): "image/jpeg"
    case ("PHOTO", let type), ("LOGO", let type): "image/\(type == "jpg" ? "jpeg" : type)"
    case ("SOUND", let type) where !type.isEmpty: "audio/\(type)"
    default: "application/octet-stream"
    }
  }
}
