package import CustomerStore
package import CustomersText

/// Writes a customer as an address card.
///
/// A card of version 3.0 has the lines of one of 4.0 in the form of that version. ``VCardReader`` restores every string: what has no property of its own, or does not fit one exactly, is
/// written as JSON to `X-CUSTOMERS-EXTRA`. Columns of fields without text, and `is_favorite` if false, are
/// omitted.
///
/// - Parameters:
///   - columns: unique names and values; see ``VCardReader`` for the names.
///   - version: the version of the card.
///   - addresses: the parts of postal addresses, as far as known; those that fit none are ignored.
///   - log: lines at the end, which are no columns.
/// - Returns: the card with its last line end.
package func vCard(
  _ columns: [(name: String, value: Record.Value)], version: VCardVersion = .version4,
  addresses: [PostalAddress] = [], log: [String] = []
) -> String {
  var lines = VCardLayout(columns, addresses: addresses).lines
  if version == .version3 { lines = inVersion3(lines) }
  return folded(lines.dropLast() + log + lines.suffix(1))
}

/// The lines of a card or a calendar in pieces of at most 75 bytes, split between characters, with line ends.
func folded(_ lines: [String]) -> String {
  var folded: [UInt8] = []
  for line in lines {
    var rest = Array(line.utf8)[...]
    var room = 75
    while rest.count > room {
      var end = rest.startIndex + room
      // Inside of a character.
      while rest[end] & 0xc0 == 0x80 { end -= 1 }
      folded += rest[..<end]
      folded += [0x0d, 0x0a, 0x20]
      rest = rest[end...]
      room = 74
    }
    folded += rest
    folded += [0x0d, 0x0a]
  }
  return String(decoding: folded, as: UTF8.self)
}

/// The text in a column; empty without one.
private func text(of name: String, in columns: [(name: String, value: Record.Value)]) -> String {
  guard case .text(let text)? = columns.first(where: { $0.name == name })?.value else { return "" }
  return text
}

/// The lines of a card as version 3.0 has them.
private func inVersion3(_ lines: [String]) -> [String] {
  var lines = lines.map(inVersion3)
  // In 3.0, every card has a name in parts.
  if !lines.contains(where: { VCardProperty($0)?.name == "N" }),
    let index = lines.firstIndex(where: { $0.hasPrefix("FN:") })
  {
    lines.insert("N:;;;;", at: index + 1)
  }
  return lines
}

/// A line as version 3.0 has it: the main value has a type instead of a number, and a photo is base 64, not a URI.
private func inVersion3(_ line: String) -> String {
  if line == "VERSION:4.0" { return "VERSION:3.0" }
  guard let property = VCardProperty(line), property.name != "X-CUSTOMERS-EXTRA" else { return line }
  if let known = VCardFields.known(property), CalendarDay(known.text) != nil, property.value.count == 8 {
    return "\(property.name):\(known.text)"
  }
  var parts = property.head.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
  parts.removeAll { $0.uppercased().hasPrefix("PREF=") }
  if parts.count < property.head.split(separator: ";", omittingEmptySubsequences: false).count {
    parts.append("TYPE=pref")
  }
  var value = property.value
  if value.hasPrefix("data:"), let comma = value.firstIndex(of: ","),
    value[..<comma].lowercased().hasSuffix(";base64")
  {
    let media = value[..<comma].dropFirst("data:".count).prefix { $0 != ";" }
    let subtype = media.split(separator: "/").last.map(String.init) ?? ""
    parts.append("ENCODING=b")
    if !subtype.isEmpty { parts.append("TYPE=\(subtype.uppercased())") }
    value = String(value[value.index(after: comma)...])
  }
  return parts.joined(separator: ";") + ":" + value
}

/// Finds, for each column of a customer, the line of a vCard that restores it.
struct VCardLayout {
  /// The lines of the card, not folded.
  private(set) var lines: [String] = []
  /// The values of the field properties.
  private var fields: [String: String] = [:]
  /// The names of columns that a reader gives to properties in `VCardFields.shown`.
  private var names = UniqueNames()
  /// The columns whose property another one has that a card may have only once; they are written as JSON alone.
  private var repeated: [String: String] = [:]

  /// Lays out a customer.
  ///
  /// - Parameters:
  ///   - columns: unique names and values.
  ///   - addresses: the parts of postal addresses that are known.
  ///   - isChecked: whether the values that the lines do not give back exactly are written as JSON, too.
  init(
    _ columns: [(name: String, value: Record.Value)], addresses: [PostalAddress] = [], isChecked: Bool = true
  ) {
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

    var others = columns.filter { !isCarried($0) && !VCardLayout.isList($0) }
    var shownName = VCardText.escape(fields["name"] ?? formattedName)
    // It is the first of those that are no fields.
    if hasName, let index = others.firstIndex(where: { !VCardFields.columns.contains($0.name) }),
      others[index].name == "FN", case .text(let text) = others[index].value, VCardText.isLine(text),
      VCardText.unescape(text) != formattedName, !text.isEmpty
    {
      shownName = text
      others.remove(at: index)
    }
    let isFavorite = columns.contains { $0.name == VCardFields.favorite && $0.value == .json("true") }
    repeated = VCardLayout.repeated(others)

    var entries = fieldEntries + contactEntries(columns, addresses)
    var otherLines: [String] = []
    // A reader has the columns that are properties first, then those that are JSON.
    var mayBeProperty = true
    for column in others {
      if mayBeProperty, let property = shownProperty(column) {
        entries.append(VCardEntry(property))
      } else {
        mayBeProperty = mayBeProperty && VCardFields.columns.contains(column.name)
        otherLines += line(column)
      }
    }
    var rest = [VCardEntry].Rest()
    if case .text(let card)? = columns.first(where: { $0.name == VCardFields.card })?.value {
      rest = entries.merge(card)
      // The line of a column that is written as JSON alone is not out of date.
      rest.outdated = rest.outdated.filter { line in
        guard let property = VCardProperty(line), VCardFields.once.contains(property.name) else {
          return true
        }
        return !repeated.values.contains(property.value)
      }
    }
    lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:" + shownName] + entries.flatMap(\.lines)
    if isFavorite { lines.append(VCardFields.favoriteProperty + ":1") }
    lines += otherLines + rest.lines
    if isChecked, !addresses.isEmpty || columns.contains(where: VCardLayout.isList) {
      lines += corrections(columns, rest)
    }
    lines.append("END:VCARD")
  }

  /// The text columns, by name, that would write a property which a card may have only once, and which another column
  /// writes: a known column such as Birthday, or else the first.
  private static func repeated(_ columns: [(name: String, value: Record.Value)]) -> [String: String] {
    var repeated: [String: String] = [:]
    for property in VCardFields.once {
      let known = columns.filter { column in
        guard case .text(let text) = column.value else { return false }
        return VCardFields.property(ofKnown: column.name, text)?.name == property
      }
      let others = columns.filter { UniqueNames.withoutNumber($0.name) == property }
      let likeKnown = columns.filter { column in
        guard case .text(let text) = column.value else { return false }
        return VCardFields.property(ofOtherName: column.name, text)?.name == property
      }
      for column in (known + others + likeKnown).dropFirst() {
        if case .text(let text) = column.value { repeated[column.name] = text }
      }
    }
    return repeated
  }

  /// The ways to reach the customer, tags, and the rest of a card, as JSON, if the lines give something else.
  ///
  /// Of the card of a customer who was edited, lines that are out of date are not missed.
  private func corrections(
    _ columns: [(name: String, value: Record.Value)], _ rest: [VCardEntry].Rest
  ) -> [String] {
    let read = VCardColumns(
      lines.dropFirst().compactMap { VCardProperty($0) }.filter { $0.name != "VERSION" })
    let lists = [VCardFields.otherContacts, VCardFields.tags, VCardFields.card]
    return (VCardContacts.columns + lists).compactMap { name in
      let wanted = text(of: name, in: columns)
      var (asked, found) = (wanted, text(of: name, in: read.columns))
      if name == VCardFields.otherContacts {
        asked = ContactLine.writtenOut(asked) { text(of: $0.column, in: columns) }.joined(separator: "\n")
        // With the main values that it will have.
        found = ContactLine.writtenOut(found) { text(of: $0.column, in: columns) }.joined(separator: "\n")
      }
      let isCurrent =
        name == VCardFields.card && (rest.hasOtherMain || !rest.outdated.isEmpty)
        && has(found, wanted, besides: rest.outdated)
      let isSame =
        lists.contains(name)
        ? isCurrent || asked.hasSameBytes(as: found)
        : VCardText.carried(wanted) == VCardText.carried(found)
      guard !isSame else { return nil }
      let object = JSON.object([(name, .string(wanted))])
      return VCardFields.extraProperty + ":" + VCardText.escape(object.text)
    }
  }

  /// Whether a card has all lines of another one, with any preference, but for some.
  private func has(_ card: String, _ other: String, besides outdated: Set<String>) -> Bool {
    func content(_ line: Substring) -> String {
      VCardProperty(String(line))?.withPreference(nil).line ?? String(line)
    }
    let lines = Set(card.split(separator: "\n").map(content))
    return other.split(separator: "\n").allSatisfy {
      outdated.contains(String($0)) || lines.contains(content($0))
    }
  }

  private var hasName: Bool { fields["first_name"] != nil || fields["last_name"] != nil }

  /// Other contacts, tags, and the rest of a card, which have lines of their own.
  private static func isList(_ column: (name: String, value: Record.Value)) -> Bool {
    guard case .text = column.value else { return false }
    return [VCardFields.otherContacts, VCardFields.tags, VCardFields.card].contains(column.name)
  }

  /// The properties of the fields that have one value.
  private var fieldEntries: [VCardEntry] {
    func text(_ column: String) -> String { VCardText.escape(fields[column] ?? "") }
    let name = ["last_name", "first_name", "additional_names", "name_prefix", "name_suffix"].map(text)
    let units = fields["department"]?.split(separator: ";", omittingEmptySubsequences: false) ?? []
    let organization = [text("company")] + units.map { VCardText.escape(String($0)) }
    let values = [
      ("N", name.joined(separator: ";")), ("ORG", organization.joined(separator: ";")),
      ("NOTE", text("note")),
    ]
    return values.filter { hasField($0.0) }.map { VCardEntry(line: $0 + ":" + $1) }
  }

  private func hasField(_ property: String) -> Bool {
    VCardFields.properties[property]?.contains { fields[$0] != nil } ?? false
  }

  /// Whether a field or a mark restores the column by itself.
  private func isCarried(_ column: (name: String, value: Record.Value)) -> Bool {
    switch column.value {
    case .text(let text) where VCardFields.columns.contains(column.name):
      text.isEmpty || fields[column.name]?.hasSameBytes(as: text) == true
    case .json("true"), .json("false"): column.name == VCardFields.favorite
    default: false
    }
  }

  /// The ways to reach the customer and tags.
  private func contactEntries(
    _ columns: [(name: String, value: Record.Value)], _ addresses: [PostalAddress]
  ) -> [VCardEntry] {
    let written = ContactLine.writtenOut(text(of: VCardFields.otherContacts, in: columns)) {
      fields[$0.column]
    }
    .compactMap { ContactLine($0) }
    let mains = [("email", ContactLine.Kind.email), ("phone", .phone), ("address", .address)]
      .compactMap { name, kind in fields[name].map { ContactLine(kind, $0) } }
    let unlabeled = mains.filter { main in
      !written.contains { $0.kind == main.kind && $0.value == main.value }
    }
    let lines = unlabeled + written
    // Without other contacts, there is at most one of each kind.
    let counts = written.isEmpty ? [:] : Dictionary(Set(lines).map { ($0.kind, 1) }, uniquingKeysWith: +)
    var shownMains: Set<ContactLine> = []
    var labels = 0
    var entries: [VCardEntry] = []
    for line in lines {
      let hasOthers = counts[line.kind, default: 0] > 1
      let unlabeled = ContactLine(line.kind, line.value)
      let isMain = hasOthers && mains.contains(unlabeled) && shownMains.insert(unlabeled).inserted
      let address =
        line.kind == .address ? addresses.lazy.compactMap { $0.matching(line.value) }.first : nil
      entries.append(
        VCardEntry(line, isPreferred: isMain, address: address, labels: &labels))
    }
    let tags = text(of: VCardFields.tags, in: columns).split(separator: "\n").map {
      ContactLine.unescaped(String($0))
    }
    if !tags.isEmpty,
      let property = VCardProperty(
        "CATEGORIES:" + tags.map { VCardText.escape(VCardText.carried($0)) }.joined(separator: ","))
    {
      entries.append(VCardEntry(property))
    }
    return entries
  }

  /// The property of a column that has the same name, if it restores the column.
  private mutating func shownProperty(_ column: (name: String, value: Record.Value)) -> VCardProperty? {
    guard repeated[column.name] == nil else { return nil }
    if case .text(let text) = column.value, names.candidate(column.name).name == column.name,
      let property = VCardFields.property(ofKnown: column.name, text)
    {
      names.take(column.name)
      return property
    }
    let name = UniqueNames.withoutNumber(column.name)
    let first = VCardFields.firstNumber(of: name)
    guard VCardFields.shown.contains(name), names.candidate(name, from: first).name == column.name,
      VCardFields.properties[name] == nil || hasField(name), case .text(let text) = column.value,
      VCardText.isLine(text), let property = VCardProperty(name + ":" + text), !property.isEmpty,
      VCardFields.known(property).map({ names.candidate($0.column).name == $0.column }) != true
    else { return nil }
    names.take(name, from: first)
    return property
  }

  /// The lines of a column that no field restores; the first one is for other programs.
  private mutating func line(_ column: (name: String, value: Record.Value)) -> [String] {
    if fields[column.name] == nil, VCardFields.shown.contains(UniqueNames.withoutNumber(column.name)) {
      names.take(column.name)
    }
    let object = JSON.object([(column.name, column.value.json)])
    return (repeated[column.name] == nil ? VCardLayout.property(column).map { [$0.line] } ?? [] : [])
      + [VCardFields.extraProperty + ":" + VCardText.escape(object.text)]
  }

  /// The property that a column is named after, if it can hold the value unchanged.
  private static func property(_ column: (name: String, value: Record.Value)) -> VCardProperty? {
    if case .text(let text) = column.value,
      let known = VCardFields.property(ofKnown: column.name, text)
        ?? VCardFields.property(ofOtherName: column.name, text)
    {
      return known
    }
    let head = UniqueNames.withoutNumber(column.name)
    guard VCardProperty.mayBeKnown(head), case .text(let text) = column.value, VCardText.isLine(head),
      VCardText.isLine(text),
      let property = VCardProperty(head + ":" + text), property.head.hasSameBytes(as: head),
      !property.isEmpty, !property.isQuotedPrintable, !property.isBase64,
      property.mayBeRepeated
    else { return nil }
    return property.name.hasPrefix("X-CUSTOMERS-") ? nil : property
  }
}
