internal import CustomerStore
internal import CustomerTable

/// The edit of the list that a page asks for.
extension AskedEdit {
  /// The edit, as far as the policy allows it.
  ///
  /// - Parameters:
  ///   - version: the version that the user saw.
  ///   - list: the list in the transaction of the edit.
  ///   - policy: what may be edited.
  /// - Returns: the edit.
  /// - Throws: `ListError`, `APIRefusal`.
  func edit(
    asSeenAt version: ListVersion, in list: borrowing CustomerList, _ policy: EditingPolicy
  ) throws -> ListEdit {
    // An id may be another customer's in another history.
    guard try version.isOf(list.historyID()) else { throw ListError.otherHistory }
    switch self {
    case .move(let ids, let place):
      let rows = try ids.map { try list.customer($0) }
      if let row = rows.first(where: { !policy.canMove($0) }) { throw ListError.moveForbidden(row.id) }
      let target = try place.target(of: rows, in: list)
      return .move(ids, to: target.destination, in: target.section, asSeenAt: version)
    case .delete(let ids):
      for id in ids { try policy.checkEdit(of: list.customer(id)) }
      return .delete(ids, asSeenAt: version)
    case .insert(let values, let section, let destination):
      guard policy.allowsAdding else { throw APIRefusal.readOnly }
      try policy.form(of: nil).checkTyped(values)
      var fields = CustomerFields()
      fields.set(FieldChanges(values))
      try policy.check(fields)
      return .insert([NewCustomer(fields)], at: destination, in: section)
    case .update(let id, let from, let to):
      guard let customer = try list.customers([id])[id] else { throw try APIRefusal.gone(list) }
      try policy.checkEdit(of: customer)
      try policy.form(of: customer).checkTyped(to, over: from)
      let seen = customer.fields.typed(from)
      let wanted = seen.typed(to)
      try policy.check(wanted)
      return .save(id, from: seen, to: wanted)
    case .protect(let ids, let canEdit, let canMove):
      return .protect(ids, canEdit: canEdit, canMove: canMove)
    case .section(let edit):
      if case .delete(let id, withCustomers: true) = edit {
        try list.refuseChangedSection(id, since: version)
        try list.forEach(in: id) { customer in
          try policy.checkEdit(of: customer)
          return true
        }
      }
      return .section(edit)
    }
  }
}

extension AskedEdit.Place {
  fileprivate func target(
    of rows: [Customer], in list: borrowing CustomerList
  ) throws -> (destination: Destination, section: SectionID?) {
    switch self {
    case .before(let id): return (.before(id), nil)
    case .end(let section, let destination): return (destination, section)
    case .row(let position):
      let outline = try list.outline()
      let places = rows.map(\.place).sorted { outline.position(of: $0) < outline.position(of: $1) }
      guard let target = outline.target(position: position, moving: places) else {
        let end = max(1, (outline.count - places.count).saturatingAdding(2))
        throw ListError.placeOutOfRange(asked: position, allowed: 1..<end)
      }
      return target
    }
  }
}

extension EditingPolicy {
  fileprivate func checkEdit(of customer: Customer) throws {
    guard canEdit(customer) else { throw ListError.editForbidden(customer.id) }
  }

  /// Refuses fields that the form would not save.
  fileprivate func check(_ fields: CustomerFields) throws {
    let problems = form.check(fields)
    if !problems.isEmpty { throw APIRefusal.invalid(problems) }
  }
}

extension FormState.Options {
  /// Refuses what a person can't type in the form.
  ///
  /// - Parameters:
  ///   - values: what was typed.
  ///   - old: what the fields held before.
  /// - Throws: `APIRefusal` with the problem of each field.
  fileprivate func checkTyped(
    _ values: [CustomerField: FieldValue], over old: [CustomerField: FieldValue] = [:]
  ) throws {
    var problems: [CustomerField: String] = [:]
    for (field, value) in values {
      if case .extra(let name) = field, !fields.contains(field), old[field]?.text.isEmpty != false {
        problems[field] = "There is no field \(name.quotedShort) in this form"
      } else if old[field]?.text != value.text,
        let control = value.text.unicodeScalars.first(where: { !field.mayHave($0) })
      {
        let code = String(control.value, radix: 16, uppercase: true)
        problems[field] = "The text has a control character (U+\(code)); type it again"
      }
    }
    if !problems.isEmpty { throw APIRefusal.invalid(problems) }
  }
}

extension CustomerField {
  /// Whether a typed text may have a character: line feeds only if the field has lines.
  fileprivate func mayHave(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t": true
    case "\n": kind == .multilineText || kind == .lines
    default: scalar.properties.generalCategory != .control
    }
  }
}

extension CustomerFields {
  /// The fields after a person has typed these over them; a text that stays the same leaves a number a number.
  fileprivate func typed(_ values: [CustomerField: FieldValue]) -> CustomerFields {
    var fields = self
    // Sorted, so that the order of new extra columns does not depend on the hash.
    for (field, value) in values.sorted(by: { $0.key.column < $1.key.column }) {
      fields[field] = field.kind == .flag ? value : self[field].replaced(by: value.text)
    }
    return fields
  }
}
