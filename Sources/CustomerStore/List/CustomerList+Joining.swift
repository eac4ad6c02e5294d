/// What becomes of the values of an extra column that is joined with a field.
package struct JoinedValues: Sendable {
  /// The customers who get, or have, the value in the field.
  var joined: [(customer: Customer, fields: CustomerFields)] = []
  /// Those whose field has another value, in list order; they keep both.
  package var different: [Customer] = []
}

extension CustomerList {
  /// Puts the values of an extra column into a field, unless it has another one.
  ///
  /// Customers whose values differ keep both. If none does, the column is gone. It is one step, or none if all do.
  ///
  /// - Parameters:
  ///   - name: the exact name of the extra column.
  ///   - field: another extra column, or a field; a part of the address is looked for in an address whose parts are not
  ///     known.
  /// - Throws: `ListError.noSuchColumn`, `editForbidden`.
  /// - Complexity: O(customers).
  package mutating func joinColumn(_ name: String, into field: CustomerField) throws {
    guard field != .extra(name), try extraColumns(like: name)?.fit == .exact else {
      throw ListError.noSuchColumn(name)
    }
    let values = try joinedValues(of: name, into: field)
    guard !values.joined.isEmpty || values.different.isEmpty else { return }
    try atomically { list in
      if case .extra(let other) = field { try list.declareKnownColumns(among: [other]) }
      let fields = Dictionary(values.joined.map { ($0.customer.id, $0.fields) }) { first, _ in first }
      try list.revise(values.joined.map(\.customer)) { $0.fields = fields[$0.id] ?? $0.fields }
      if values.different.isEmpty { _ = try list.followColumn(name, to: nil) }
    }
  }

  /// What joining a column with a field would do.
  ///
  /// - Complexity: O(customers).
  package func joinedValues(of name: String, into field: CustomerField) throws -> JoinedValues {
    let kinds = try columnKinds(with: [field.column])
    var values = JoinedValues()
    try forEach { customer in
      var fields = customer.fields
      guard let value = fields.extraColumns[name] else { return true }
      if fields.join(value.text, of: kinds.declared(name)?.kind, into: field, kinds[field]) {
        fields.extraColumns[name] = nil
        values.joined.append((customer, fields))
      } else {
        values.different.append(customer)
      }
      return true
    }
    return values
  }
}

extension CustomerList {
  /// What the extra columns may be that the list has not declared, without those that can't be joined any further.
  package func openProposals() throws -> [ColumnProposal] {
    try columnProposals().filter { proposal in
      guard case .join(let name, let known) = proposal else { return true }
      return try canJoin(name, into: known.field)
    }
  }

  /// Whether some customer's value of the column can be joined; ends at the first one.
  private func canJoin(_ name: String, into field: CustomerField) throws -> Bool {
    let kinds = try columnKinds(with: [field.column])
    var canJoin = false
    try forEach { customer in
      var fields = customer.fields
      guard let value = fields.extraColumns[name] else { return true }
      canJoin = fields.join(value.text, of: kinds.declared(name)?.kind, into: field, kinds[field])
      return !canJoin
    }
    return canJoin
  }
}

extension String {
  /// Whether an address is a street with a number, and has no place.
  fileprivate var isStreetAlone: Bool {
    let numbers = split { !$0.isNumber }
    return !numbers.isEmpty && numbers.allSatisfy { $0.count < 4 } && !contains { $0.isNewline || $0 == "," }
  }
}

extension CustomerFields {
  /// Puts a value into a field that has none.
  ///
  /// - Returns: false, without changing anything, if the field has another value, or this is no value of it.
  fileprivate mutating func join(
    _ text: String, of kind: ColumnKind?, into field: CustomerField, _ column: ColumnKinds.Column
  ) -> Bool {
    guard !text.isEmpty else { return true }
    let own = self[field].text
    if case .part(let part) = field, own.isEmpty, hasAddressWithoutParts {
      var address = PostalAddress()
      address[part] = text
      if part == .city, self.address.isStreetAlone {
        address[.street] = self.address
        self.address = address.text
      }
      guard address.isIn(self.address) else { return false }
      keepParts(of: [address])
      return true
    }
    guard let stored = column.stored(text, of: kind) else { return false }
    if searchFolded(own) == searchFolded(stored) { return true }
    if !own.isEmpty || field.kind == .flag { return false }
    self[field] = .text(stored)
    return true
  }
}
