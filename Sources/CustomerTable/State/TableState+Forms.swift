internal import CustomerStore

/// The form of a row and its outcome.
extension TableState {
  mutating func open() -> [TableEffect] {
    switch cursor {
    case .end(let section): openForm(.add(at: .last, in: section))
    case .row(let id):
      guard let customer = contents[id] else { return [] }
      guard policy.canEdit(customer) else { return refuseEditing(customer) }
      openForm(.edit(id), customer)
    case nil: break
    }
    return []
  }

  mutating func add(_ addition: TableAddition) -> [TableEffect] {
    guard policy.allowsAdding else { return [] }
    if !showsWholeList, addition != .last {
      _ = refuseOutOfOrder("added between others")
      return []
    }
    switch (cursor, addition) {
    case (.row(let id)?, .above): openForm(.add(at: .before(id), in: nil))
    case (.row(let id)?, .below): openForm(.add(at: .after(id), in: nil))
    case (.row(let id)?, .last): openForm(.add(at: .last, in: contents[id]?.place.section))
    case (.end(let section)?, _): openForm(.add(at: .last, in: section))
    case (nil, _): openForm(.add(at: .last, in: contents.sections.first?.id))
    }
    return []
  }

  private mutating func openForm(_ mode: FormState.Mode, _ customer: Customer? = nil) {
    var options = policy.form(of: customer)
    if let customer, policy.canMove(customer),
      let section = contents.sections.first(where: { $0.id == customer.place.section })
    {
      options.places = 1...max(1, section.count)
    }
    form = FormState(mode, customer?.fields ?? CustomerFields(), place: customer?.place, options: options)
  }

  mutating func toggleFavorite() -> [TableEffect] {
    let rows = subject
    guard !rows.isEmpty else { return [] }
    if let customer = rows.first(where: { !policy.canEdit($0) }) { return refuseEditing(customer) }
    let isSet = !rows.allSatisfy(\.fields.isFavorite)
    return write(.edits([.update(rows.map(\.id), [.isFavorite: .flag(isSet)])]), "edit")
  }

  mutating func refuseEditing(_ customer: Customer) -> [TableEffect] {
    say(.refusal, "\"\(customer.name)\" is protected against editing and deleting.")
    return []
  }

  mutating func updateForm(_ event: FormEvent) -> [TableEffect] {
    guard let outcome = form?.update(event), let form else { return [] }
    switch (outcome, form.mode) {
    case (.save(let fields, let place), .edit(let id)): return save(form, id, fields, place)
    case (.save(let fields, _), .add(let destination, let section)):
      return write(.edits([.insert([NewCustomer(fields)], at: destination, in: section)]), "add")
    case (.delete, .edit(let id)):
      return write(.edits([.delete([id], asSeenAt: contents.version)]), "delete")
    case (.cancel, _), (.delete, .add):
      self.form = nil
      return []
    }
  }

  private mutating func save(
    _ form: FormState, _ id: CustomerID, _ fields: CustomerFields, _ place: Int?
  ) -> [TableEffect] {
    if form.isGone {
      let section =
        contents.sections.contains { $0.id == form.section } ? form.section : contents.sections.first?.id
      let count = contents.sections.first { $0.id == section }?.count ?? 0
      let order = min(place ?? form.originalPlace ?? count + 1, count + 1)
      return write(.edits([.insert([NewCustomer(fields)], at: .place(order), in: section)]), "add")
    }
    guard form.hasChanges else {
      self.form = nil
      return []
    }
    return write(.save(id, from: form.original, to: fields, place: place), "edit")
  }
}
