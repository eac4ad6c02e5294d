extension CustomerList {
  /// Makes an edit.
  ///
  /// - Returns: what it changed; the same in a dry run (`CustomerStore.dryRun`).
  /// - Throws: what the function for this edit throws: `ListError`, `FieldConflict` or `BatchError`; nothing
  ///   is changed.
  /// - Complexity: that of the edit, and O(sections).
  @discardableResult
  public mutating func apply(_ edit: ListEdit) throws -> EditOutcome { try apply(edit, to: nil) }

  /// Makes an edit of rows that were just found; what was read then is not read again.
  ///
  /// - Throws: the same errors as `apply`.
  @discardableResult
  package mutating func apply(_ edit: ListEdit, to found: FoundRows?) throws -> EditOutcome {
    // For a batch, the history finds the places before and after all of it.
    if case .batch(let updates) = edit { return try batched(updates) }
    let found = try found ?? FoundRows(outline: outline())
    let before = found.outline
    let (rows, sections) = try make(edit, found)
    var outcome = EditOutcome(rows, sections: sections, before: before, after: try outline())
    if case .column(let edit) = edit {
      outcome.columns = [EditOutcome.Column(edit)].filter { $0.from != $0.to }
    }
    return outcome
  }

  private typealias Effect = (rows: [EditOutcome.Row], sections: [SectionID])

  private mutating func make(_ edit: ListEdit, _ found: FoundRows) throws -> Effect {
    switch edit {
    case .insert(let customers, let destination, let section):
      return (try insert(customers, at: destination, in: section), [])
    case .update(let ids, let values):
      return (try edited(ids, found) { list, id in try list.update(id) { $0.set(values) } }, [])
    case .save(let id, let from, let to):
      return (try edited([id], found) { list, id in try list.update(id, from: from, to: to) }, [])
    case .merge(let ids): return (try merged(ids), [])
    case .delete(let ids, let edit):
      let customers = try customers(inOrderOf: ids, found)
      try delete(ids, asSeenAt: edit)
      return (customers.map { .init(customer: $0, from: $0.place, to: nil) }, [])
    case .move(let ids, let destination, let section, let edit):
      return (
        try moved(ids, found) { try $0.move($1, to: destination, in: section, asSeenAt: edit) }, []
      )
    case .moveBy(let ids, let distance):
      return (try moved(ids, found) { try $0.move($1, by: distance) }, [])
    case .swap(let one, let other):
      return (try moved([one, other], found) { list, _ in try list.swap(one, other) }, [])
    case .protect(let ids, let canEdit, let canMove):
      return (try protected(ids, found, canEdit: canEdit, canMove: canMove), [])
    case .sort(let order, let section): return (try rows(of: sort(by: order, in: section)), [])
    case .arrange(let ids, let section): return (try rows(of: arrange(ids, in: section)), [])
    case .section(let edit): return try make(edit)
    case .column(.rename(let name, let newName)):
      try renameColumn(name, to: newName)
      return ([], [])
    case .column(.drop(let name)):
      try dropColumn(name)
      return ([], [])
    case .batch: return ([], [])
    }
  }

  /// The customers with these ids.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  private func customers(inOrderOf ids: [CustomerID], _ found: FoundRows) throws -> [Customer] {
    // Reading the whole list takes less time than looking up many customers.
    guard !found.hasAll(ids), ids.count > found.outline.count / 10 else {
      return try ids.map { try customer($0, found) }
    }
    let wanted = Set(ids)
    var found: [CustomerID: Customer] = [:]
    try forEach { customer in
      if wanted.contains(customer.id) { found[customer.id] = customer }
      return true
    }
    return try ids.map { id in try found[id] ?? customer(id) }
  }

  private mutating func make(_ edit: SectionEdit) throws -> Effect {
    switch edit {
    case .add(let title, let footer, let order):
      return ([], [try addSection(title: title, footer: footer, at: order).id])
    case .rename(let id, let title, let footer):
      try renameSection(id, title: title, footer: footer)
      return ([], [id])
    case .move(let id, let order):
      try moveSection(id, to: order)
      return ([], [id])
    case .delete(let id, let withCustomers):
      var rows: [EditOutcome.Row] = []
      if withCustomers {
        try forEach(in: id) { customer in
          rows.append(.init(customer: customer, from: customer.place, to: nil))
          return true
        }
      }
      try deleteSection(id, withCustomers: withCustomers)
      return (rows, [id])
    }
  }
}

extension EditOutcome.Column {
  fileprivate init(_ edit: ColumnEdit) {
    switch edit {
    case .rename(let name, let newName): self.init(from: name, to: newName)
    case .drop(let name): self.init(from: name, to: nil)
    }
  }
}
