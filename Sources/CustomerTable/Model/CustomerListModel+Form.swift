public import CustomerStore

extension CustomerListModel {
  /// A form for a customer, or for a new one at the end of the list, with the extra columns of the list.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `StoreError`.
  /// - Complexity: O(customers).
  public func form(of id: CustomerID? = nil) async throws -> FormState {
    try await store.read { list in
      let options = try FormState.Options(list)
      guard let customer = try id.map({ try list.customer($0) }) else {
        return FormState(.add(at: .last, in: nil), options: options)
      }
      return FormState(.edit(customer.id), customer.fields, place: customer.place, options: options)
    }
  }

  /// Saves a form, once, however often that is asked for while it is being saved.
  ///
  /// What others have changed in other fields since stays. If they have changed the same ones, it is not saved: the form
  /// has `theirs`, and the next time they are overwritten.
  ///
  /// - Returns: nil if it was saved, so that it can be closed; the form, which says why, if it was not.
  public func save(_ form: FormState) async -> FormState? {
    if let saving = saving[form.start] { return await saving.value }
    var form = form
    guard let outcome = form.update(.save) else { return form }
    let task = Task { [form] in await perform(outcome, of: form) }
    saving[form.start] = task
    defer { saving[form.start] = nil }
    return await task.value
  }

  /// Does what a person wants who has ended a form.
  ///
  /// - Parameters:
  ///   - outcome: what `FormState.update` has returned.
  ///   - form: the form.
  /// - Returns: nil if it was done, so that the form can be closed; the form with the reason if it was not.
  package func perform(_ outcome: FormState.Outcome, of form: FormState) async -> FormState? {
    var form = form
    let (edits, version) = (form.edits(outcome), version)
    guard !edits.isEmpty else { return nil }
    let isOfShown = form.isOfCustomer
    if isOfShown, form.isOlder(than: self) {
      form.detach()
      return form
    }
    do {
      try await perform(form.action(outcome)) { list in
        // The id may be that of another customer now.
        if isOfShown { try list.refuseOtherHistory(than: version) }
        for edit in edits { _ = try list.apply(edit.seen(at: version)) }
      }
      return nil
    } catch {
      switch error {
      case let conflict as FieldConflict: form.refuse(conflict)
      case ListError.otherHistory where isOfShown: form.detach()
      default:
        let name = isOfShown ? form.original.name : ""
        form.refuse("Not saved: \(Self.sentence(about: error, name).lowercasedFirst)")
      }
      return form
    }
  }
}

extension FormState {
  /// Updates the form with what others have done to its customer; call it for each of the `updates`.
  @MainActor package mutating func follow(_ model: CustomerListModel) {
    guard case .edit(let id) = mode else { return }
    if isOlder(than: model) {
      if !isDetached { detach() }
    } else if !model.base.sections.contains(where: { $0.rows.contains(id) }) {
      follow(nil)
    } else if model.cache.has(id), let customer = model.cache[id] {
      follow(customer.fields)
    }
  }

  /// Whether it was opened before another list took the place of the one that the model shows.
  @MainActor fileprivate func isOlder(than model: CustomerListModel) -> Bool {
    model.historyStart.map { start < $0 } ?? false
  }

  /// Whether it edits a customer that is still there.
  fileprivate var isOfCustomer: Bool { if case .edit = mode { !isGone } else { false } }

  /// The name of the step in the history.
  fileprivate func action(_ outcome: Outcome) -> String {
    switch (outcome, mode) {
    case (.delete, _): "delete"
    case (_, .edit) where !isGone: "edit"
    default: "add"
    }
  }

  /// The edits that an outcome asks for.
  fileprivate func edits(_ outcome: Outcome) -> [ListEdit] {
    switch (outcome, mode) {
    case (.save(let fields, let place), .edit(let id)) where !isGone:
      [.save(id, from: original, to: fields)] + (place.map { [.move([id], to: .place($0))] } ?? [])
    case (.save(let fields, let place), .edit):
      [.insert([NewCustomer(fields)], at: place.map { .place($0) } ?? .last, in: section)]
    case (.save(let fields, _), .add(let destination, let section)):
      [.insert([NewCustomer(fields)], at: destination, in: section)]
    case (.delete, .edit(let id)): [.delete([id])]
    case (.cancel, _), (.delete, .add): []
    }
  }
}

extension ListEdit {
  /// A deletion only of what was seen.
  fileprivate func seen(at version: ListVersion) -> ListEdit {
    if case .delete(let ids, nil) = self { .delete(ids, asSeenAt: version) } else { self }
  }
}

extension String {
  /// The sentence after a colon.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
