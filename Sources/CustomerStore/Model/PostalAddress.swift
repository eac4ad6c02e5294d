internal import CustomersText

/// A part of a postal address (RFC 6350, section 6.3.1), in the order of an address card.
public enum AddressPart: String, CaseIterable, Codable, Sendable {
  case poBox = "po_box", extended, street, city, region, postalCode = "postal_code", country

  fileprivate var index: Int {
    switch self {
    case .poBox: 0
    case .extended: 1
    case .street: 2
    case .city: 3
    case .region: 4
    case .postalCode: 5
    case .country: 6
    }
  }

  /// The part that people call by a name; nil for any other.
  init?(title: String) {
    let key = Name(title).key
    guard let part = Self.allCases.first(where: { Name($0.title).key == key }) else { return nil }
    self = part
  }

  /// The name that people see.
  var title: String {
    switch self {
    case .poBox: "PO box"
    case .extended: "Address supplement"
    case .street: KnownColumn.street.title
    case .city: KnownColumn.city.title
    case .region: KnownColumn.region.title
    case .postalCode: KnownColumn.postalCode.title
    case .country: KnownColumn.country.title
    }
  }
}

/// A postal address in the parts that address books have.
package struct PostalAddress: Hashable, Sendable {
  private var parts: [String]

  /// Creates an address from the parts of a vCard; those after the seventh are lines at its end.
  package init(_ components: [String] = []) {
    parts = components + Array(repeating: "", count: max(0, AddressPart.allCases.count - components.count))
  }

  package subscript(part: AddressPart) -> String {
    get { parts[part.index] }
    set { parts[part.index] = newValue }
  }

  /// The parts of an address whose text is this one; nil if the text says something else.
  ///
  /// A string that ends with these parts has the street before them.
  package func matching(_ text: String) -> PostalAddress? {
    if self.text == text { return self }
    var whole = self
    let end = "\n" + self.text
    guard self[.street].isEmpty, text.utf8.count > end.utf8.count, text.hasSuffix(end) else { return nil }
    whole[.street] = String(text.dropLast(end.count))
    return whole.text == text ? whole : nil
  }

  /// These parts with the street of a new text that has all others where an old one had them; nil for any other text.
  fileprivate func withStreet(of text: String, insteadOf old: String) -> PostalAddress? {
    var whole = self
    whole[.street] = ""
    if whole.hasPlace, let found = whole.matching(text) { return found }
    let ranges = self[.street].isEmpty ? [] : old.ranges(of: self[.street])
    guard ranges.count == 1 else { return nil }
    let (start, end) = (old[..<ranges[0].lowerBound], old[ranges[0].upperBound...])
    guard text.count > start.count + end.count, text.hasPrefix(start), text.hasSuffix(end),
      whole.isIn(start + "\n" + end)
    else { return nil }
    whole[.street] = String(text.dropFirst(start.count).dropLast(end.count))
    return whole
  }

  /// The parts, in the order of a vCard.
  package var components: [String] { parts }

  /// The lines of an envelope; a street alone stays as it is.
  package var text: String {
    let (region, code) = (self[.region], self[.postalCode])
    let place =
      region.isEmpty
      ? [code, self[.city]].filter { !$0.isEmpty }.joined(separator: " ")
      : [self[.city], [region, code].filter { !$0.isEmpty }.joined(separator: " ")]
        .filter { !$0.isEmpty }.joined(separator: ", ")
    var lines = [self[.poBox], self[.extended], self[.street], place, self[.country]].filter { !$0.isEmpty }
    // A plain loop, because there may be very many.
    var index = AddressPart.allCases.count
    while index < parts.count {
      if !parts[index].isEmpty { lines.append(parts[index]) }
      index += 1
    }
    return lines.joined(separator: "\n")
  }

  /// Whether more is known than lines.
  package var hasPlace: Bool { AddressPart.allCases.contains { $0 != .street && !self[$0].isEmpty } }

  /// Whether a text has all parts in it.
  package func isIn(_ text: String) -> Bool { parts.allSatisfy { $0.isEmpty || $0 == text || text.has($0) } }
}

extension PostalAddress {
  /// The parts of a JSON object.
  fileprivate init(_ members: [(name: String, value: Record.Value)]) {
    self.init()
    for (name, value) in members {
      if let part = AddressPart(rawValue: name), case .text(let text) = value { self[part] = text }
    }
  }

  fileprivate var json: [(String, JSON)] {
    AddressPart.allCases.compactMap { self[$0].isEmpty ? nil : ($0.rawValue, .string(self[$0])) }
  }
}

/// The parts of the addresses, as `addressParts` has them: those of the main one, and in `others` those of the other lines.
private struct AddressParts {
  private static let others = "others"

  var main = PostalAddress()
  /// Each is known by its text, which is that of a line of other contacts.
  var others: [PostalAddress] = []

  init() {}

  init(_ text: String) {
    guard !text.isEmpty, let members = try? JSON.columns(ofObject: text) else { return }
    main = PostalAddress(members)
    guard case .json(let list)? = members.first(where: { $0.name == Self.others })?.value else { return }
    var reader = JSONReader([], readChunk: onePiece(Array(list.utf8)))
    while let record = try? reader.next() {
      others.append(PostalAddress(Array(zip(record.columns, record.values)).map { (name: $0, value: $1) }))
    }
  }

  var text: String {
    let others = others.map { JSON.object($0.json) }
    let members = main.json + (others.isEmpty ? [] : [(Self.others, JSON.array(others))])
    return members.isEmpty ? "" : JSON.object(members).text
  }
}

extension CustomerFields {
  /// The addresses whose parts a text has, as `addressParts` does.
  package static func addresses(inParts text: String) -> [PostalAddress] {
    let parts = AddressParts(text)
    return [parts.main].filter(\.hasPlace) + parts.others
  }

  /// The parts of addresses that a text has, as this program writes them; the text if it has none.
  package static func plainParts(_ text: String) -> String {
    let parts = AddressParts(text).text
    return parts.isEmpty ? text : parts
  }

  /// The text of the main address whose parts a text has.
  package static func address(inParts text: String) -> String { AddressParts(text).main.text }

  /// The parts of the main address; nil if they are not known, or those of another one.
  package var mainAddress: PostalAddress? {
    guard !addressParts.isEmpty else { return nil }
    let main = AddressParts(addressParts).main
    return main.hasPlace && main.isIn(address) ? main : nil
  }

  /// The addresses whose parts are known, the main one first.
  package var addressesInParts: [PostalAddress] {
    guard !addressParts.isEmpty else { return [] }
    let others = AddressParts(addressParts).others
    guard !others.isEmpty else { return [mainAddress].compactMap(\.self) }
    let texts = Set(contactLines.filter { $0.kind == .address }.map(\.value))
    return [mainAddress].compactMap(\.self) + others.filter { texts.contains($0.text) }
  }

  /// Whether an address has text, and its parts are not known.
  package var hasAddressWithoutParts: Bool { !address.isEmpty && mainAddress == nil }

  /// Keeps the parts of those addresses that the customer has.
  ///
  /// - Parameter known: addresses in parts, besides those whose parts the customer has.
  package mutating func keepParts(of known: [PostalAddress]) {
    let lines = contactLines.filter { $0.kind == .address }.map(\.value)
    let all = known.filter(\.hasPlace) + addressesInParts
    let byText = Dictionary(all.map { ($0.text, $0) }) { first, _ in first }
    var parts = AddressParts()
    let few = all.prefix(1 + CustomerFields.mostSearched / max(1, address.utf8.count))
    parts.main = byText[address] ?? few.first { $0.isIn(address) } ?? PostalAddress()
    parts.others = lines.compactMap { byText[$0] }
    addressParts = parts.text
  }

  /// How many bytes are searched for the parts of a main address that is printed in another way, about.
  private static let mostSearched = 50_000

  /// Keeps the parts of the main address if only its street was changed, and those of the others.
  mutating func settleParts(from before: CustomerFields) {
    guard let known = before.mainAddress?.withStreet(of: address, insteadOf: before.address) else {
      return forgetMainParts()
    }
    var parts = AddressParts(addressParts)
    parts.main = known
    addressParts = parts.text
  }

  /// Keeps the parts of the other addresses only.
  mutating func forgetMainParts() {
    var parts = AddressParts(addressParts)
    parts.main = PostalAddress()
    addressParts = parts.text
  }

  /// Where a value is: that of an own column that the customer does not have is in the part of the address of its name.
  func place(of field: CustomerField) -> CustomerField {
    guard case .extra(let name) = field, !addressParts.isEmpty, extraColumns[name]?.text.isEmpty ?? true,
      let part = AddressPart(title: name), !text(of: part).isEmpty
    else { return field }
    return .part(part)
  }

  /// The part of the main address.
  func text(of part: AddressPart) -> String { mainAddress?[part] ?? "" }

  /// Writes a part of the main address into its text, too.
  ///
  /// Of an address whose parts are not known, these are all.
  mutating func setText(_ text: String, of part: AddressPart) {
    let before = mainAddress
    var parts = AddressParts(addressParts)
    parts.main = before ?? PostalAddress()
    parts.main[part] = text
    if let before, before.text != address, !before[part].isEmpty,
      address.ranges(of: before[part]).count == 1
    {
      address = address.replacing(before[part], with: text)
      if !parts.main.isIn(address) { address = parts.main.text }
    } else {
      address = parts.main.text
    }
    addressParts = parts.text
  }
}

/// An edit of a part of an address whose parts are not known.
struct UnknownPartError: Error {
  let part: AddressPart
  let customer: String
}

extension UnknownPartError: ExplainedError {
  var description: String {
    "the address of \"\(customer)\" is not known in parts, so its \(part.title.lowercased()) can't be changed alone"
  }

  var explanation: Explanation {
    var explanation = Explanation.usage(description)
    explanation.remedies = [.advice("set the address, or the street and the city, too")]
    return explanation
  }
}

extension FieldChanges {
  /// The parts of the address that are set.
  var parts: [AddressPart] {
    values.keys.compactMap { if case .part(let part) = $0 { part } else { nil } }
  }

  /// Refuses to change a part of an address that is known only as a text.
  func refuseUnknownParts(of customer: Customer) throws {
    let parts = parts
    guard let part = parts.first, values[.address] == nil,
      !(parts.contains(.street) && parts.contains(.city))
    else { return }
    if customer.fields.hasAddressWithoutParts { throw UnknownPartError(part: part, customer: customer.name) }
  }
}
