package import CustomerStore
internal import CustomersText

/// The columns of a file that together are the ways to reach a customer.
struct ContactPlan {
  /// One way to reach a customer, by the indices of its columns.
  struct Entry {
    /// The first of its columns.
    var column: Int
    var kind: ContactLine.Kind
    var label: String
    var rank: Contacts.Rank
    /// Whether the name of the column has a number from 2 on.
    var isFurther: Bool
    var labelColumn: Int?
    /// The columns of a value; of an address, its lines or its street.
    var values: [Int] = []
    /// The columns with the address as it is printed.
    var printed: [Int] = []
    /// The columns of each part; the first one that is not empty counts.
    var parts: [(part: AddressPart, columns: [Int])] = []
    /// The columns with the number of the house in the street.
    var houseNumber: [Int] = []
    /// Whether a city may have its postal code before it.
    var hasCodeBeforeCity = false
  }

  /// In the order of their first columns.
  private(set) var entries: [Entry] = []
  /// What the columns become, by index.
  private(set) var targets: [Int: ColumnTarget] = [:]

  /// Whether it has no columns.
  var isEmpty: Bool { entries.isEmpty }

  /// Groups the columns; those that are understood otherwise have no meaning here.
  ///
  /// - Parameters:
  ///   - meanings: what the names of the columns mean.
  ///   - taken: what other columns become.
  init(_ meanings: [ColumnMeaning?], besides taken: Set<ColumnTarget>) {
    let meanings = ContactPlan.withoutCounties(meanings)
    let isNumbered = meanings.contains { $0?.isOfNumberedAddress ?? false }
    var places: [String: Int] = [:]
    var labels: [String: Int] = [:]
    var sections: [Int: Int] = [:]
    for (index, meaning) in meanings.enumerated() {
      if let meaning, meaning.isSectionLabel { sections[meaning.section ?? 0] = index }
      guard let meaning, meaning.isType else { continue }
      let key = meaning.key(isNumbered)
      labels[key] = labels[key] ?? index
    }
    for (index, meaning) in meanings.enumerated() {
      guard let meaning, let kind = meaning.kind, !meaning.isType else { continue }
      let key = meaning.key(isNumbered)
      let place = kind == .address ? places[key] ?? entries.count : entries.count
      if place == entries.count {
        entries.append(
          Entry(
            column: index, kind: kind, label: meaning.label, rank: meaning.rank,
            isFurther: (meaning.number ?? 0) > 1,
            labelColumn: labels[key]
              ?? (meaning.label.isEmpty ? meaning.section.flatMap { sections[$0] } : nil)))
        places[key] = place
      }
      add(index, meaning, at: place)
    }
    dissolve()
    decide(meanings, besides: taken)
  }

  private mutating func add(_ index: Int, _ meaning: ColumnMeaning, at place: Int) {
    if meaning.hasCodeBeforeCity { entries[place].hasCodeBeforeCity = true }
    switch meaning.part {
    case _ where meaning.isHouseNumber: entries[place].houseNumber.append(index)
    case nil where meaning.isWhole: entries[place].printed.append(index)
    case nil, .street?: entries[place].values.append(index)
    case let part?:
      if let known = entries[place].parts.firstIndex(where: { $0.part == part }) {
        entries[place].parts[known].columns.append(index)
      } else {
        entries[place].parts.append((part, [index]))
      }
    }
  }

  /// Leaves counties alone beside states and the like: an address has one region.
  private static func withoutCounties(_ meanings: [ColumnMeaning?]) -> [ColumnMeaning?] {
    let hasRegion = meanings.contains { $0?.part == .region && $0?.isCounty == false }
    return hasRegion ? meanings.map { $0?.isCounty == true ? nil : $0 } : meanings
  }

  /// Leaves the parts alone of an address that has neither lines nor a city, a postal code, or a country: "State" alone may
  /// be anything.
  private mutating func dissolve() {
    for index in entries.indices where entries[index].kind == .address {
      let entry = entries[index]
      let isPlace = entry.parts.contains { [.city, .postalCode, .country].contains($0.part) }
      if !isPlace, entry.values.isEmpty, entry.printed.isEmpty { entries[index].parts = [] }
      if entry.values.isEmpty { entries[index].houseNumber = [] }
    }
    entries.removeAll { $0.values.isEmpty && $0.printed.isEmpty && $0.parts.isEmpty }
  }

  /// Determines what each column becomes.
  ///
  /// A single value without a label is simply the field.
  private mutating func decide(_ meanings: [ColumnMeaning?], besides taken: Set<ColumnTarget>) {
    for kind in ContactLine.Kind.allCases {
      let all = entries.filter { $0.kind == kind }
      if let field = kind.field, !taken.contains(.field(field)), all.count == 1, let only = all.first,
        only.isSimple
      {
        targets[only.values[0]] = .field(field)
        entries.removeAll { $0.kind == kind }
        continue
      }
      for entry in all {
        for (part, columns) in entry.parts + [(.street, entry.houseNumber)] {
          for column in columns { targets[column] = .contact(ContactColumn(kind, part: part)) }
        }
        for column in entry.values + entry.printed {
          let isPart = !entry.parts.isEmpty && meanings[column]?.part == .street
          targets[column] = .contact(
            isPart
              ? ContactColumn(kind, label: entry.label, part: .street)
              : ContactColumn(kind, label: entry.label))
        }
        if let column = entry.labelColumn { targets[column] = .contact(ContactColumn(kind, .label)) }
        for column in entry.alternatives.flatMap({ $0.dropFirst() }) {
          guard case .contact(var contact)? = targets[column] else { continue }
          contact.isFurther = true
          targets[column] = .contact(contact)
        }
      }
    }
  }
}

extension ContactPlan.Entry {
  fileprivate var isSimple: Bool {
    values.count == 1 && parts.isEmpty && printed.isEmpty && label.isEmpty && labelColumn == nil && !isFurther
      && rank != .secondary && houseNumber.isEmpty
  }

  /// The columns of which only one counts in a row.
  fileprivate var alternatives: [[Int]] { parts.map(\.columns) + [printed, houseNumber] }
}

extension ColumnMeaning {
  /// Whether the number is that of an address, as in "Address 2 - City", and not of one of its lines.
  fileprivate var isOfNumberedAddress: Bool {
    mayBeOfNumberedAddress && (part != nil || isWhole || isType)
  }

  private var mayBeOfNumberedAddress: Bool {
    kind == .address && number != nil && label.isEmpty && hasAddressWord
  }

  /// What the columns of one value have in common.
  ///
  /// - Parameter isNumbered: whether the file has numbered addresses; otherwise "Address 2" is a line.
  /// - Returns: a string that differs for other values.
  fileprivate func key(_ isNumbered: Bool) -> String {
    let counts = kind != .address || isOfNumberedAddress || isNumbered && mayBeOfNumberedAddress
    let number = counts ? number.map(String.init) ?? "" : ""
    return "\(kind?.rawValue ?? "")/\(label)/\(rank == .secondary)/\(number)/\(section ?? 0)"
  }
}

/// A way to reach a customer that a file states.
struct StatedContact {
  var line: ContactLine
  var rank = Contacts.Rank.usual
  /// Whether it is the main value, and not just one more.
  var isMain = false
  /// Whether it is an address without a street, which is no reason to replace one that may have it.
  var isOnlyPlace = false
  /// The parts of an address, if the file has them.
  var parts: PostalAddress?

  /// The values in the only column of a field.
  static func all(in text: String, of field: CustomerField, isExact: Bool) -> [StatedContact] {
    guard let kind = field.contactKind, !text.isEmpty else { return [] }
    let values = isExact ? [text] : ContactPlan.values(in: text, of: kind)
    return values.enumerated().map { StatedContact(line: ContactLine(kind, $1), isMain: $0 == 0) }
  }
}

extension ContactPlan {
  /// The ways to reach the customer of a record.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - nulls: the values that mean "no value".
  /// - Returns: each with its label.
  func stated(_ record: Record, nulls: [String]) -> [StatedContact] {
    var stated: [StatedContact] = []
    func text(_ column: Int?) -> String { column.map { record.text($0, nulls) } ?? "" }
    for entry in entries.prefix(while: { $0.column < record.values.count }) {
      let address = entry.kind == .address ? address(entry, text) : nil
      let value = address?.text ?? text(entry.values.first)
      guard !value.isEmpty else { continue }
      let label = text(entry.labelColumn)
      let rank = label.hasPrefix("*") ? .preferred : entry.rank
      for (index, value) in ContactPlan.values(in: value, of: entry.kind).enumerated() {
        let line =
          label.isEmpty
          ? ContactLine(entry.kind, label: entry.label, value)
          : ContactLine(entry.kind, labeled: ColumnVocabulary.label(label), value)
        stated.append(
          StatedContact(
            line: line, rank: rank,
            isMain: index == 0 && line.label.isEmpty && !entry.isFurther && rank != .secondary,
            isOnlyPlace: entry.kind == .address && entry.printed.isEmpty
              && entry.values.allSatisfy { text($0).isEmpty },
            parts: address?.parts))
      }
    }
    return stated
  }

  /// The columns whose values differ from that of another column, which counts.
  func further(_ record: Record, nulls: [String]) -> [Int] {
    entries.flatMap(\.alternatives).flatMap { columns in
      let given = columns.filter { !record.text($0, nulls).isEmpty }
      return given.dropFirst().filter { column in
        searchFolded(record.text(column, nulls)) != searchFolded(record.text(given[0], nulls))
      }
    }
  }

  /// The values in one field, without what other programs write around them.
  ///
  /// Google separates them by `:::`, HubSpot e-mail addresses by semicolons, LinkedIn both by commas.
  static func values(in text: String, of kind: ContactLine.Kind) -> [String] {
    guard kind != .address else {
      return separated(text).map { String(String($0).trimmingBlanks) }
    }
    let pieces = separated(text).map { ContactLine.cleaned(kind, String($0)) }
    guard pieces.count == 1 else { return pieces }
    let parts = text.split { $0 == ";" || $0 == "," }.map { ContactLine.cleaned(kind, String($0)) }
    let areValues =
      kind == .email
      ? parts.allSatisfy { $0.contains("@") && !$0.contains(" ") }
      : parts.allSatisfy { part in
        part.count { $0.isNumber } > 3 && part.allSatisfy { $0.isNumber || " +-()/.".contains($0) }
      }
    return parts.count > 1 && areValues ? parts : pieces
  }

  private static func separated(_ text: String) -> [Substring] {
    // Most texts have nothing to look for, which takes long.
    text.utf8.contains(UInt8(ascii: ":")) ? text.split(separator: ":::") : text.isEmpty ? [] : [text[...]]
  }

  /// The postal addresses of which the columns have parts.
  ///
  /// - Parameter text: returns the text of a column.
  /// - Returns: the addresses.
  func addresses(_ text: (Int) -> String) -> [PostalAddress] {
    entries.filter { $0.kind == .address && !$0.parts.isEmpty }.compactMap { entry in
      let parts = address(entry) { column in column.map(text) ?? "" }.parts
      return parts?[.street].isEmpty == false ? parts : nil
    }
  }

  /// An address, and its parts.
  private func address(_ entry: Entry, _ text: (Int?) -> String) -> (text: String, parts: PostalAddress?) {
    var address = PostalAddress()
    func first(_ columns: [Int]) -> String { text(columns.first { !text($0).isEmpty }) }
    for (part, columns) in entry.parts { address[part] = first(columns) }
    if entry.hasCodeBeforeCity, address[.postalCode].isEmpty { address.splitCity() }
    let lines = entry.lines(text)
    // The first column may have all of it.
    let hasPlace = !address[.city].isEmpty && !address[.postalCode].isEmpty
    let isWhole =
      address.hasPlace && (hasPlace || address[.city].isEmpty && address[.postalCode].isEmpty)
      && address.isIn(lines)
    let number = first(entry.houseNumber)
    if !isWhole { address[.street] = lines.isEmpty || number.isEmpty ? lines : lines + " " + number }
    let printed = first(entry.printed)
    let written =
      printed.isEmpty
      ? isWhole ? lines : address.text
      : address.components.contains { $0.contains(":::") }
        ? printed : address.completing(printed)
    return (written, address.hasPlace && address.isIn(written) ? address : nil)
  }
}

extension PostalAddress {
  /// Takes the postal code from before the city: `80331 Munich`, `D-80331 Munich`, `SW1A 1AA London`, `1012 AB Amsterdam`.
  fileprivate mutating func splitCity() {
    let words = self[.city].split(separator: " ")
    func isCode(_ word: Substring) -> Bool {
      word.contains(where: \.isNumber) && word.allSatisfy { $0.isNumber || $0.isUppercase || $0 == "-" }
    }
    var count = words.prefix(3).prefix(while: isCode).count
    // Dutch codes end with two letters.
    let isDutch = count == 1 && words[0].count == 4 && words[0].allSatisfy(\.isNumber) && words.count > 2
    if isDutch, words[1].count == 2, words[1].allSatisfy(\.isUppercase) { count = 2 }
    guard count > 0 else { return }
    (self[.postalCode], self[.city]) = (
      words[..<count].joined(separator: " "), words[count...].joined(separator: " ")
    )
  }

  /// An address as it is printed, with the parts that it lacks.
  fileprivate func completing(_ printed: String) -> String {
    let missing = components.filter { !$0.isEmpty && !printed.contains($0) }
    guard !missing.isEmpty else { return printed }
    func words(_ text: String) -> [Substring] {
      searchFolded(text).split { !$0.isLetter && !$0.isNumber }
    }
    // The parts are in their order, where they say all of it.
    let own = Set(words(text))
    return words(printed).allSatisfy(own.contains) ? text : ([printed] + missing).joined(separator: "\n")
  }
}

extension Record {
  /// The text of a column without blanks around it; empty if it means "no value".
  fileprivate func text(_ column: Int, _ nulls: [String]) -> String {
    guard column < values.count else { return "" }
    let text = values[column].plain
    return nulls.contains(text) ? "" : String(text.trimmingBlanks)
  }
}

extension ContactPlan.Entry {
  fileprivate func lines(_ text: (Int?) -> String) -> String {
    values.map { text($0) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

/// A column with one of several ways to reach a customer or with a part of one: `Business Phone`,
/// `E-mail 2 - Label`, `Home City`.
///
/// The first value of an e-mail address, a phone number, and a postal address becomes the field; the others, fax
/// and pager numbers, and labels become lines of `CustomerField.otherContacts`.
package struct ContactColumn: Hashable, Sendable {
  /// What a column has.
  package enum Role: Hashable, Sendable {
    case value
    /// Labels for the values of another column.
    case label
    /// A part of a postal address.
    case part
  }

  package let kind: ContactLine.Kind
  package let label: String
  package let role: Role
  /// Which part of an address it has.
  package let part: AddressPart?
  /// Whether the list has a column of the name, which gets the part, too.
  package var isKept = false
  /// Whether a column before it has the same part: a value that differs is kept as an extra column.
  package var isFurther = false

  package init(_ kind: ContactLine.Kind, label: String = "", _ role: Role = .value) {
    (self.kind, self.label, self.role, part) = (kind, label, role, nil)
  }

  package init(_ kind: ContactLine.Kind, label: String = "", part: AddressPart) {
    (self.kind, self.label, role, self.part) = (kind, label, .part, part)
  }

  /// The field of the main value; nil if the values are only lines of other contacts.
  package var field: CustomerField? { kind.field }
}

extension ContactColumn: CustomStringConvertible {
  /// What the column becomes, as in `phone (mobile)`.
  package var description: String {
    switch role {
    case .value:
      let name = field?.column ?? "\(CustomerField.otherContacts.column) (\(kind.rawValue))"
      return label.isEmpty ? name : field == nil ? "\(name.dropLast()) \(label))" : "\(name) (\(label))"
    case .label: return "its label"
    case .part: return isKept ? "part of the address, and extra column" : "part of the address"
    }
  }
}

extension CardLines {
  /// The lines of a customer whose card is imported again: those of the new card, and the others of what it does not
  /// have at all, by the names of their properties.
  static func merged(_ old: String, with new: String) -> String {
    // The name by which another program knows it stays.
    var card = JoinedCard(
      uid(in: old) == nil ? new : withoutUID(new), several: ["EMAIL", "TEL", "ADR"])
    card.takeUnknown(of: card.take(old))
    return card.text
  }

  /// The value of the property by which another program knows the card; nil without one.
  static func uid(in lines: String) -> String? {
    let line = lines.split(separator: "\n").first { name(of: $0).name == "UID" }
    return line.flatMap { VCardProperty(String($0))?.value }
  }

  /// The lines without that property.
  static func withoutUID(_ lines: String) -> String {
    lines.split(separator: "\n").filter { name(of: $0).name != "UID" }.joined(separator: "\n")
  }
}

extension ExtraColumns {
  /// The lines of the card of a customer; empty without one.
  var cardLines: String { columns.first { $0.name == ExtraColumns.card }?.value.text ?? "" }
}
