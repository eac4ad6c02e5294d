internal import CustomerStore
internal import CustomersText

/// The lines of a card for one value of a customer.
struct VCardEntry {
  var lines: [String]
  /// What the lines say; nil if they are no way to reach the customer.
  let contact: ContactLine?
  let property: VCardProperty?
  /// Whether it is the main value of several.
  let isPreferred: Bool

  /// The line of a property, and what it says if that is a way to reach the customer.
  init(_ property: VCardProperty, _ contact: ContactLine? = nil) {
    (lines, self.contact, self.property, isPreferred) = ([property.line], contact, property, false)
  }

  /// A line that is no way to reach the customer.
  init(line: String) { (lines, contact, property, isPreferred) = ([line], nil, nil, false) }

  /// The lines of a way to reach the customer; a label that is no type is in a second line.
  ///
  /// - Parameters:
  ///   - line: what it is.
  ///   - isPreferred: whether it is the main one of several.
  ///   - address: the parts of a postal address; nil to write it whole.
  ///   - labels: how many labels have a line of their own.
  init(_ line: ContactLine, isPreferred: Bool, address: PostalAddress?, labels: inout Int) {
    let text = VCardText.escape(VCardText.carried(line.value))
    let value = line.kind == .address ? address?.property ?? ";;\(text);;;;" : text
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
  /// What is left of an imported card.
  struct Rest {
    /// The lines that are about nothing else.
    var lines: [String] = []
    /// The lines that say something else than the entries, because the customer was edited.
    var outdated: Set<String> = []
    /// Whether another value is the main one.
    var hasOtherMain = false
  }

  /// Writes the lines of an imported card in place of those that say the same, with all their parameters.
  ///
  /// - Parameter card: the lines.
  /// - Returns: the other lines of the card.
  mutating func merge(_ card: String) -> Rest {
    let properties = card.split(separator: "\n").map(String.init).filter(VCardText.isLine)
      .compactMap { VCardProperty($0) }
    let labels = VCardContacts.labels(properties)
    let contacts = properties.map { VCardContacts.line($0, labels: labels) }
    let meanings = zip(properties, contacts).map { VCardMeaning($0, $1) }
    // The entries that no line has been taken for, by what they say.
    var free: [Bool: [VCardMeaning: [Int]]] = [:]
    for index in indices.reversed() {
      guard let meaning = VCardMeaning(self[index]) else { continue }
      free[self[index].isPreferred, default: [:]][meaning, default: []].append(index)
    }
    var taken: [Int: Int] = [:]
    // If the card says it twice, the more preferred line is that of a main value, the first one that of another.
    let preferred = properties.indices.sorted {
      (properties[$0].preference, $0) < (properties[$1].preference, $1)
    }
    for (isMain, order) in [(true, preferred), (false, [Int](properties.indices))] {
      for index in order where taken[index] == nil && properties[index].isField {
        guard let entry = free[isMain]?[meanings[index]]?.popLast() else { continue }
        taken[index] = entry
        self[entry].lines = [properties[index].line]
      }
    }
    // The first of the entries that were taken, by what they say, with and without the label.
    var used: [VCardMeaning: Int] = [:]
    for entry in taken.values.sorted(by: >) {
      guard let meaning = VCardMeaning(self[entry]) else { continue }
      for other in [meaning, meaning.withoutLabel] { used[other] = entry }
    }
    var first: [VCardEntry] = []
    var rest = Rest()
    var (current, outdated): (Set<String>, Set<String>) = ([], [])
    var others: [VCardProperty] = []
    let forms = VCardFields.ofPrograms(properties)
    // What an import took of them; beside the property of vCard 4.0, theirs is another value.
    let imported = Dictionary(forms.compactMap { $0.map { ($0.column, $0.text) } }) { first, _ in first }
      .filter { column, _ in !properties.contains { $0.name == column.property } }
    let written = imported.keys.reduce(into: [:]) { written, column in
      written[column] =
        lazy.compactMap(\.property).first { $0.name == column.property }
        .flatMap(VCardFields.known)?.text
    }
    for (index, property) in properties.enumerated() where property.name != "CATEGORIES" {
      // The card may say it twice, once without a label, or have a second name.
      if let form = forms[index], imported[form.column] == form.text, written[form.column] != form.text {
        outdated.insert(property.group)
        rest.outdated.insert(property.line)
      } else if !property.isField {
        others.append(property)
      } else if taken[index] != nil {
        current.insert(property.group)
      } else if let entry = used[property.name == "N" ? .anyName : meanings[index]] {
        if self[entry].isPreferred {
          first.append(VCardEntry(property, contacts[index]))
        } else {
          others.append(property)
        }
        current.insert(property.group)
      } else {
        outdated.insert(property.group)
        rest.outdated.insert(property.line)
      }
    }
    rest.outdated.formUnion(mergeTags(properties.filter { $0.name == "CATEGORIES" }))
    insertFirst(first)
    rest.hasOtherMain = prefer()
    for property in others {
      let isAlone =
        !property.group.isEmpty && outdated.contains(property.group) && !current.contains(property.group)
      if isAlone { rest.outdated.insert(property.line) } else { rest.lines.append(property.line) }
    }
    return rest
  }

  /// Inserts entries before all others of their kind.
  private mutating func insertFirst(_ entries: [VCardEntry]) {
    guard !entries.isEmpty else { return }
    var waiting = Dictionary(grouping: entries) { $0.contact?.kind }
    self = flatMap { entry in (waiting.removeValue(forKey: entry.contact?.kind) ?? []) + [entry] }
    self = waiting.values.flatMap(\.self) + self
  }

  /// Writes the lines with tags of a card, as far as the customer has the tags.
  ///
  /// - Returns: the lines with tags that are out of date.
  private mutating func mergeTags(_ properties: [VCardProperty]) -> [String] {
    guard let index = firstIndex(where: { $0.property?.name == "CATEGORIES" }), let own = self[index].property
    else { return properties.map(\.line) }
    let tags = VCardText.split(own.value, at: UInt8(ascii: ","))
    let present = Set(tags)
    var outdated: [String] = []
    var lines: [String] = []
    var written: Set<String> = []
    for property in properties {
      let all = VCardText.split(property.value, at: UInt8(ascii: ","))
      let known = all.filter { $0.isEmpty || present.contains($0) }
      if known.count < all.count { outdated.append(property.line) }
      guard known.contains(where: { !$0.isEmpty }) else { continue }
      lines.append(known.count < all.count ? "\(property.head):\(VCardText.list(known))" : property.line)
      written.formUnion(known)
    }
    let rest = tags.filter { !written.contains($0) }
    self[index].lines = lines + (rest.isEmpty ? [] : ["CATEGORIES:" + VCardText.list(rest)])
    return outdated
  }

  /// Marks the main values of which an imported line would otherwise make another one the main one.
  ///
  /// - Returns: whether there were any.
  private mutating func prefer() -> Bool {
    var isChanged = false
    for index in indices where self[index].isPreferred {
      let others = indices.filter { self[$0].contact?.kind == self[index].contact?.kind }
      let preferences = others.map { self[$0].preference }
      guard let best = others.indices.min(by: { preferences[$0] < preferences[$1] }),
        self[others[best]].contact?.value != self[index].contact?.value
      else { continue }
      for (other, preference) in zip(others, preferences) where preference == 1 {
        self[other].setPreference(2)
      }
      self[index].setPreference(1)
      isChanged = true
    }
    return isChanged
  }
}

/// What a line says, as far as two lines that say the same have it in common.
private struct VCardMeaning: Hashable {
  /// The property; empty for a way to reach the customer.
  private var name = ""
  private var kind: ContactLine.Kind?
  private var label = ""
  private var value = ""
  /// The fields of a property that has several.
  private var fields: [String: String] = [:]

  init(_ property: VCardProperty, _ contact: ContactLine?) {
    if let contact {
      (kind, label, value) = (contact.kind, contact.label, VCardText.carried(contact.value))
    } else if VCardFields.properties[property.name] != nil {
      (name, fields) = (property.name, VCardFields.read(property).mapValues(VCardText.carried))
    } else {
      (name, value) = (property.name, property.day ?? property.value)
    }
  }

  /// An entry for one value of a customer.
  init?(_ entry: VCardEntry) {
    guard let property = entry.property ?? VCardProperty(entry.lines[0]) else { return nil }
    self.init(property, entry.contact)
  }

  /// Any name in parts, of which a card has one.
  static let anyName: VCardMeaning = {
    var meaning = VCardMeaning()
    meaning.name = "N"
    return meaning
  }()

  private init() {}

  /// The same without the label, which a line may leave out; a name without its parts.
  var withoutLabel: VCardMeaning {
    var meaning = self
    meaning.label = ""
    if name == "N" { meaning.fields = [:] }
    return meaning
  }
}

extension VCardEntry {
  fileprivate var preference: Int {
    VCardProperty.hasParameters(lines[0]) ? VCardProperty(lines[0])?.preference ?? 101 : 101
  }

  /// Gives the first line a preference, in the form of vCard 4.0.
  fileprivate mutating func setPreference(_ number: Int) {
    guard let property = VCardProperty(lines[0]) else { return }
    lines[0] = property.withPreference(number).line
  }
}

extension VCardProperty {
  /// Whether a customer has a field or a column for it.
  fileprivate var isField: Bool { VCardProperty.fields.contains(name) }

  private static let fields = VCardFields.shown.union(VCardContacts.properties.keys).union(
    VCardFields.properties.keys
  ).union(["CATEGORIES"])
}

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
  static let shown: Set = ["TITLE", "ROLE", "NICKNAME", "BDAY", "ANNIVERSARY", "URL", "NOTE", "ORG"]
  /// Those of them that a card may have only once (RFC 6350, sections 6.2.5 and 6.2.6).
  static let once = ["BDAY", "ANNIVERSARY"]
  /// The number of the first column of a property: NOTE would be taken for the field of this name.
  static func firstNumber(of property: String) -> Int { columns.contains(property.lowercased()) ? 2 : 1 }
  /// Those of them whose columns every list may have.
  private static let known = Dictionary(
    uniqueKeysWithValues: KnownColumn.allCases.compactMap { column in column.property.map { ($0, column) } })

  /// The column of a property that every list may have, and its value; nil for another property, and for several values.
  static func known(_ property: VCardProperty) -> (column: String, text: String)? {
    guard let column = known[property.name] else { return nil }
    // Some programs escape the colon.
    if column.values.kind == .link { return (column.title, property.value.replacing("\\:", with: ":")) }
    guard column.values.kind == .date else {
      let text = property.text
      return VCardText.escape(text) == property.value ? (column.title, text) : nil
    }
    return property.day.map { (column.title, $0) }
  }

  /// For each property, what one of a program's own says of a column that every list may have: a nickname in Android's, or
  /// an anniversary in one of Apple's, Evolution's, or KAddressBook's; nil for any other.
  static func ofPrograms(_ properties: [VCardProperty]) -> [(column: KnownColumn, text: String)?] {
    let labels = VCardContacts.labels(properties).mapValues { ContactLine(.phone, labeled: $0, "").label }
    return properties.map { property in
      switch property.name {
      case "X-ANDROID-CUSTOM":
        let parts = VCardText.components(property.value)
        guard parts.count > 1, parts[0] == "vnd.android.cursor.item/nickname", !parts[1].isEmpty else {
          return nil
        }
        return (.nickname, parts[1])
      case "X-ABDATE":
        guard labels[property.group].flatMap(KnownNames.field) == KnownColumn.anniversary.field else {
          return nil
        }
      case "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-KADDRESSBOOK-X-ANNIVERSARY": break
      default: return nil
      }
      return property.day(ignoring: ["TYPE", "PREF"]).map { (.anniversary, $0) }
    }
  }

  /// The property of a column that every list may have, if it restores the value.
  static func property(ofKnown column: String, _ text: String) -> VCardProperty? {
    guard let (name, found) = known.first(where: { $0.value.title == column }) else { return nil }
    let value =
      switch found.values.kind {
      case .date: VCardProperty.written(day: text)
      case .link: text
      default: VCardText.escape(text)
      }
    guard VCardText.isLine(value), let property = VCardProperty(name + ":" + value), !property.isEmpty,
      let known = known(property), known.text.hasSameBytes(as: text)
    else { return nil }
    return property
  }

  /// The property for other programs of a column that means a known day by another name, such as Geburtstag.
  static func property(ofOtherName column: String, _ text: String) -> VCardProperty? {
    let field = KnownNames.field(column)
    let found = known.values.first { $0.field == field && $0.values.kind == .date && $0.title != column }
    return found.flatMap { property(ofKnown: $0.title, text) }
  }

  /// The column of the favorite mark.
  static let favorite = "is_favorite"
  /// The property for the favorite mark.
  static let favoriteProperty = "X-CUSTOMERS-FAVORITE"
  /// The property for the next date, and that for a line of the log, a JSON object; only a card with the log has them.
  static let nextProperty = "X-CUSTOMERS-NEXT"
  static let logProperty = "X-CUSTOMERS-LOG"
  /// The line that says who wrote the file; in a card, that the list has given the UID.
  static let product = "PRODID:-//customers//customers//EN"
  /// The column of the UID.
  static let uid = "X-CUSTOMERS-UID"
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
