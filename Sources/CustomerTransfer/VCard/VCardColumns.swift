internal import CustomerStore
internal import CustomersText

/// Turns the properties of one vCard into columns; nothing is lost.
struct VCardColumns {
  /// First the fields, then everything else in the order of the card.
  private(set) var columns: [(name: String, value: Record.Value)] = []
  private var fields: [String: String] = [:]
  private var others: [(name: String, value: Record.Value)] = []
  private var isFavorite = false
  private var names = UniqueNames()
  /// The column of a card as JSON has it.
  private var card: String?

  init(_ all: [VCardProperty], _ budget: ReadingBudget? = nil) {
    let (own, known) = VCardColumns.uid(all.filter { !$0.isEmpty })
    let (log, rest) = VCardColumns.log(known)
    let (properties, extras) = VCardColumns.separate(rest)
    let chosen = VCardColumns.choose(properties)
    for (name, index) in chosen where name != "FN" {
      fields.merge(VCardFields.read(properties[index])) { first, _ in first }
    }
    readContacts(properties)
    let formattedName = chosen["FN"].flatMap { readFormattedName(properties[$0]) }
    for name in fields.keys { names.take(name) }
    if properties.contains(where: \.isFavorite) { _ = takeMark(.json("true")) }
    if let formattedName { add(formattedName.name, .text(formattedName.value)) }
    for (index, property) in properties.enumerated()
    where VCardFields.shown.contains(property.name) && chosen[property.name] != index {
      if let known = VCardFields.known(property), names.candidate(known.column).name == known.column {
        add(known.column, .text(known.text))
      } else {
        let name = names.take(property.name, from: VCardFields.firstNumber(of: property.name))
        others.append((name, .text(property.value)))
      }
    }
    for case let form? in VCardFields.ofPrograms(properties)
    where names.candidate(form.column.title).number == 1 {
      add(form.column.title, .text(form.text))
    }
    for (name, value) in extras { take(name, value) }
    columns = VCardFields.columns.compactMap { name in fields[name].map { (name, .text($0)) } }
    if isFavorite { columns.append((VCardFields.favorite, .json("true"))) }
    for name in [VCardFields.otherContacts, VCardFields.tags] {
      if let text = fields[name], !text.isEmpty { columns.append((name, .text(text))) }
    }
    columns += others
    if let card = card ?? self.rest(of: properties, budget), !card.isEmpty {
      columns.append((names.take(VCardFields.card), .text(card)))
    }
    columns += own + log
  }

  /// The UID, and the other properties: those of another program, which go with the card, keep theirs.
  private static func uid(
    _ all: [VCardProperty]
  ) -> (columns: [(name: String, value: Record.Value)], others: [VCardProperty]) {
    guard let uid = all.first(where: { $0.name == "UID" }) else { return ([], all) }
    let isOurs = all.contains { $0.line == VCardFields.product }
    return (
      [(VCardFields.uid, .text(uid.value))],
      isOurs ? all.filter { !["PRODID", "UID"].contains($0.name) } : all
    )
  }

  /// The next date and the log, and the other properties.
  private static func log(
    _ all: [VCardProperty]
  ) -> (columns: [(name: String, value: Record.Value)], others: [VCardProperty]) {
    let next = all.first { $0.name == VCardFields.nextProperty }
    let lines = all.filter { $0.name == VCardFields.logProperty }.map(\.text)
    guard next != nil || !lines.isEmpty else { return ([], all) }
    return (
      (next.map { [(VCardFields.nextProperty, .text($0.text))] } ?? [])
        + (lines.isEmpty ? [] : [(VCardFields.logProperty, .json("[\(lines.joined(separator: ","))]"))]),
      all.filter { ![VCardFields.nextProperty, VCardFields.logProperty].contains($0.name) }
    )
  }

  /// The properties, and the columns that are written as JSON.
  ///
  /// A property that is written for other programs besides its column counts only once.
  private static func separate(
    _ all: [VCardProperty]
  ) -> (properties: [VCardProperty], extras: [(name: String, value: Record.Value)]) {
    var properties: [VCardProperty] = []
    var extras: [(name: String, value: Record.Value)] = []
    for property in all {
      if property.name == VCardFields.extraProperty,
        let columns = try? JSON.columns(ofObject: property.text), !columns.isEmpty
      {
        extras += columns
      } else {
        properties.append(property)
      }
    }
    guard !extras.isEmpty else { return (properties, []) }
    // How many of each line are written for other programs.
    var doubled: [String: Int] = [:]
    for case (let name, .text(let text)) in extras {
      let property =
        VCardFields.property(ofKnown: name, text) ?? VCardFields.property(ofOtherName: name, text)
        ?? VCardProperty(UniqueNames.withoutNumber(name) + ":" + text)
      if let property, property.mayBeRepeated { doubled[property.inVersion4, default: 0] += 1 }
    }
    properties.removeAll { property in
      let line = property.inVersion4
      guard let count = doubled[line], count > 0 else { return false }
      doubled[line] = count - 1
      return true
    }
    return (properties, extras)
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

  /// Reads the ways to reach the customer and tags.
  private mutating func readContacts(_ properties: [VCardProperty]) {
    let labels = VCardContacts.labels(properties)
    var contacts = Contacts()
    let lines = properties.map { VCardContacts.line($0, labels: labels) }
    var preferences: [ContactLine.Kind: Int] = [:]
    for (line, property) in zip(lines, properties) {
      if let line { preferences[line.kind] = min(preferences[line.kind] ?? 101, property.preference) }
    }
    for (line, property) in zip(lines, properties) {
      if let line { contacts.add(line, property.preference == preferences[line.kind] ? .preferred : .usual) }
    }
    var known: Set<String> = []
    let tags = properties.filter { $0.name == "CATEGORIES" }.flatMap(VCardFields.tags)
      .filter { known.insert($0).inserted }
    let found: [(String, String?)] = [
      ("email", contacts.main(.email)), ("phone", contacts.main(.phone)),
      ("address", contacts.main(.address)),
      (VCardFields.otherContacts, contacts.others.map(\.text).joined(separator: "\n")),
      (VCardFields.tags, tags.joined(separator: "\n")),
    ]
    for (name, text) in found where text?.isEmpty == false { fields[name] = text }
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

  /// The lines that the columns do not give back as they are; nil if there are none.
  private func rest(of properties: [VCardProperty], _ budget: ReadingBudget?) -> String? {
    var all = properties.map { property in
      let line = property.inVersion4
      return line == property.line ? property : VCardProperty(line) ?? property
    }
    // The formatted name is the column FN, unless the card has several.
    if let index = all.firstIndex(where: { $0.name == "FN" }) { all.remove(at: index) }
    all.removeAll(where: \.isFavorite)
    guard all.count <= VCardColumns.mostCompared else { return all.map(\.line).joined(separator: "\n") }
    let contents = all.map(\.comparable)
    lazy var values = zip(all, contents).map { property, content in
      if property.name == "N" { return property.name }
      return VCardContacts.properties[property.name] == nil
        ? content : property.name + "\n" + VCardContacts.value(of: property)
    }
    var comparable = Dictionary(zip(all.map(\.line), contents)) { first, _ in first }
    let forms = VCardFields.ofPrograms(all).compactMap(\.self)
    var kept: Set<Int> = []
    for column in [KnownColumn.nickname, .anniversary] {
      guard let index = all.firstIndex(where: { $0.name == column.property }) else { continue }
      let text = VCardFields.known(all[index])?.text
      // A second value of the kind, which an edit of the first leaves alone.
      if forms.contains(where: { $0.column == column && $0.text != text }) { kept.insert(index) }
    }
    // A line that is kept may be written in place of one that need not be.
    for round in 1...VCardColumns.rounds {
      let lines = written(all.indices.filter(kept.contains).map { all[$0].line })
      budget?.spend(lines.reduce(all.count) { $0 + $1.utf8.count })
      var counts: [String: Int] = [:]
      for line in lines {
        guard let content = comparable[line] ?? VCardProperty(line)?.comparable else { continue }
        comparable[line] = content
        counts[content, default: 0] += 1
      }
      let missing = all.indices.filter { index in
        counts[contents[index], default: 0] -= 1
        return counts[contents[index], default: 0] < 0
      }
      // A line is recognized beside those that have the same content or the same value with another label.
      let similar = Set(missing.flatMap { [contents[$0], values[$0]] })
      let more =
        missing.isEmpty
        ? [] : all.indices.filter { similar.contains(contents[$0]) || similar.contains(values[$0]) }
      guard !kept.isSuperset(of: more), round < VCardColumns.rounds else {
        // In the order of the card that is written from them; of a card that would take more rounds, every line.
        let texts = all.indices.filter { round == VCardColumns.rounds || kept.contains($0) }.map {
          all[$0].line
        }
        guard !texts.isEmpty else { return nil }
        let known = Set(texts)
        let found = lines.filter(known.contains)
        let placed = Set(found)
        return (found + texts.filter { !placed.contains($0) }).joined(separator: "\n")
      }
      kept.formUnion(more)
    }
    return nil
  }

  /// The number of lines of which those are found that need not be kept; no address book writes as many.
  private static let mostCompared = 250

  /// How often a card is written to find the lines that its columns don't give back; two or three suffice for those of
  /// other programs.
  private static let rounds = 8

  /// The lines of a card that is written from the columns and the lines that are kept.
  private func written(_ kept: [String]) -> [String] {
    let card = (name: VCardFields.card, value: Record.Value.text(kept.joined(separator: "\n")))
    return VCardLayout(columns + (kept.isEmpty ? [] : [card]), isChecked: false).lines
  }
}

extension VCardColumns {
  /// Takes a column that is written as JSON.
  private mutating func take(_ name: String, _ value: Record.Value) {
    switch value {
    case .text(let text) where [VCardFields.otherContacts, VCardFields.tags].contains(name):
      fields[name] = text
    case .text(let text) where name == VCardFields.card: card = text
    case .text(let text) where VCardFields.columns.contains(name) && takeField(name, text): break
    case .json where name == VCardFields.favorite && takeMark(value): break
    default: add(name, value)
    }
  }

  /// Takes the exact text of a field if its property is empty or has the same text as far as possible.
  private mutating func takeField(_ name: String, _ text: String) -> Bool {
    if text.isEmpty {
      // No value is the main one.
      if VCardContacts.columns.contains(name) { fields[name] = nil }
      return true
    }
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

extension VCardProperty {
  /// Whether a card may have it besides the lines of the fields.
  var mayBeRepeated: Bool { name != "FN" && VCardFields.properties[name] == nil }

  fileprivate var isFavorite: Bool { name == VCardFields.favoriteProperty && value == "1" }

  /// The line without what makes no difference: the case of its head, the order of its parameters, and empty last
  /// components.
  fileprivate var comparable: String {
    var head = VCardProperty.hasParameters(head) ? head : head.uppercased()
    if VCardProperty.hasParameters(head), !head.utf8.contains(UInt8(ascii: "\"")) {
      let parts = parts.filter { !$0.isEmpty }.map { $0.uppercased() }
      let parameters = parts.dropFirst().flatMap { part -> [Substring] in
        part.hasPrefix("TYPE=") ? part.dropFirst(5).split(separator: ",") : [part[...]]
      }
      head = ([parts[0][...]] + parameters.sorted()).joined(separator: ";")
    }
    guard isStructured else { return head + ":" + value }
    let bytes = Array(value.utf8)
    var end = bytes.count
    while end > 0, bytes[end - 1] == UInt8(ascii: ";") { end -= 1 }
    return head + ":" + String(decoding: bytes[..<end], as: UTF8.self)
  }
}

/// The ways to reach a customer in a vCard.
enum VCardContacts {
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
      (property.group.isEmpty ? nil : labels[property.group])
      ?? property.types.filter { !ignored.contains($0) }.joined(separator: " ")
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

  /// The postal addresses of which lines of a card have the parts.
  static func addresses(inCard lines: String) -> [PostalAddress] {
    lines.split(separator: "\n").compactMap { line in
      guard line.contains("ADR"), let property = VCardProperty(String(line)), property.name == "ADR" else {
        return nil
      }
      return PostalAddress(VCardText.components(property.value))
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
    var types: [String] = []
    // It stops at the first word that is no type, because there may be very many.
    var rest = line.label.utf8[...]
    while !rest.isEmpty {
      let word = rest.prefix { $0 != 0x20 }
      rest = rest[word.endIndex...].drop { $0 == 0x20 }
      guard let type = standard[String(Substring(word))] else {
        if word.isEmpty { continue }
        return nil
      }
      types.append(type)
    }
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

/// Unique names of columns: repeated names are numbered with `:2`, `:3` and so on.
///
/// A colon ends the name of a vCard property, so such a number can't be part of it.
struct UniqueNames {
  private var used: Set<[UInt8]> = []
  private var counts: [[UInt8]: Int] = [:]

  /// The name that `take` would return.
  func candidate(_ name: String, from first: Int = 1) -> (name: String, number: Int) {
    let bytes = Array(name.utf8)
    if first == 1, !used.contains(bytes) { return (name, 1) }
    var number = max(counts[bytes, default: 0] + 1, first)
    while used.contains(UniqueNames.numbered(bytes, number)) { number += 1 }
    return (String(decoding: UniqueNames.numbered(bytes, number), as: UTF8.self), number)
  }

  /// Returns the name, numbered if it is in use or the first number is not 1, and marks it as used.
  @discardableResult mutating func take(_ name: String, from first: Int = 1) -> String {
    let (unique, number) = candidate(name, from: first)
    used.insert(Array(unique.utf8))
    counts[Array(name.utf8)] = number
    return unique
  }

  static func withoutNumber(_ name: String) -> String {
    guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
    let number = name[name.utf8.index(after: colon)...]
    return number.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      ? String(name[..<colon]) : name
  }

  private static func numbered(_ name: [UInt8], _ number: Int) -> [UInt8] {
    number == 1 ? name : name + ":\(number)".utf8
  }
}
