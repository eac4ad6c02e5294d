internal import CustomersText

/// One way to reach a customer, as a line of `other_contacts`: `email work: b@y`; without a value, `email work:`, it is the
/// label of the main one.
package struct ContactLine: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case email, phone, fax, pager, address
  }

  package var kind: Kind
  /// What it is for, such as `work`; empty if nothing says so.
  package var label: String
  /// The address or number; a postal address has line feeds.
  package var value: String

  package init(_ kind: Kind, label: String = "", _ value: String) {
    self.kind = kind
    self.label = label
    self.value = value
  }

  /// Parses a line; nil if it is not exactly as `text` writes it.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    var (kindEnd, colon) = (0, 0)
    while kindEnd < bytes.count, bytes[kindEnd] != 0x20, bytes[kindEnd] != 0x3a { kindEnd += 1 }
    colon = kindEnd
    while colon < bytes.count, bytes[colon] != 0x3a { colon += bytes[colon] == 0x5c ? 2 : 1 }
    guard colon < bytes.count, let kind = Kind(rawValue: String(decoding: bytes[..<kindEnd], as: UTF8.self))
    else { return nil }
    let label = kindEnd < colon ? String(decoding: bytes[(kindEnd + 1)..<colon], as: UTF8.self) : ""
    let value = String(decoding: bytes[min(colon + 2, bytes.count)...], as: UTF8.self)
    self.init(kind, label: ContactLine.unescaped(label), ContactLine.unescaped(value))
    guard self.text == text, !self.value.isEmpty || isLabel else { return nil }
  }

  /// The line: the kind, the label, a colon, and the value.
  package var text: String {
    let name = label.isEmpty ? kind.rawValue : "\(kind.rawValue) \(ContactLine.escaped(label, colon: true))"
    return value.isEmpty ? "\(name):" : "\(name): \(ContactLine.escaped(value))"
  }

  /// The lines of other contacts, in which a label of a main value has the value, too.
  package static func writtenOut(_ otherContacts: String, _ main: (CustomerField) -> String?) -> [String] {
    otherContacts.split(separator: "\n").map(String.init).map { text in
      guard let line = ContactLine(text), line.isLabel, let value = line.kind.field.flatMap(main),
        !value.isEmpty
      else { return text }
      return ContactLine(line.kind, label: line.label, value).text
    }
  }

  /// Whether it is only the label of the main value.
  package var isLabel: Bool { value.isEmpty && !label.isEmpty && kind.field != nil }

  /// A string as part of a line: a line break is `\n`, and a backslash `\\`.
  package static func escaped(_ text: String) -> String { escaped(text, colon: false) }

  private static func escaped(_ text: String, colon: Bool) -> String {
    let bytes = Array(text.utf8)
    guard plain.end(in: bytes, from: 0) < bytes.count else { return text }
    var escaped: [UInt8] = []
    var (index, last): (Int, UInt8) = (0, 0)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      // CR LF is one line break.
      if byte != 0x0a || last != 0x0d {
        let isBreak = byte == 0x0a || byte == 0x0d
        if isBreak || byte == 0x5c || byte == 0x3a && colon { escaped.append(0x5c) }
        escaped.append(isBreak ? 0x6e : byte)
      }
      last = byte
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// What is escaped nowhere.
  private static let plain = ByteSet { $0 != 0x5c && $0 != 0x0a && $0 != 0x0d && $0 != 0x3a }
  private static let unescaped = ByteSet { $0 != 0x5c }

  /// The text that was escaped.
  package static func unescaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard unescaped.end(in: bytes, from: 0) < bytes.count else { return text }
    var plain: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let isEscape = bytes[index] == 0x5c && index + 1 < bytes.count
      if isEscape { index += 1 }
      plain.append(isEscape && bytes[index] == 0x6e ? 0x0a : bytes[index])
      index += 1
    }
    return String(decoding: plain, as: UTF8.self)
  }
}

extension CustomerField {
  /// A line of a field with any number of values as people see and type it: a line break in a value is one.
  package func typed(line: String) -> String {
    guard self == .otherContacts else { return ContactLine.unescaped(line) }
    guard ContactLine(line) != nil, let colon = ContactLine.colon(in: line) else { return line }
    return line[...colon] + ContactLine.unescaped(String(line[line.index(after: colon)...]))
  }

  /// What people typed as a line.
  package func line(typed text: String) -> String {
    guard self == .otherContacts else { return ContactLine.escaped(text) }
    if let colon = ContactLine.colon(in: text) {
      let line = text[...colon] + ContactLine.escaped(String(text[text.index(after: colon)...]))
      if ContactLine(String(line)) != nil { return String(line) }
    }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension ContactLine {
  /// The colon after the label.
  fileprivate static func colon(in line: String) -> String.Index? {
    var isEscaped = false
    return line.firstIndex { character in
      defer { isEscaped = character == "\\" && !isEscaped }
      return character == ":" && !isEscaped
    }
  }
}

extension ContactLine {
  /// Creates a line with a label as other programs write it: `* Work Fax`, `_$!<Mobile>!$_`, `CELL`.
  ///
  /// The number of a fax or pager is no phone number.
  package init(_ kind: Kind, labeled written: String, _ value: String) {
    guard !written.isEmpty else {
      self.init(kind, value)
      return
    }
    var words = written.trimmed.utf8.split(separator: 0x20).map { String($0) ?? "" }
    if words.first == "*" { words.removeFirst() }
    var label = words.joined(separator: " ")
    if label.hasPrefix("_$!<"), label.hasSuffix(">!$_") { label = String(label.dropFirst(4).dropLast(4)) }
    self.init(kind, label: label, value)
    let lowercase = label.lowercased()
    if let known = ContactLine.labels[lowercase] {
      self.label = known
    } else if kind == .phone, let found = ContactLine.machines.first(where: { lowercase.hasMachine($0.0) }) {
      self.kind = found.1
      self.label = lowercase.replacing(found.0, with: "").trimmed
      if let known = ContactLine.labels[self.label] { self.label = known }
    }
  }

  private static let machines: [(String, Kind)] = [("fax", .fax), ("pager", .pager)]
  /// What begins the name of no machine.
  fileprivate static let noMachine = ByteSet { $0 != UInt8(ascii: "f") && $0 != UInt8(ascii: "p") }

  /// The labels that many programs have, and how they are written here.
  private static let labels: [String: String] = [
    "work": "work", "business": "work", "home": "home", "mobile": "mobile", "cell": "mobile",
    "other": "other", "main": "main", "internet": "", "smtp": "", "ex": "", "voice": "", "pref": "",
    "default": "",
  ]
}

extension ContactLine {
  /// A value without what other programs write around it: spaces, `tel:`, `mailto:`, or the name in `Ann Lee <a@x>`.
  package static func cleaned(_ kind: Kind, _ text: String) -> String {
    switch kind {
    case .email:
      var value = text.trimmed
      if value.hasSuffix(">"), let start = value.lastIndex(of: "<") {
        let address = String(value[value.index(after: start)...].dropLast()).trimmed
        if address.contains("@") { value = address }
      }
      return value.withoutScheme("mailto:")
    case .phone, .fax, .pager: return text.trimmed.withoutScheme("tel:")
    case .address: return text
    }
  }
}

extension String {
  /// The text without the scheme of a URI at its start, unless nothing follows.
  fileprivate func withoutScheme(_ scheme: String) -> String {
    guard let first = utf8.first, first | 0x20 == scheme.utf8.first, utf8.count > scheme.utf8.count else {
      return self
    }
    return prefix(scheme.count).lowercased() == scheme ? String(dropFirst(scheme.count)) : self
  }

  /// Whether the name of a machine is in it; found by bytes, because a label may be long.
  fileprivate func hasMachine(_ name: String) -> Bool {
    let (bytes, name) = (Array(utf8), Array(name.utf8))
    var index = ContactLine.noMachine.end(in: bytes, from: 0)
    while index + name.count <= bytes.count {
      if bytes[index..<index + name.count].elementsEqual(name) { return true }
      index = ContactLine.noMachine.end(in: bytes, from: index + 1)
    }
    return false
  }

  /// The text without spaces, tabs, and line ends around it.
  package var trimmed: String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.value <= 0x20 || scalar == "\u{a0}" }
    guard let first = unicodeScalars.first, let last = unicodeScalars.last, isBlank(first) || isBlank(last)
    else { return self }
    var scalars = unicodeScalars[...]
    while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(scalars)
  }
}

extension ContactLine.Kind {
  /// The field of the main value; nil if there is none.
  package var field: CustomerField? {
    switch self {
    case .email: .email
    case .phone: .phone
    case .address: .address
    case .fax, .pager: nil
    }
  }

  /// The kinds that have a field.
  static let main = allCases.filter { $0.field != nil }
}

extension CustomerField {
  /// The kind of a field with the main one of several values; nil for any other field.
  package var contactKind: ContactLine.Kind? {
    switch self {
    case .email: .email
    case .phone: .phone
    case .address: .address
    default: nil
    }
  }
}

/// The ways to reach a customer: the main ones in their fields, the others in lines.
///
/// The label of a main value is a line without a value. One that repeats the main value, as older versions wrote it, labels
/// it, too, until the next edit. Lines that say anything else stay as they are.
extension CustomerFields {
  /// The lines of other contacts that name a way to reach the customer, or label one.
  private var allContactLines: [ContactLine] {
    otherContacts.isEmpty ? [] : contactTexts.compactMap { ContactLine(String($0)) }
  }

  /// The lines of other contacts that name a way to reach the customer.
  package var contactLines: [ContactLine] { allContactLines.filter { !$0.isLabel } }

  /// The line that labels the main value of a kind.
  private func labelLine(_ kind: ContactLine.Kind) -> ContactLine? {
    allContactLines.first { $0.kind == kind && $0.isLabel }
  }

  /// The lines of other contacts that say anything else.
  package var otherLines: [String] {
    contactTexts.map(String.init).filter { ContactLine($0) == nil }
  }

  /// All ways to reach the customer, each once with its label: of each kind the main one, then the others.
  package var contacts: [ContactLine] {
    let all = allContactLines
    let kinds = ContactLine.Kind.main + ContactLine.Kind.allCases.filter { $0.field == nil }
    return kinds.flatMap { kind -> [ContactLine] in
      let own = all.filter { $0.kind == kind && !$0.isLabel }
      guard let main = main(kind) else { return own }
      let label = all.first { $0.kind == kind && $0.isLabel }?.label
      let first = label == nil ? own.first { $0.value == main } : nil
      return [ContactLine(kind, label: label ?? first?.label ?? "", main)] + own.filter { $0 != first }
    }
  }

  /// The values of a field, one by one and without labels: of an e-mail address, a phone number, and a postal
  /// address the main one and the others, of a part of the address that of each, of tags each; none if the field is empty.
  package func values(of field: CustomerField) -> [String] {
    let text = self[field].text
    if field.kind == .lines {
      return text.split(whereSeparator: \.isNewline).map { ContactLine.unescaped(String($0)) }
    }
    if case .part(let part) = field {
      return addressesInParts.map { $0[part] }.filter { !$0.isEmpty }
    }
    var values = text.isEmpty ? [] : [text]
    guard let kind = field.contactKind else { return values }
    var seen = Set(values)
    for line in contactLines where line.kind == kind && seen.insert(line.value).inserted {
      values.append(line.value)
    }
    return values
  }

  /// The main phone number and all other numbers, one per line.
  var phoneNumbers: String {
    guard !otherContacts.isEmpty else { return phone }
    return ([phone] + contactLines.filter(\.kind.isNumber).map(\.value)).joined(separator: "\n")
  }

  private var contactTexts: [Substring] { otherContacts.split(whereSeparator: \.isNewline) }

  /// The main value of a kind; nil if there is none.
  private func main(_ kind: ContactLine.Kind) -> String? {
    guard let text = kind.field.map({ self[$0].text }), !text.isEmpty else { return nil }
    return text
  }

  /// Keeps the lines that `change` returns; a line that it does not return is removed.
  private mutating func changeLines(_ change: (ContactLine) -> ContactLine?) {
    let texts = contactTexts.map(String.init)
    let changed = texts.compactMap { text in ContactLine(text).map { change($0)?.text } ?? text }
    if changed != texts { otherContacts = changed.joined(separator: "\n") }
  }
}

extension CustomerFields {
  /// Adds a line; see ``FieldChanges/added``.
  mutating func addContact(_ text: String) {
    guard let line = ContactLine(text) else {
      return otherContacts.addLine(text)
    }
    guard let known = contacts.first(where: { $0.isSame(as: line) }) else { return insert(line) }
    guard !line.label.isEmpty, line.label != known.label else { return }
    guard contactLines.contains(known) else { return setLabel(line.label, of: line.kind) }
    changeLines { $0 == known ? ContactLine(line.kind, label: line.label, known.value) : $0 }
  }

  /// Labels the main value of a kind; an empty label removes the one that it has.
  package mutating func setLabel(_ label: String, of kind: ContactLine.Kind) {
    let line = label.isEmpty ? nil : ContactLine(kind, label: label, "")
    if let old = labelLine(kind) { return changeLines { $0 == old ? line : $0 } }
    if let line { otherContacts = line.text + (otherContacts.isEmpty ? "" : "\n" + otherContacts) }
  }

  /// Adds what a duplicate has; values and labels that differ are kept beside each other.
  ///
  /// - Complexity: O(lines of both).
  package mutating func addContacts(of other: CustomerFields) {
    var known = Dictionary(contacts.map { ($0.identity, $0.value) }) { first, _ in first }
    var lines = Set(contacts.map(\.labeledIdentity))
    for line in other.contacts {
      let spelling = known[line.identity]
      if spelling == nil, other.main(line.kind) == line.value {
        insert(line)
      } else if spelling == nil || !line.label.isEmpty && !lines.contains(line.labeledIdentity) {
        let added = ContactLine(line.kind, label: line.label, spelling ?? line.value)
        let isMain = added.value == main(line.kind) && contacts.first { $0.kind == line.kind }?.label == ""
        if isMain { setLabel(line.label, of: line.kind) } else { otherContacts.append(line: added.text) }
      }
      known[line.identity] = spelling ?? line.value
      lines.insert(line.labeledIdentity)
    }
    for line in other.otherLines { otherContacts.addLine(line) }
  }

  /// Removes a value with all its lines; see ``FieldChanges/removed``.
  mutating func removeContact(_ text: String) {
    guard let line = ContactLine(text) else { return otherContacts.removeLine(text) }
    changeLines { $0.isSame(as: line) ? nil : $0 }
    guard let field = line.kind.field, let main = main(line.kind),
      ContactLine(line.kind, main).isSame(as: line)
    else { return }
    let next = contactLines.first { $0.kind == line.kind }
    self[field] = .text(next?.value ?? "")
    settleLabel(of: line.kind, replacing: main)
  }

  /// Stores what belongs to main values as they are now, after an edit.
  ///
  /// A main value is also a line, with its label, to the people who edit lines: a change of that line is one of the value.
  /// A label stays with the main value, or goes to the one that replaces it, and is stored once. The parts of an address
  /// of which more than the street was changed are not known any more.
  mutating func settle(from before: CustomerFields) {
    let areSame = otherContacts == before.otherContacts
    if !areSame { for kind in ContactLine.Kind.main { takeChangedLine(of: kind, from: before) } }
    if address != before.address, addressParts == before.addressParts, !addressParts.isEmpty {
      settleParts(from: before)
    }
    guard !otherContacts.isEmpty else { return }
    for kind in ContactLine.Kind.main { settleLabel(of: kind, replacing: areSame ? before.main(kind) : nil) }
  }

  /// Gives the main value, if it is still the one before, the value of the new line in the place of its own one.
  private mutating func takeChangedLine(of kind: ContactLine.Kind, from before: CustomerFields) {
    guard let field = kind.field, let main = main(kind), before.main(kind) == main,
      let own = before.labelLine(kind)
        ?? before.contactLines.first(where: { $0.kind == kind && $0.value == main })
    else { return }
    let (lines, known) = (allContactLines.filter { $0.kind == kind }, Set(before.contactLines))
    let new = lines.filter { $0.label == own.label && !known.contains($0) }
    guard new.count == 1, !lines.contains(where: { $0.isLabel || $0.value == main }) else { return }
    self[field] = .text(new[0].value)
    changeLines { $0 == new[0] ? own.label.isEmpty ? nil : ContactLine(kind, label: own.label, "") : $0 }
  }

  /// - Parameters:
  ///   - kind: the kind of the main value.
  ///   - old: the main value before, unless the lines were changed, too.
  private mutating func settleLabel(of kind: ContactLine.Kind, replacing old: String?) {
    let (new, own) = (main(kind), contactLines.filter { $0.kind == kind })
    let repeated = own.first { $0.value == new }
    let former = old == new ? nil : own.first { $0.value == old }
    let isPromoted = old != nil && old != new && repeated != nil
    let known = labelLine(kind)?.label
    guard new != nil || known != nil || former != nil else { return }
    let source = known == nil || isPromoted ? repeated ?? former : nil
    let label = source?.label ?? known ?? ""
    changeLines { line in
      if line == source { return new == nil || label.isEmpty ? nil : ContactLine(kind, label: label, "") }
      if line == former || line == repeated && (line.label.isEmpty || line.label == label) { return nil }
      return line.kind == kind && line.isLabel && (isPromoted || new == nil) ? nil : line
    }
  }

  private mutating func insert(_ line: ContactLine) {
    guard let field = line.kind.field, main(line.kind) == nil else {
      return otherContacts.append(line: line.text)
    }
    self[field] = .text(line.value)
    if !line.label.isEmpty { setLabel(line.label, of: line.kind) }
  }
}

extension ContactLine {
  /// Whether both are the same address or number, however they are written and labeled.
  package func isSame(as other: ContactLine) -> Bool {
    kind == other.kind && (value == other.value || identity == other.identity)
  }

  /// What all spellings of an address or a number have in common.
  fileprivate var identity: Identity {
    if kind.isNumber, let number = PhoneDigits(value).number { return .number(kind, number) }
    return .words(kind, searchFolded(value).split(whereSeparator: \.isWhitespace).map(String.init))
  }

  fileprivate enum Identity: Hashable {
    case number(Kind, String)
    case words(Kind, [String])
  }

  fileprivate var labeledIdentity: Labeled { Labeled(label: label, identity: identity) }

  fileprivate struct Labeled: Hashable {
    let label: String
    let identity: Identity
  }
}

extension ContactLine.Kind {
  /// Whether the values are numbers to dial.
  package var isNumber: Bool { self == .phone || self == .fax || self == .pager }
}
