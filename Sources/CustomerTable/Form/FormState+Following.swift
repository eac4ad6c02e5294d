public import CustomerStore

/// What somebody else does to the customer while its form is open.
extension FormState {
  /// Takes note of what the customer is now; nil if it was deleted.
  ///
  /// A field that the person has not changed follows; one that both have changed, to different values, shows
  /// what the other wrote.
  public mutating func follow(_ customer: CustomerFields?) {
    guard case .edit = mode else { return }
    guard let customer else {
      if !isGone { message = "The customer was deleted in the meantime; saving adds it again." }
      isGone = true
      return
    }
    // An undone deletion brings it back.
    if isGone { (isGone, message) = (false, nil) }
    let mine = edited
    for index in fields.indices {
      guard case .field(let field) = fields[index].id else { continue }
      if customer[field] == original[field] {
        // Somebody has taken it back.
        (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
        continue
      }
      if mine[field] == original[field] {
        fields[index].show(customer[field])
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

  /// The list refused to save: the form stays open.
  ///
  /// - Parameter reason: why, in one line.
  public mutating func refuse(_ reason: String) {
    outcome = nil
    message = reason
  }

  /// The list refused to save, because others have changed the same fields.
  public mutating func refuse(_ conflict: FieldConflict) {
    outcome = nil
    follow(conflict.theirs)
    showConflict()
  }

  /// Stops a save that would overwrite what somebody else wrote; the next one may.
  ///
  /// - Returns: whether there is such a field.
  @discardableResult
  mutating func showConflict() -> Bool {
    let fields = self.fields.indices.filter { self.fields[$0].theirs != nil && !self.fields[$0].mayOverwrite }
    guard let first = fields.first else { return false }
    for index in fields { self.fields[index].mayOverwrite = true }
    focus = .field(first)
    message = "Not saved: somebody else has changed the same field. Save again to keep yours."
    return true
  }

  /// Decides for one side where both have written.
  mutating func decide(mine: Bool) {
    for index in fields.indices {
      guard case .field(let field) = fields[index].id, let theirs = fields[index].theirs else { continue }
      if !mine { fields[index].show(theirs) }
      original[field] = theirs
      (fields[index].theirs, fields[index].mayOverwrite) = (nil, false)
    }
    message = nil
  }
}
