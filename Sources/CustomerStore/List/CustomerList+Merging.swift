internal import CustomersSQLite

extension CustomerList {
  /// Merges several customers into one: the first keeps its place and fields and gets what it lacks from the
  /// others, which are deleted.
  ///
  /// Different e-mail addresses, phone numbers and postal addresses are kept as other contacts, and tags are joined.
  /// If it already has another value of any other field, theirs is kept as an extra column: `note 2`, `note 3`.
  ///
  /// - Parameter ids: at least one customer, each once.
  /// - Returns: the customer after the edit.
  /// - Throws: `ListError.noSuchCustomer`, `duplicateID`, `editForbidden` if one of them is protected;
  ///   nothing is changed.
  @discardableResult
  public mutating func merge(_ ids: [CustomerID]) throws -> Customer {
    var seen: Set<CustomerID> = []
    for id in ids where !seen.insert(id).inserted { throw ListError.duplicateID(id) }
    let customers = try ids.map { try customer($0) }
    guard let first = customers.first else { preconditionFailure("no customers to merge") }
    if let forbidden = customers.first(where: { !$0.canEdit }) { throw ListError.editForbidden(forbidden.id) }
    return try atomically { list in
      try list.delete(Array(ids.dropFirst()))
      return try list.update(first.id) { fields in
        for other in customers.dropFirst() { fields.take(from: other.fields) }
      }
    }
  }
}

extension CustomerFields {
  /// Adds the fields of a duplicate; nothing is lost.
  mutating func take(from other: CustomerFields) {
    if firstName.isEmpty, lastName.isEmpty {
      (firstName, lastName) = (other.firstName, other.lastName)
    } else {
      let name = CustomerFields(firstName: other.firstName, lastName: other.lastName).name
      keep(name, beside: CustomerFields(firstName: firstName, lastName: lastName).name, as: "name")
    }
    addContacts(of: other)
    for tag in other.tags.split(whereSeparator: \.isNewline) { tags.addLine(String(tag)) }
    for field in CustomerField.texts where ![.firstName, .lastName].contains(field) {
      guard field.kind != .lines, field.contactKind == nil else { continue }
      let (own, theirs) = (self[field].text, other[field].text)
      if own.isEmpty { self[field] = .text(theirs) } else { keep(theirs, beside: own, as: field.column) }
    }
    isFavorite = isFavorite || other.isFavorite
    for (name, value) in other.extraColumns.columns {
      if let own = extraColumns[name] {
        if !own.isSame(as: value) { extraColumns[freeName(name, for: value)] = value }
      } else {
        extraColumns[name] = value
      }
    }
  }

  /// Keeps a value as an extra column, unless it adds nothing.
  private mutating func keep(_ value: String, beside own: String, as column: String) {
    let words = [value, own].map { searchFolded($0).split(whereSeparator: \.isWhitespace) }
    guard !words[0].isEmpty, words[0] != words[1] else { return }
    extraColumns[freeName(column, for: .text(value))] = .text(value)
  }

  /// `column 2`, or the next number that is unused or already has this value.
  private func freeName(_ column: String, for value: FieldValue) -> String {
    var number = 2
    while let taken = extraColumns["\(column) \(number)"], !taken.isSame(as: value) { number += 1 }
    return "\(column) \(number)"
  }
}
