public import CustomerStore

/// Changes that others make to the customer while its form is open.
extension FormState {
  /// Updates the form with the customer's current state; nil if it was deleted.
  ///
  /// A field that the user has not changed is updated; if both changed a field to different values, it
  /// shows the other value.
  public mutating func follow(_ customer: CustomerFields?) {
    guard case .edit = mode, !isDetached else { return }
    guard let customer else {
      if !isGone { message = FormState.goneMessage }
      isGone = true
      return
    }
    // Undoing the deletion restored it.
    if isGone { (isGone, message) = (false, nil) }
    let mine = edited
    for field in options.fields {
      guard let index = fields.firstIndex(where: { $0.id == .field(field) }) else { continue }
      if customer[field] == original[field] {
        // The other change was undone.
        (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
        continue
      }
      if mine[field] == original[field] {
        show(customer[field], of: field)
        original[field] = customer[field]
      } else if mine[field] == customer[field] {
        original[field] = customer[field]
        (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
      } else if fields[index].theirs != customer[field] {
        (fields[index].theirs, fields[index].mayOverwrite) = (customer[field], false)
      }
    }
    let shown = Set(options.fields)
    for field in customer.differences(from: original) where !shown.contains(field) {
      original[field] = customer[field]
    }
  }

  /// Ends following, because the list is another one: what was typed can be added to it.
  mutating func detach() {
    guard case .edit = mode else { return }
    (isGone, isDetached, outcome) = (true, true, nil)
    message = "The list was restored or replaced; saving adds this customer to it."
  }

  /// Reports that the list refused to save: the form stays open.
  ///
  /// - Parameter reason: why, in one line.
  public mutating func refuse(_ reason: String) {
    outcome = nil
    message = reason
  }

  /// Reports that the list refused to save because others changed the same fields.
  public mutating func refuse(_ conflict: FieldConflict) {
    outcome = nil
    follow(conflict.theirs)
    showConflict()
  }

  /// Stops a save that would overwrite someone else's change; the next save may.
  ///
  /// - Returns: whether there is such a field.
  @discardableResult
  mutating func showConflict() -> Bool {
    let fields = self.fields.indices.filter { self.fields[$0].theirs != nil && !self.fields[$0].mayOverwrite }
    guard let first = fields.first else { return false }
    for index in fields { self.fields[index].mayOverwrite = true }
    focus = .field(first)
    message = FormState.conflictMessage
    return true
  }

  /// Resolves a field that both have changed.
  mutating func decide(mine: Bool) {
    for field in options.fields {
      guard let index = fields.firstIndex(where: { $0.id == .field(field) }),
        let theirs = fields[index].theirs
      else { continue }
      (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
      original[field] = theirs
      if !mine { show(theirs, of: field) }
    }
    message = nil
  }
}
