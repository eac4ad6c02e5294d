/// Changes of the fields of customers: values to set, and single lines of fields that have one value per line.
///
///     let changes: FieldChanges = [.note: "met at the fair"]
///     let tagged = FieldChanges(
///       adding: [.tags: ["vip"]], removing: [.tags: ["lead"]])
///     let reachable = FieldChanges(adding: [
///       .otherContacts: ["phone work: +1-555-0100"]
///     ])
public struct FieldChanges: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The values of fields, as they will be.
  package var values: [CustomerField: FieldValue]
  /// Lines to add to `otherContacts` and `tags`, unless the customer has them.
  ///
  /// An e-mail address, a phone number, or a postal address of a customer who has none becomes the main one. The
  /// label of a line is added to a value that the customer has already and takes the place of another one.
  package var added: [CustomerField: [String]]
  /// Lines to remove from `otherContacts` and `tags`; a label makes no difference.
  ///
  /// The main e-mail address, phone number, or postal address is removed, too; the next one takes its place.
  package var removed: [CustomerField: [String]]

  /// Creates changes; lines are removed before others are added.
  public init(
    _ values: [CustomerField: FieldValue] = [:], adding added: [CustomerField: [String]] = [:],
    removing removed: [CustomerField: [String]] = [:]
  ) {
    (self.values, self.added, self.removed) = (values, added, removed)
  }

  /// Creates changes that set values.
  public init(dictionaryLiteral elements: (CustomerField, FieldValue)...) {
    self.init(Dictionary(elements) { _, last in last })
  }
}

extension CustomerFields {
  /// Makes changes as a user enters them: a string replaces a number as a number, if it is one, and blank lines of
  /// tags and other contacts are left out.
  package mutating func set(_ changes: FieldChanges) {
    let before = self
    let parts = changes.parts
    let changes = changes.withStreet
    if changes.values[.address] != nil && !parts.isEmpty || parts.contains(.street) && hasAddressWithoutParts
    {
      if changes.values[.addressParts] == nil, !addressParts.isEmpty { forgetMainParts() }
      if changes.values[.address] == nil { address = "" }
    }
    // Sorted, so that the order of new extra columns does not depend on the hash; a part goes into a new address.
    let fields = changes.values.keys.sorted { $0.column < $1.column }
    for field in fields.filter({ !$0.isPart }) + fields.filter(\.isPart) {
      guard let value = changes.values[field] else { continue }
      let field = place(of: field)
      if case .text(let text) = value {
        self[field] = self[field].replaced(by: field.kind == .lines ? text.withoutBlankLines : text)
      } else {
        self[field] = value
      }
    }
    settle(from: before)
    for line in changes.removed[.otherContacts] ?? [] { removeContact(line) }
    for line in changes.added[.otherContacts] ?? [] { addContact(line) }
    for tag in changes.removed[.tags] ?? [] { tags.removeLine(tag) }
    for tag in changes.added[.tags] ?? [] { tags.addLine(tag) }
  }
}

extension FieldChanges {
  /// The changes, in which an address that is set beside a part of it is the street.
  fileprivate var withStreet: FieldChanges {
    guard case .text(let text)? = values[.address], !text.isEmpty, values[.addressParts] == nil,
      !parts.isEmpty, !parts.contains(.street)
    else { return self }
    let given = parts.compactMap { values[.part($0)]?.text }
    let street = text.split(whereSeparator: \.isNewline).map(String.init).filter { !given.contains($0) }
    var changes = self
    changes.values[.address] = .text("")
    changes.values[.part(.street)] = .text(street.joined(separator: "\n"))
    return changes
  }
}

extension CustomerField {
  fileprivate var isPart: Bool { if case .part = self { true } else { false } }
}

extension String {
  var withoutBlankLines: String {
    let lines = split(whereSeparator: \.isNewline)
    return lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
  }

  /// Adds a line.
  mutating func append(line: String) { self += isEmpty ? line : "\n" + line }

  /// Adds a line, unless there is one that differs only in case and accents.
  mutating func addLine(_ line: String) {
    if !split(separator: "\n").contains(where: line.isLike) { append(line: line) }
  }

  /// Removes the lines that differ from a line only in case and accents.
  mutating func removeLine(_ line: String) {
    let lines = split(separator: "\n")
    let kept = lines.filter { !line.isLike($0) }
    if kept.count < lines.count { self = kept.joined(separator: "\n") }
  }

  private func isLike(_ line: Substring) -> Bool { searchFolded(String(line)) == searchFolded(self) }
}

/// Fields of a customer that were changed to different values by the caller and, after the caller read them,
/// by someone else.
///
/// Nothing is changed. To overwrite after asking the user, save again from `theirs`.
package struct FieldConflict: Error, Hashable, Sendable {
  /// The customer.
  package var id: CustomerID
  /// The fields as the caller wants them.
  package var mine: CustomerFields
  /// The current fields.
  package var theirs: CustomerFields
  /// The fields in which the two conflict.
  package var fields: [CustomerField]

  /// Creates a conflict.
  package init(id: CustomerID, mine: CustomerFields, theirs: CustomerFields, fields: [CustomerField]) {
    (self.id, self.mine, self.theirs, self.fields) = (id, mine, theirs, fields)
  }
}

extension FieldConflict: CustomStringConvertible {
  /// The customer and the fields in one line, without their values.
  package var description: String {
    "customer @\(id.rawValue) has been changed since: \(fields.map(\.column).joined(separator: ", "))"
  }
}

extension CustomerFields {
  /// These fields with the changes from `base` to `mine`.
  ///
  /// - Returns: the merged fields, and the fields that both changed, to different values.
  package func merging(_ mine: CustomerFields, from base: CustomerFields) -> (
    CustomerFields, conflicts: [CustomerField]
  ) {
    var merged = self
    var conflicts: [CustomerField] = []
    for field in mine.differences(from: base) where self[field] != mine[field] {
      if self[field] == base[field] {
        let isList = field.kind == .lines
        merged[field] = isList ? .text(mine[field].text.withoutBlankLines) : mine[field]
      } else if !self[field].isSame(as: mine[field]) {
        conflicts.append(field)
      }
    }
    // Keeps the current order and names of the columns.
    if extra == base.extra { merged.extra = mine.extra }
    return (merged, conflicts)
  }
}

extension CustomerList {
  /// Saves the changes that a person made in a form.
  ///
  /// These are the fields that differ between `from`, as the user saw them, and `to`. What someone else
  /// changed since is kept.
  ///
  /// - Returns: the customer after the edit.
  /// - Throws: `FieldConflict` for a field that both changed to different values; `ListError.noSuchCustomer`,
  ///   `editForbidden`.
  @discardableResult
  package mutating func update(
    _ id: CustomerID, from: CustomerFields, to: CustomerFields
  ) throws -> Customer {
    try update(id) { fields in
      let (merged, conflicts) = fields.merging(to, from: from)
      guard conflicts.isEmpty else {
        throw FieldConflict(id: id, mine: to, theirs: fields, fields: conflicts)
      }
      fields = merged
    }
  }
}
