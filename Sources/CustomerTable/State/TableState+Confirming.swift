internal import CustomerStore

/// Deleting, in two steps.
extension TableState {
  mutating func askToDelete(_ id: CustomerID?) -> [TableEffect] {
    guard waiting == nil else { return refuseWhileWaiting() }
    let customers: [Customer]
    if let id {
      guard let customer = contents[id] else { return [] }
      customers = [customer]
    } else {
      customers = subject
    }
    guard let row = id ?? current?.id ?? customers.first?.id else { return [] }
    if let customer = customers.first(where: { !policy.canEdit($0) }) { return refuseEditing(customer) }
    guard !customers.isEmpty else { return [] }
    confirmation = TableConfirmation(
      row: row, customers: Dictionary(uniqueKeysWithValues: customers.map { ($0.id, $0) }))
    say(.hint, "Delete \(name(customers))?")
    return []
  }

  mutating func confirm() -> [TableEffect] {
    if let question {
      self.question = nil
      return revert(question.step, question.reversal)
    }
    guard let confirmation else { return [] }
    self.confirmation = nil
    let ids = inOrder(confirmation.customers.keys.compactMap { contents[$0] }).map(\.id)
    return write(.edits([.delete(ids, asSeenAt: contents.version)]), "delete")
  }

  /// Hides the button when its customers are no longer as they were shown.
  mutating func followConfirmation() {
    guard let confirmation else { return }
    for (id, seen) in confirmation.customers where contents.gone.contains(id) || contents[id] != nil {
      if let customer = contents[id], confirmation.matches(customer) { continue }
      self.confirmation = nil
      say(
        .hint,
        "\"\(seen.name)\" \(contents[id] == nil ? "is already deleted" : "was changed by another program")."
      )
      return
    }
  }

  /// Requests one transaction, unless another one waits for the file.
  mutating func write(_ work: TableWrite.Work, _ action: String) -> [TableEffect] {
    guard waiting == nil else { return refuseWhileWaiting() }
    return [.write(TableWrite(work: work, action: action))]
  }

  mutating func refuseWhileWaiting() -> [TableEffect] {
    say(
      .refusal, "\(waiting?.action ?? "An edit") is still waiting for another program; press Esc to cancel.")
    return []
  }
}
