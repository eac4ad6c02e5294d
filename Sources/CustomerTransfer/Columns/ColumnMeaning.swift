package import CustomerStore
internal import CustomersText

/// What the name of a column says about its values.
struct ColumnMeaning {
  /// What a whole name means; nil if its words do.
  private(set) var whole: ColumnVocabulary.Whole?
  private(set) var kind: ContactLine.Kind?
  private(set) var part: AddressPart?
  /// Whether the column has whole addresses, as printed.
  private(set) var isWhole = false
  /// What the values are for, such as `work`.
  private(set) var label = ""
  private(set) var number: Int?
  /// Whether the column has labels for the values of another one.
  private(set) var isType = false
  private(set) var rank = Contacts.Rank.usual
  /// Whether the column has the number of a house, beside one with the street.
  private(set) var isHouseNumber = false
  /// Whether the column has the postal code before the city.
  private(set) var hasCodeBeforeCity = false
  /// Whether the column has counties, which are regions where there are no states.
  private(set) var isCounty = false
  /// Whether the name has a word for a whole address.
  private(set) var hasAddressWord = false
  /// The number of the section in a contact of Gmail's first years.
  private(set) var section: Int?
  /// Whether the column has the label of all values of a section.
  private(set) var isSectionLabel = false

  /// Understands a name; nil if it may be anything.
  init?(_ column: String) {
    // No program has such a name; a first line of values may be longer than many others.
    guard column.utf8.count < 500 else { return nil }
    let words: [String]
    (section, words) = ColumnMeaning.inSection(column)
    isSectionLabel = section != nil && words == ["description"]
    guard !isSectionLabel else { return }
    whole = ColumnMeaning.whole(words)
    guard whole == nil else { return }
    guard let meanings = ColumnMeaning.meanings(words, number: &number) else { return nil }
    var (kinds, parts, labels): (Set<ContactLine.Kind>, Set<AddressPart>, [String]) = ([], [], [])
    for meaning in meanings {
      switch meaning {
      case .kind(let kind): kinds.insert(kind)
      case .part(let part): parts.insert(part)
      case .label(let label): if !labels.contains(label) { labels.append(label) }
      case .whole: isWhole = true
      case .main: rank = .preferred
      case .secondary: rank = .secondary
      case .houseNumber: (isHouseNumber, _) = (true, parts.insert(.street))
      case .codeAndCity: (hasCodeBeforeCity, _) = (true, parts.insert(.city))
      case .type: isType = true
      case .filler: break
      }
    }
    // An e-mail address is no postal address, nor is "country or region" a region, nor "mobile fax" a phone.
    if kinds.count > 1 { kinds.remove(.address) }
    if kinds.count > 1 { kinds.remove(.phone) }
    if parts.contains(.country) { parts.remove(.region) }
    if !parts.isEmpty { kinds.insert(.address) }
    guard kinds.count == 1, let kind = kinds.first, parts.count < 2, !isWhole || kind == .address,
      parts.isEmpty || kind == .address
    else { return nil }
    self.kind = kind
    part = parts.first
    // The number of a company's switchboard.
    if kind == .phone, rank == .preferred, labels == ["work"] { (labels, rank) = (["company"], .secondary) }
    if kind != .phone { labels.removeAll { $0 == "mobile" } }
    label = labels.joined(separator: " ")
    isCounty = part == .region && words.contains("county")
    hasAddressWord = meanings.contains(.kind(.address))
  }

  /// A phone number with a label.
  init(phone label: String) { (kind, self.label) = (.phone, label) }

  /// The letters and digits of a name, in lowercase without accents.
  static func key(_ column: String) -> String { inSection(column).words.joined() }

  /// The number of the section of a column, as in "Section 2 - Company"; nil for any other column.
  static func section(_ column: String) -> Int? { inSection(column).section }

  /// The words, and the number of the section before them.
  private static func inSection(_ column: String) -> (section: Int?, words: [String]) {
    let words = words(column)
    guard words.count > 2, words[0] == "section", let number = Int(words[1]) else { return (nil, words) }
    return (number, Array(words.dropFirst(2)))
  }

  /// The words in lowercase without accents; a number is a word.
  private static func words(_ column: String) -> [String] {
    var words: [String.UnicodeScalarView] = []
    var last = LetterKind.none
    for scalar in column.unicodeScalars {
      let kind = LetterKind(scalar)
      if kind != .none {
        let isSame =
          last != .none && (last == .digit) == (kind == .digit) && !(last == .lower && kind == .upper)
        if !isSame { words.append(String.UnicodeScalarView()) }
        words[words.count - 1].append(scalar)
      }
      last = kind
    }
    return words.map { searchFolded(String($0)) }
  }

  /// What the words mean together, perhaps after the one that says of whom, as in "Lead Name".
  private static func whole(_ words: [String]) -> ColumnVocabulary.Whole? {
    if let whole = ColumnVocabulary.byWhole[words.joined()] { return whole }
    if let first = firstOfSeveral(words) { return first }
    guard words.count > 1, ColumnVocabulary.owners.contains(words[0]),
      case .field(let field)? = ColumnVocabulary.byWhole[words.dropFirst().joined()]
    else { return nil }
    return .field(field)
  }

  /// The column that every list may have, of which a name has a further number: "Web Page 2", "Organization 2 - Title".
  private static func firstOfSeveral(_ words: [String]) -> ColumnVocabulary.Whole? {
    let numbers = words.indices.filter { words[$0].allSatisfy(\.isNumber) }
    guard words.count > 1, numbers.count == 1, let number = numbers.first, words[number] != "1" else {
      return nil
    }
    let names = [["1"], []].map { (words[..<number] + $0 + words[(number + 1)...]).joined() }
    return names.lazy.compactMap { ColumnVocabulary.byWhole[$0] }.first {
      if case .field(.extra) = $0 { true } else { false }
    }
  }

  /// The two parts of a word such as `officecity`, of which the first says what a value is for; nil for any other word.
  private static func compound(_ word: String) -> [String]? {
    let labels = [
      "office", "home", "work", "business", "other", "mobile", "fax", "mailing", "billing", "shipping",
    ]
    for label in labels where word.hasPrefix(label) {
      let rest = String(word.dropFirst(label.count))
      if ColumnVocabulary.byPhrase[rest] != nil { return [label, rest] }
    }
    return nil
  }

  /// The meanings of all words; nil if one is unknown.
  private static func meanings(_ words: [String], number: inout Int?) -> [ColumnVocabulary.Word]? {
    var meanings: [ColumnVocabulary.Word] = []
    var rest = words[...]
    while let first = rest.first {
      if let value = Int(first) {
        guard number == nil else { return nil }
        number = value
        rest.removeFirst()
        continue
      }
      let length = (1...min(rest.count, ColumnVocabulary.phraseLength)).reversed().first {
        ColumnVocabulary.byPhrase[rest.prefix($0).joined(separator: " ")] != nil
      }
      if length == nil, let parts = compound(first) {
        rest = parts + rest.dropFirst()
        continue
      }
      guard let length else { return nil }
      meanings += ColumnVocabulary.byPhrase[rest.prefix(length).joined(separator: " ")] ?? []
      rest.removeFirst(length)
    }
    return meanings
  }
}

/// The field of a column that an import takes for one of several ways to reach a customer, or for a part of one, and the
/// label of its values: phone and `mobile` for "Mobile", address and `home` for "Home City"; nil for any other name.
package func contactColumn(_ name: String) -> (field: CustomerField, label: String, isPart: Bool)? {
  guard let meaning = ColumnMeaning(name), meaning.whole == nil, !meaning.isType, let kind = meaning.kind
  else { return nil }
  // A phone with the label `fax` is one.
  let label = kind.field == nil ? "\(meaning.label) \(kind.rawValue)".trimmed : meaning.label
  return label.isEmpty ? nil : (kind.field ?? .phone, label, meaning.part != nil)
}

/// What a character does in a name; quick for ASCII.
private enum LetterKind {
  case none, lower, upper, digit

  init(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "a"..."z", "\u{300}"..."\u{36f}": self = .lower
    case "A"..."Z": self = .upper
    case "0"..."9": self = .digit
    case "\0"..."\u{7f}": self = .none
    default:
      let properties = scalar.properties
      self = !properties.isAlphabetic ? .none : properties.isUppercase ? .upper : .lower
    }
  }
}

/// Gives the extra columns of a file the names that they have in the list: the same name, otherwise the one that
/// is the same but for case, accents, spaces, `-`, and `_`.
final class ColumnNames {
  /// The names in the list before the import, by what does not count as a difference.
  private var listed: [String: [String]] = [:]
  /// The names in the list and in the file so far.
  private var all: [String: [String]] = [:]
  /// The same names, byte by byte.
  private var known: Set<[UInt8]> = []
  /// The names that came with the file beside others that are the same but for what is ignored.
  private var keysOfSimilar: [String] = []
  private var similarKeys: Set<String> = []
  /// The names in the list that only the same letters mean, because other spellings are those of a known column.
  private let unlikeKnown: Set<String>

  /// The names in the list of known columns that it has by another name, by their titles.
  private let ofKnown: [String: String]

  /// Takes the names in the list.
  init(_ names: [String] = [], unlikeKnown: Set<String> = [], ofKnown: [String: String] = [:]) {
    (self.unlikeKnown, self.ofKnown) = (unlikeKnown, ofKnown)
    for name in names { add(name, Name(name).key) }
    for (key, names) in all { listed[key, default: []] += names }
    (keysOfSimilar, similarKeys) = ([], [])
  }

  /// Whether the list has the column, perhaps under a name that differs in case and the like.
  func isListed(_ name: String) -> Bool { !listed(like: name).isEmpty }

  private func listed(like name: String) -> [String] {
    let found = listed[Name(name).key] ?? []
    guard found.contains(where: unlikeKnown.contains) else { return found }
    let same = found.filter { caseFolded($0) == caseFolded(name) }
    return same.isEmpty ? found.filter { !unlikeKnown.contains($0) } : same
  }

  /// Whether the list has the column under exactly this other name.
  func isListed(_ name: String, as title: String) -> Bool { listed(like: name) == [title] }

  /// Whether a name is one of the list or was that of a column before.
  func contains(_ name: String) -> Bool { known.contains(Array(name.utf8)) }

  /// The columns that are the same but for what is ignored, one of which is new.
  var similar: [[String]] { keysOfSimilar.compactMap { all[$0] } }

  /// The names in the list of columns that one customer may have; all are different.
  ///
  /// A column keeps its name if another one of the file has the name that it would get.
  ///
  /// - Throws: `ListError.ambiguousColumn` if the list has several that it may be.
  func names(for columns: [String]) throws -> [String] {
    guard !columns.allSatisfy({ known.contains(Array($0.utf8)) }) else { return columns }
    var taken = Set(columns.map { Array($0.utf8) })
    return try columns.map { column in
      guard !known.contains(Array(column.utf8)) else { return column }
      let key = Name(column).key
      let found = key.isEmpty ? [] : listed(like: column)
      guard found.count < 2 else { throw ListError.ambiguousColumn(column, among: found) }
      if let name = found.first ?? otherName(of: column), taken.insert(Array(name.utf8)).inserted {
        return name
      }
      add(column, key)
      return column
    }
  }

  /// The name that the list has, perhaps from cards of older versions, for a column that every list may have.
  private func otherName(of column: String) -> String? {
    ofKnown[column]
      ?? KnownColumn(column)?.property.flatMap { listed[Name($0).key]?.contains($0) == true ? $0 : nil }
  }

  private func add(_ name: String, _ key: String) {
    known.insert(Array(name.utf8))
    guard !key.isEmpty else { return }
    if unlikeKnown.contains(name) { return listed[key, default: []].append(name) }
    if all[key] != nil, similarKeys.insert(key).inserted { keysOfSimilar.append(key) }
    all[key, default: []].append(name)
  }
}

extension String {
  /// The tags in a column of another program, one per line.
  var writtenTags: String {
    let pieces: [String]
    if contains(":::") {
      pieces = split(separator: ":::").map(String.init)
    } else if let separator = ["\n", ";", ","].first(where: contains) {
      pieces = split(separator: separator).map(String.init)
    } else {
      pieces = [self]
    }
    return pieces.map { piece in
      // Mailchimp quotes each, Google marks its own groups with an asterisk.
      let tag = String(piece.trimmingBlanks).withoutQuotes
      return tag.hasPrefix("* ") ? String(tag.dropFirst(2)) : tag
    }.filter { !$0.isEmpty && $0 != "myContacts" && $0 != "My Contacts" }
      .map(\.asTagLine).joined(separator: "\n")
  }

  /// The text in a pair of quotes, if it has no others.
  private var withoutQuotes: String {
    let text = dropFirst().dropLast()
    return hasPrefix("\"") && hasSuffix("\"") && !text.contains("\"") ? String(text) : self
  }

  /// The tag as a line of its field; one that an export wrote is such a line already.
  private var asTagLine: String {
    ContactLine.escaped(ContactLine.unescaped(self)) == self ? self : ContactLine.escaped(self)
  }
}

extension Record {
  /// The customer as it is in a table of another program.
  var withoutGuards: Record { Record(columns: columns, values: values.map(\.withoutGuard), line: line) }
}

extension Record.Value {
  /// Whether it is certainly one value of a field, with nothing around it.
  func isOneValue(of field: CustomerField) -> Bool {
    guard case .text(let text) = self, field != .address else { return true }
    let bytes = Array(text.utf8)
    let plain = field == .phone ? Record.Value.plainOfPhone : Record.Value.plainOfOthers
    return plain.end(in: bytes, from: 0) == bytes.count
  }

  private static let plainOfOthers = ByteSet { !":;,> ".utf8.contains($0) }
  private static let plainOfPhone = ByteSet { !":;,>".utf8.contains($0) }

  /// The text without that by which programs keep Excel from changing it: `="0301"`, and `'+49 301`.
  fileprivate var withoutGuard: Record.Value {
    guard case .text(let text) = self else { return self }
    switch text.utf8.first {
    case UInt8(ascii: "=") where text.hasPrefix("=\"") && text.hasSuffix("\"") && text.utf8.count > 3:
      return .text(String(text.dropFirst(2).dropLast()).replacing("\"\"", with: "\""))
    case UInt8(ascii: "'")
    where text.hasPrefix("'+") && text.dropFirst(2).first?.isNumber == true
      && text.dropFirst(2).allSatisfy { $0.isNumber || " -()/.".contains($0) }:
      return .text(String(text.dropFirst()))
    default: return self
    }
  }

  /// The value of a card, with addresses and numbers as dialed.
  func cleaned(for target: ColumnTarget) -> Record.Value {
    guard case .text(let text) = self, case .field(let field) = target else { return self }
    if let kind = field.contactKind { return .text(ContactLine.cleaned(kind, text)) }
    guard field == .otherContacts else { return self }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = String(line)
      guard let contact = ContactLine(line) else { return line }
      let value = ContactLine.cleaned(contact.kind, contact.value)
      return value == contact.value ? line : ContactLine(contact.kind, label: contact.label, value).text
    }
    return .text(lines.joined(separator: "\n"))
  }

  /// The id of a customer, as spreadsheets may write it: `1`, `1.0`, `1,0` or `@1`; nil for a new customer.
  func id(_ record: Record, _ index: Int) throws -> Int64? {
    var text = plain.trimmingBlanks
    guard !text.isEmpty else { return nil }
    if text.first == "@" { text = text.dropFirst() }
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard let id = Int64(parts[0]), parts.dropFirst().allSatisfy({ $0.allSatisfy { $0 == "0" } }) else {
      throw ParseError(
        line: record.line,
        message:
          "column \(index + 1) is not the id of a customer; restore it or leave it empty for a new customer")
    }
    return id
  }

  /// The text, or the JSON as it is written.
  var plain: String {
    switch self {
    case .text(let text), .json(let text): text
    }
  }

  /// Yes or no or nil for neither.
  func flag(_ target: ColumnTarget, _ record: Record, _ index: Int) throws -> Bool? {
    if plain.isEmpty { return nil }
    // A spreadsheet writes its own words, such as WAHR.
    let written = ColumnReading.yesNo.stored(plain, today: .today) ?? plain
    guard let isSet = Bool(typed: written) else {
      throw ParseError(
        line: record.line,
        message: "column \(index + 1) is imported as \(target), which must be yes, no, true, false, 1, or 0")
    }
    return isSet
  }

  /// The members of a JSON object.
  func members(mayBeText: Bool) -> [(name: String, value: Record.Value)]? {
    if case .text = self, !mayBeText { return nil }
    return try? JSON.columns(ofObject: plain)
  }
}
