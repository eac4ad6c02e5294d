internal import CustomersSQLite

extension CustomerList {
  /// Changes fields of a customer; fields that `change` leaves alone are not written.
  ///
  /// The label of an e-mail address, a phone number, or a postal address that is replaced goes to the new one, unless
  /// `change` changes the other contacts, too.
  ///
  /// - Returns: the customer after the edit.
  /// - Throws: `ListError.noSuchCustomer`, `editForbidden`, or what `change` throws.
  @discardableResult
  public mutating func update(
    _ id: CustomerID, _ change: (inout CustomerFields) throws -> Void
  ) throws -> Customer {
    try revise(customer(id), change)
  }

  /// The same, for a customer that was just read.
  func revise(_ customer: Customer, _ change: (inout CustomerFields) throws -> Void) throws -> Customer {
    var customer = customer
    let (id, before) = (customer.id, customer.fields)
    try change(&customer.fields)
    customer.fields.moveLabels(from: before)
    var written = customer.fields
    if written.extra != before.extra {
      written.extra = try json(written.extraColumns, changedFrom: before.extraColumns, of: id)
    }
    let changed = zip(CustomerFields.columnNames, zip(before.values, written.values)).filter { $1.0 != $1.1 }
    guard !changed.isEmpty else { return customer }
    let assignments = changed.map { "\($0.0) = ?" }.joined(separator: ", ")
    try edit(
      "UPDATE customers SET \(assignments) WHERE id = ?", changed.map(\.1.1) + [.id(id)]
    ) { $0 == .protected ? .editForbidden(id) : nil }
    return customer
  }

  /// Allows or forbids editing and deleting, or moving, a customer; nil leaves a right unchanged.
  ///
  /// - Throws: `ListError.noSuchCustomer`.
  public mutating func protect(_ id: CustomerID, canEdit: Bool? = nil, canMove: Bool? = nil) throws {
    let customer = try customer(id)
    try edit(
      "UPDATE customers SET can_edit = ?, can_move = ? WHERE id = ?",
      [.bool(canEdit ?? customer.canEdit), .bool(canMove ?? customer.canMove), .id(id)]
    ) { _ in nil }
  }
}
