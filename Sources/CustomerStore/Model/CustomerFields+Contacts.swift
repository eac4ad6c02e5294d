package import CustomersFormats

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
/// A line that repeats the main value labels it. Lines that say anything else stay as they are.
extension CustomerFields {
  /// The lines of other contacts that name a way to reach the customer.
  package var contactLines: [ContactLine] {
    otherContacts.isEmpty ? [] : contactTexts.compactMap { ContactLine(String($0)) }
  }

  /// The lines of other contacts that say anything else.
  package var otherLines: [String] {
    contactTexts.map(String.init).filter { ContactLine($0) == nil }
  }

  /// All ways to reach the customer, each once with its label: of each kind the main one, then the others.
  package var contacts: [ContactLine] {
    let lines = contactLines
    let kinds = ContactLine.Kind.main + ContactLine.Kind.allCases.filter { $0.field == nil }
    return kinds.flatMap { kind -> [ContactLine] in
      let own = lines.filter { $0.kind == kind }
      guard let main = main(kind) else { return own }
      let label = own.first { $0.value == main } ?? ContactLine(kind, main)
      return [label] + own.filter { $0 != label }
    }
  }

  /// The values of a field, one by one and without labels: of an e-mail address, a phone number, and a postal
  /// address the main one and the others, of tags each; none if the field is empty.
  package func values(of field: CustomerField) -> [String] {
    let text = self[field].text
    if field.kind == .lines {
      return text.split(whereSeparator: \.isNewline).map { ContactLine.unescaped($0) }
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
    let labeled = ContactLine(line.kind, label: line.label, known.value)
    if contactLines.contains(known) {
      changeLines { $0 == known ? labeled : $0 }
    } else {
      otherContacts.append(line: labeled.text)
    }
  }

  /// Adds what a duplicate has; values and labels that differ are kept beside each other.
  ///
  /// - Complexity: O(lines of both).
  package mutating func addContacts(of other: CustomerFields) {
    var known = Dictionary(contacts.map { ($0.identity, $0.value) }) { first, _ in first }
    var lines = Set(contactLines.map(\.labeledIdentity))
    for line in other.contacts {
      let spelling = known[line.identity]
      if spelling == nil, other.main(line.kind) == line.value {
        insert(line)
      } else if spelling == nil || !line.label.isEmpty && !lines.contains(line.labeledIdentity) {
        let added = ContactLine(line.kind, label: line.label, spelling ?? line.value)
        otherContacts.append(line: added.text)
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
    if let next, next.label.isEmpty { changeLines { $0 == next ? nil : $0 } }
  }

  /// Gives the label of a main value that was replaced to the new one, unless the lines were changed, too.
  mutating func moveLabels(from before: CustomerFields) {
    guard !otherContacts.isEmpty, otherContacts == before.otherContacts else { return }
    for kind in ContactLine.Kind.main {
      guard let old = before.main(kind), main(kind) != old else { continue }
      let new = main(kind)
      let isKnown = contactLines.contains { $0.kind == kind && $0.value == new }
      changeLines { line in
        guard line.kind == kind, line.value == old else { return line }
        return isKnown ? nil : new.map { ContactLine(kind, label: line.label, $0) }
      }
    }
  }

  private mutating func insert(_ line: ContactLine) {
    guard let field = line.kind.field, main(line.kind) == nil else {
      return otherContacts.append(line: line.text)
    }
    self[field] = .text(line.value)
    if !line.label.isEmpty { otherContacts.append(line: line.text) }
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
