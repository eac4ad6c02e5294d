extension CustomerList {
  /// Makes an edit.
  ///
  /// - Returns: what it changed; the same in a dry run (`CustomerStore.dryRun`).
  /// - Throws: what the function for this edit throws: `ListError`, `FieldConflict`, or `BatchError`; nothing
  ///   is changed.
  /// - Complexity: that of the edit and O(sections).
  @discardableResult
  public mutating func apply(_ edit: ListEdit) throws -> EditOutcome { try apply(edit, to: nil) }

  /// Makes an edit of rows that were just found; what was read then is not read again.
  ///
  /// - Throws: the same errors as `apply`.
  @discardableResult
  package mutating func apply(_ edit: ListEdit, to found: FoundRows?) throws -> EditOutcome {
    let last = try lastEdit()
    let named = try make(edit, found)
    return try outcome(after: last, naming: named, known: found?.customers ?? [:])
  }

  /// Makes an edit and returns the rows and sections that it names and may have left unchanged.
  private mutating func make(_ edit: ListEdit, _ found: FoundRows?) throws -> NamedRows {
    switch edit {
    case .insert(let customers, let destination, let section):
      try insert(customers, at: destination, in: section)
    case .update(let ids, let changes):
      try change(ids, found) { list, customer in _ = try list.revise(customer) { $0.set(changes) } }
      return NamedRows(customers: ids)
    case .save(let id, let from, let to):
      try update(id, from: from, to: to)
      return NamedRows(customers: [id])
    case .merge(let ids):
      try merge(ids)
      return NamedRows(customers: [ids[0]])
    case .delete(let ids, let version): try delete(ids, asSeenAt: version)
    case .move(let ids, let destination, let section, let version):
      try move(ids.map { try row($0, found) }, to: destination, in: section, asSeenAt: version)
      return NamedRows(customers: ids)
    case .moveBy(let ids, let distance):
      try move(ids.map { try row($0, found) }, by: distance)
      return NamedRows(customers: ids)
    case .swap(let one, let other):
      try swap(one, other)
      return NamedRows(customers: [one, other])
    case .protect(let ids, let canEdit, let canMove):
      try protect(ids, found, canEdit: canEdit, canMove: canMove)
      return NamedRows(customers: ids)
    case .sort(let order, let section): try sort(by: order, in: section)
    case .arrange(let ids, let section): try arrange(ids, in: section)
    case .section(let edit): try make(edit)
    case .column(.rename(let name, let newName)): try renameColumn(name, to: newName)
    case .column(.drop(let name)): try dropColumn(name)
    case .batch(let updates): try performBatchUpdates(updates)
    }
    return NamedRows(sections: edit.namedSections)
  }

  private mutating func make(_ edit: SectionEdit) throws {
    switch edit {
    case .add(let title, let footer, let order): _ = try addSection(title: title, footer: footer, at: order)
    case .rename(let id, let title, let footer): try renameSection(id, title: title, footer: footer)
    case .move(let id, let order): try moveSection(id, to: order)
    case .delete(let id, let withCustomers): try deleteSection(id, withCustomers: withCustomers)
    }
  }

  private mutating func insert(
    _ customers: [NewCustomer], at destination: Destination, in section: SectionID?
  ) throws {
    let place = try opening(destination, in: section)
    if customers.count == 1, customers[0].canEdit, customers[0].canMove {
      _ = try insertRow(customers[0].fields, at: place)
    } else {
      var rest = customers.makeIterator()
      _ = try insertRows(at: place) { rest.next() }
    }
  }

  /// Changes the fields of customers, all of them or none.
  private mutating func change(
    _ ids: [CustomerID], _ found: FoundRows?, _ body: (inout CustomerList, Customer) throws -> Void
  ) throws {
    // Checks all first, so that none is changed if one must not be.
    let customers = try ids.map { try customer($0, found) }
    if ids.count > 1, let one = customers.first(where: { !$0.canEdit }) {
      throw ListError.editForbidden(one.id)
    }
    try eachAtomically(customers, body)
  }

  private mutating func protect(
    _ ids: [CustomerID], _ found: FoundRows?, canEdit: Bool?, canMove: Bool?
  ) throws {
    // Looks up all first, so that none is protected if one is missing.
    try eachAtomically(ids.map { try customer($0, found) }) { list, customer in
      let rights = (canEdit ?? customer.canEdit, canMove ?? customer.canMove)
      if rights != (customer.canEdit, customer.canMove) {
        try list.protect(customer.id, canEdit: canEdit, canMove: canMove)
      }
    }
  }

  /// Edits customers one after another, all of them or none; a single one needs no savepoint.
  private mutating func eachAtomically(
    _ customers: [Customer], _ body: (inout CustomerList, Customer) throws -> Void
  ) throws {
    guard customers.count > 1 else { return try customers.forEach { try body(&self, $0) } }
    try atomically { list in try customers.forEach { try body(&list, $0) } }
  }
}

extension ListEdit {
  /// The section that an edit names and may leave unchanged.
  fileprivate var namedSections: [SectionID] {
    switch self {
    case .section(.rename(let id, _, _)), .section(.move(let id, _)): [id]
    default: []
    }
  }
}
